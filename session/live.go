package session

import (
	"slices"
	"strconv"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/notifier"
	"github.com/skua-browser/skua/session/rules"
	livestream "github.com/skua-browser/skua/session/stream"
)

// live is how people watch a session.
type live struct {
	changes notifier.Notifier // of tabs, addresses or the browser

	mu     sync.Mutex
	server *livestream.Server
}

// changed tells those who watch the session, and those who watch all of them.
func (s *Session) changed() {
	s.live.changes.Notify()
	s.manager.changes.Notify()
}

// close ends the stream.
func (l *live) close() {
	l.mu.Lock()
	server := l.server
	l.server = nil
	l.mu.Unlock()
	if server != nil {
		server.Close()
	}
}

// liveSource is a session as a stream shows it.
type liveSource struct{ *Session }

// State returns what there is to see.
func (s liveSource) State() livestream.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := livestream.State{Running: s.holds != nil && s.holds.browser.Err() == nil}
	if !state.Running {
		return state
	}
	s.reapTabsLocked()
	if s.active != nil && s.active.Page.Attached() {
		state.Active = s.active.Page
	}
	for _, t := range s.tabs {
		tab := livestream.Tab{Active: t == s.active, TabID: t.ID, TargetID: t.Page.ID(), Title: t.Page.Title(), Type: t.Page.Type(), URL: t.Page.URL()}
		if t.Label != "" {
			tab.Label = new(t.Label)
		}
		if d := t.Page.Dialog(); d != nil {
			tab.Dialog = d.Type
		}
		state.Tabs = append(state.Tabs, tab)
	}
	return state
}

// OnChange has fn called whenever that may have changed.
func (s liveSource) OnChange(fn func()) (stop func()) { return s.live.changes.Listen(fn) }

// Worked counts a person's input as use of the host.
func (s liveSource) Worked() { s.manager.worked() }

// Live returns what lets people watch.
func (s *inCall) Live() actions.Live { return sessionLive{s.Session} }

type sessionLive struct{ *Session }

// EnableStream starts the session's stream.
func (s sessionLive) EnableStream(port int, o actions.StreamOptions) (actions.StreamStatus, error) {
	if err := s.enableStream(port, o); err != nil {
		return actions.StreamStatus{}, err
	}
	return s.StreamStatus(), nil
}

func (s *Session) enableStream(port int, o actions.StreamOptions) error {
	s.live.mu.Lock()
	defer s.live.mu.Unlock()
	if s.live.server != nil {
		return fault.New(fault.StreamState, "Streaming is already enabled for this session").With("port", s.live.server.Port()).With("url", s.live.server.URL()).
			WithHint("It is on port %d; use `stream disable` first to change that.", s.live.server.Port())
	}
	server, err := livestream.Listen(port, liveSource{s}, livestream.Options{
		Quality: o.Quality, MaxWidth: o.MaxWidth, MaxHeight: o.MaxHeight, Console: true, Input: s.inputGuard(),
	})
	if err != nil {
		return err
	}
	s.live.server = server
	return nil
}

// streamAsAsked starts the stream of a session whose caller has named a port for it.
func (s *Session) streamAsAsked(getenv func(string) string) {
	word, name := actions.StreamPort(getenv)
	if word == "" || s.streaming() {
		return
	}
	port, err := strconv.ParseUint(word, 10, 16)
	if err != nil {
		s.tell(name + " must be a port from 0 to 65535, got '" + word + "'; the session is not streamed")
		return
	}
	if err := s.enableStream(int(port), actions.StreamOptionsOf(getenv)); err != nil {
		s.tell(name + ": " + err.Error())
	}
}

// inputGuard returns what tells, for each input, whether those who watch may act: not where rules deny or hold what their input does, since
// who asked for the stream has its address.
func (s *Session) inputGuard() func() bool {
	var does []*actions.Input
	for _, line := range [][]string{{"mouse", "down"}, {"keydown", "Enter"}, {"keyboard", "type", "a"}} {
		in, err := s.manager.registry.Parse(line, actions.ParseOptions{})
		if err != nil {
			return func() bool { return false }
		}
		does = append(does, in)
	}
	return func() bool {
		return !slices.ContainsFunc(does, func(in *actions.Input) bool {
			return s.ruling.Judge(in, rules.Requester{Running: s.running}).Effect != policy.Permit
		})
	}
}

func (s *Session) streaming() bool {
	s.live.mu.Lock()
	defer s.live.mu.Unlock()
	return s.live.server != nil
}

// DisableStream ends the stream.
func (s sessionLive) DisableStream() error {
	if !s.streaming() {
		return fault.New(fault.StreamState, "Streaming is not enabled for this session").WithHint("Use `stream enable`.")
	}
	s.live.close()
	return nil
}

// StreamStatus tells of the stream.
func (s sessionLive) StreamStatus() actions.StreamStatus {
	status := actions.StreamStatus{Connected: s.running()}
	s.live.mu.Lock()
	defer s.live.mu.Unlock()
	if server := s.live.server; server != nil {
		status.Enabled, status.Port, status.URL, status.Clients = true, server.Port(), server.URL(), server.Clients()
	}
	return status
}
