package handoff

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/loopback"
	"github.com/skua-browser/skua/session/dashboard"
	"github.com/skua-browser/skua/session/stream"
)

//go:embed page
var files embed.FS

// server shows the session of one handoff to who has its address.
type server struct {
	*loopback.Server
	handoff *handoff
	say     func(how actions.HandoffEnd, reason string)
	secret  loopback.Secret
}

func listen(h *handoff, say func(actions.HandoffEnd, string)) (*server, error) {
	listening, err := loopback.Listen(0)
	if err != nil {
		return nil, fault.New(fault.File, "the page for the person cannot be served: no port is available: %w", err)
	}
	return &server{Server: listening, handoff: h, say: say, secret: loopback.NewSecret()}, nil
}

func (s *server) url() string { return "http://" + s.Address() + "/" + string(s.secret) + "/" }

// serve starts to answer.
func (s *server) serve() {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(both{sub(files), dashboard.Files()}))
	mux.HandleFunc("GET /events", s.Lasting(s.events))
	mux.HandleFunc("GET /api/sessions/{name}/live", s.Lasting(s.live))
	mux.HandleFunc("POST /done", s.Lasting(func(w http.ResponseWriter, r *http.Request) {
		s.end(w, r, actions.HandoffDone)
	}))
	mux.HandleFunc("POST /cannot", s.Lasting(func(w http.ResponseWriter, r *http.Request) {
		s.end(w, r, actions.HandoffCannot)
	}))
	mux.HandleFunc("POST /tab/{id}", s.Lasting(s.tab))
	guard := loopback.Guard{
		Host:   loopback.LocalHost,
		Origin: s.fromHere,
		Secret: func(r *http.Request) bool { _, ok := s.secret.InPath(r); return ok },
		Refusals: loopback.Refusals{
			Host:   "Host not allowed",
			Origin: "Origin not allowed",
			Secret: "Open the whole address of the handoff: it has a secret that lets you in.",
		},
	}
	guarded := guard.Protect(http.StripPrefix("/"+string(s.secret), mux))
	s.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		dashboard.Restrict(w.Header())
		guarded.ServeHTTP(w, r)
	}))
}

// fromHere reports whether a request comes from the page itself or, if it changes nothing, from the address bar, which
// sends no origin.
func (s *server) fromHere(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.Header.Get("Upgrade") == ""
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && loopback.LocalHost(u.Host) && u.Port() == strconv.Itoa(s.Port())
}

// both are the files of two folders. The first has precedence.
type both [2]fs.FS

func (b both) Open(name string) (fs.File, error) {
	f, err := b[0].Open(name)
	if errors.Is(err, fs.ErrNotExist) && name != "app.js" {
		return b[1].Open(name)
	}
	return f, err
}

func sub(files fs.FS) fs.FS {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return page
}

// shown is the state as the page shows it.
type shown struct {
	Session string       `json:"session"`
	Text    string       `json:"text"`
	Mark    string       `json:"mark,omitempty"`
	Until   int64        `json:"until"` // Unix milliseconds
	End     string       `json:"end"`
	MayAct  bool         `json:"mayAct"`
	Tabs    []stream.Tab `json:"tabs"`
}

func (s *server) state() shown {
	h := s.handoff.snapshot()
	state := shown{
		Session: s.handoff.host.Name(),
		Text:    h.Text,
		Mark:    h.Mark,
		Until:   h.Until.UnixMilli(),
		End:     string(h.End),
		MayAct:  s.handoff.host.MayAct(),
		Tabs:    []stream.Tab{},
	}
	if h.End == actions.HandoffWaiting {
		state.Tabs = append(state.Tabs, s.handoff.host.Source().State().Tabs...)
	}
	return state
}

// events sends the state as server-sent events whenever it changes, until the handoff has ended.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	s.handoff.visit()
	dashboard.SendEvents(s.Life(), w, r, s.handoff.host.Source().OnChange, s.handoff.ended, func() (any, bool) {
		state := s.state()
		return state, state.End != string(actions.HandoffWaiting)
	})
}

// live streams the session. Input is accepted while the handoff waits, where the rules let viewers act.
func (s *server) live(w http.ResponseWriter, r *http.Request) {
	host := s.handoff.host
	if r.PathValue("name") != host.Name() {
		http.NotFound(w, r)
		return
	}
	life, cancel := context.WithCancel(s.Life())
	defer cancel()
	go func() { // ends with the handler
		select {
		case <-s.handoff.ended:
			cancel()
		case <-life.Done():
		}
	}()
	const quality = 80
	stream.Accept(life, w, r, watched{host.Source(), s.handoff}, stream.Options{Quality: quality, Input: func() bool {
		return s.handoff.snapshot().End == actions.HandoffWaiting && host.MayAct()
	}})
}

// watched is the session's stream, whose input counts as the person's.
type watched struct {
	stream.Source
	handoff *handoff
}

func (w watched) NoteActivity() {
	w.handoff.noteActivity()
	w.Source.NoteActivity()
}

// end takes what the person says.
func (s *server) end(w http.ResponseWriter, r *http.Request, how actions.HandoffEnd) {
	s.say(how, dashboard.ReadReason(r))
	reply(w, http.StatusOK, s.state())
}

// tab shows another tab.
func (s *server) tab(w http.ResponseWriter, r *http.Request) {
	if s.handoff.snapshot().End != actions.HandoffWaiting {
		http.Error(w, "The handoff has ended.", http.StatusConflict)
		return
	}
	if err := s.handoff.host.Show(r.Context(), r.PathValue("id")); err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	reply(w, http.StatusOK, s.state())
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may be gone
}
