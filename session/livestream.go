package session

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/notifier"
	"github.com/skua-browser/skua/session/handoff"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/rules"
	livestream "github.com/skua-browser/skua/session/stream"
)

// liveStream lets people watch a session.
type liveStream struct {
	changes notifier.Notifier // of tabs, addresses or the browser

	mu     sync.Mutex
	server *livestream.Server
}

// changed notifies those who watch the session or the host.
func (s *Session) changed() {
	s.stream.changes.Notify()
	s.manager.changes.Notify()
}

// close ends the stream.
func (l *liveStream) close() {
	l.mu.Lock()
	server := l.server
	l.server = nil
	l.mu.Unlock()
	if server != nil {
		server.Close()
	}
}

// liveSource is a session as a stream sees it.
type liveSource struct{ *Session }

// State returns what the session shows.
func (s liveSource) State() livestream.State {
	state := livestream.State{Running: s.browser.Running()}
	if !state.Running {
		return state
	}
	tabs, active := s.browser.Tabs()
	if active != nil && active.Page.Attached() {
		state.Active = active.Page
	}
	for _, t := range tabs {
		tab := livestream.Tab{
			Active:   t == active,
			TabID:    t.ID,
			TargetID: t.Page.ID(),
			Title:    t.Page.Title(),
			Type:     t.Page.Type(),
			URL:      t.Page.URL(),
		}
		if t.Label != "" {
			tab.Label = new(t.Label)
		}
		if d := t.Page.Dialogs().Open(); d != nil {
			tab.Dialog = d.Type
		}
		state.Tabs = append(state.Tabs, tab)
	}
	return state
}

// OnChange calls fn whenever State may have changed.
func (s liveSource) OnChange(fn func()) (stop func()) { return s.stream.changes.Listen(fn) }

// NoteActivity counts a person's input as use of the host.
func (s liveSource) NoteActivity() { s.manager.noteActivity() }

// liveView is the session's stream and dashboard.
type liveView struct{ *Session }

// Handoffs returns how the session is handed to a person.
func (s liveView) Handoffs() actions.Handoffs { return handoffs{&s.handoffs, s.Session} }

type handoffs struct {
	*handoff.Desk
	session *Session
}

// Begin hands the session over.
func (h handoffs) Begin(r actions.HandoffRequest) (actions.Handoff, error) {
	begun, err := h.Desk.Begin(handoffHost{h.session, h.session.inputGuard()}, r)
	h.session.browser.Remember()
	return begun, err
}

// handoffHost is a session as its handoff sees it.
type handoffHost struct {
	*Session
	mayAct func() bool
}

func (h handoffHost) Name() string              { return h.name }
func (h handoffHost) Source() livestream.Source { return liveSource{h.Session} }
func (h handoffHost) MayAct() bool              { return h.mayAct() }
func (h handoffHost) Changed()                  { h.changed() }

// Tabs returns the session's tabs, the active one first.
func (h handoffHost) Tabs() []*actions.Tab {
	all, active := h.browser.Tabs()
	if i := slices.Index(all, active); i > 0 {
		all = slices.Insert(slices.Delete(all, i, i+1), 0, active)
	}
	return all
}

// Show makes a tab the active one.
func (h handoffHost) Show(ctx context.Context, tab string) error {
	_, err := h.call(launch.Options{}, noEnv).SwitchTab(ctx, tab)
	return err
}

// EnableStream starts the session's stream.
func (s liveView) EnableStream(port int, o actions.StreamOptions) (actions.StreamStatus, error) {
	if err := s.enableStream(port, o); err != nil {
		return actions.StreamStatus{}, err
	}
	return s.StreamStatus(), nil
}

func (s *Session) enableStream(port int, o actions.StreamOptions) error {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	if s.stream.server != nil {
		return fault.New(fault.StreamState, "Streaming is already enabled for this session").With("port",
			s.stream.server.Port()).With("url", s.stream.server.URL()).
			WithHint("It is on port %d; use `stream disable` first to change that.", s.stream.server.Port())
	}
	server, err := livestream.Listen(port, liveSource{s}, livestream.Options{
		Quality:   o.Quality,
		MaxWidth:  o.MaxWidth,
		MaxHeight: o.MaxHeight,
		Console:   true,
		Input:     s.inputGuard(),
	})
	if err != nil {
		return err
	}
	s.stream.server = server
	return nil
}

// startRequestedStream starts the stream if the caller's environment names a port for it.
func (s *Session) startRequestedStream(getenv func(string) string) {
	word, name := actions.StreamPort(getenv)
	if word == "" || s.streaming() {
		return
	}
	port, err := strconv.ParseUint(word, 10, 16)
	if err != nil {
		s.notices.Lack(fault.New(fault.StreamState,
			"the session is not streamed: %s must be a port from 0 to 65535, got '%s'", name, word))
		return
	}
	if err := s.enableStream(int(port), actions.StreamOptionsOf(getenv)); err != nil {
		s.notices.Lack(fault.New(fault.CodeOf(err), "the session is not streamed, as %s asks: %w", name,
			fault.WithoutHint(err)).
			WithHint("Another port, or 0 for any free one, can be given to `stream enable --port`."))
	}
}

// inputGuard returns a function that reports whether viewers may send input: not where rules deny or hold what the
// input does, since the requester of the stream knows its address, too.
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
			return s.ruling.Judge(in, rules.Requester{Running: s.browser.Running}).Effect != policy.Permit
		})
	}
}

func (s *Session) streaming() bool {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	return s.stream.server != nil
}

// DisableStream ends the stream.
func (s liveView) DisableStream() error {
	if !s.streaming() {
		return fault.New(fault.StreamState, "Streaming is not enabled for this session").WithHint("Use `stream enable`.")
	}
	s.stream.close()
	return nil
}

// StreamStatus describes the stream.
func (s liveView) StreamStatus() actions.StreamStatus {
	status := actions.StreamStatus{Connected: s.browser.Running()}
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	if server := s.stream.server; server != nil {
		status.Enabled, status.Port, status.URL, status.Clients = true, server.Port(), server.URL(), server.Clients()
	}
	return status
}
