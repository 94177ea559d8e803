package session

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/console"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/session/dashboard"
	livestream "github.com/skua-browser/skua/session/stream"
)

// board is the dashboard of a host, if it has one.
type board struct {
	mu     sync.Mutex
	server *dashboard.Server
}

func (b *board) close() (was bool) {
	b.mu.Lock()
	server := b.server
	b.server = nil
	b.mu.Unlock()
	if server != nil {
		server.Close()
	}
	return server != nil
}

// StartDashboard starts the dashboard of the host, or returns the one that runs.
func (s sessionLive) StartDashboard(port int, origins []string) (actions.Dashboard, error) {
	origins, err := dashboard.ParseOrigins(origins)
	if err != nil {
		return actions.Dashboard{}, err
	}
	b := &s.manager.board
	b.mu.Lock()
	defer b.mu.Unlock()
	if d := b.server; d != nil {
		if port != 0 && port != d.Port() || !slices.Equal(origins, d.Origins()) {
			only := "loopback origins only"
			if len(d.Origins()) > 0 {
				only = "the origins " + strings.Join(d.Origins(), ", ")
			}
			return actions.Dashboard{}, fault.New(fault.Usage, "Dashboard is already running with port %d and %s.", d.Port(), only).
				WithHint("Run `dashboard stop` before starting it with different settings.")
		}
		return aboutBoard(d, true), nil
	}
	d, err := dashboard.Listen(port, origins, boardHost{s.manager})
	if err != nil {
		return actions.Dashboard{}, err
	}
	b.server = d
	return aboutBoard(d, false), nil
}

func aboutBoard(d *dashboard.Server, already bool) actions.Dashboard {
	return actions.Dashboard{Running: true, AlreadyRunning: already, Port: d.Port(), PID: os.Getpid(), Addresses: d.Addresses()}
}

// StopDashboard ends the dashboard, and reports whether there was one.
func (s sessionLive) StopDashboard() bool { return s.manager.board.close() }

// Dashboard tells of the dashboard.
func (s sessionLive) Dashboard() actions.Dashboard {
	s.manager.board.mu.Lock()
	defer s.manager.board.mu.Unlock()
	if d := s.manager.board.server; d != nil {
		return aboutBoard(d, true)
	}
	return actions.Dashboard{}
}

// boardHost is the manager as a dashboard sees it.
type boardHost struct{ m *Manager }

// maxBoardCommands is how many commands of a session a dashboard lists.
const maxBoardCommands = 50

// Sessions returns what there is.
func (h boardHost) Sessions() []dashboard.Session {
	h.m.mu.Lock()
	sessions := make([]*Session, 0, len(h.m.sessions))
	for _, s := range h.m.sessions {
		sessions = append(sessions, s)
	}
	h.m.mu.Unlock()
	slices.SortFunc(sessions, func(a, b *Session) int { return strings.Compare(a.name, b.name) })
	list := make([]dashboard.Session, len(sessions))
	for i, s := range sessions {
		state := liveSource{s}.State()
		list[i] = dashboard.Session{Name: s.name, Running: state.Running, Tabs: state.Tabs, Taken: s.taken.Is()}
		if list[i].Tabs == nil {
			list[i].Tabs = []livestream.Tab{}
		}
		if state.Active != nil {
			in := state.Active.Context()
			list[i].Console, list[i].Network = console.Recording(in), network.LogOf(in) != nil
		}
		list[i].Held = []dashboard.Held{}
		for _, held := range (sessionRules{&inCall{Session: s}}).Pending() {
			list[i].Held = append(list[i].Held, dashboard.Held{ID: held.ID, Action: held.Action, Line: held.Command, Expires: held.Expires.UnixMilli()})
		}
		list[i].Commands, list[i].Dropped = forBoard(&s.log, maxBoardCommands)
	}
	return list
}

// OnChange has fn called whenever something changes.
func (h boardHost) OnChange(fn func()) (stop func()) { return h.m.changes.Listen(fn) }

// find returns a session that has a browser.
func (h boardHost) find(name string) (*Session, *engine.Page, error) {
	h.m.mu.Lock()
	s := h.m.sessions[name]
	h.m.mu.Unlock()
	if s == nil {
		return nil, nil, fault.New(fault.SessionInvalid, "there is no session %s", name).About(name)
	}
	state := liveSource{s}.State()
	if state.Active == nil {
		return nil, nil, fault.New(fault.BrowserGone, "session %s has no page", name).About(name)
	}
	return s, state.Active, nil
}

// Source returns a session to be watched.
func (h boardHost) Source(name string) livestream.Source {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	if s := h.m.sessions[name]; s != nil {
		return liveSource{s}
	}
	return nil
}

// Picture returns what a session shows.
func (h boardHost) Picture(ctx context.Context, name string) ([]byte, error) {
	_, page, err := h.find(name)
	if err != nil {
		return nil, err
	}
	ctx, stop := page.Watch(ctx, true)
	defer stop()
	const quality = 40
	return capture.Screenshot(ctx, page, capture.ScreenshotOptions{Format: capture.JPEG, Quality: quality})
}

// TakeOver lets a person work in a session, or ends that.
func (h boardHost) TakeOver(name string, on bool) error {
	s, _, err := h.find(name)
	if s == nil || on && err != nil {
		return err
	}
	if on {
		s.taken.Take()
	} else {
		s.taken.Release()
	}
	s.manager.worked()
	s.changed()
	return nil
}

// Confirm has a command that waits done, or drops it.
func (h boardHost) Confirm(ctx context.Context, name, id string, yes bool) error {
	h.m.mu.Lock()
	s := h.m.sessions[name]
	h.m.mu.Unlock()
	if s == nil {
		return fault.New(fault.SessionInvalid, "there is no session %s", name).About(name)
	}
	s.callers.Add(1) // it is not forgotten meanwhile
	defer s.callers.Add(-1)
	return s.answer(ctx, id, yes)
}

// TakenOver reports whether a person works in a session.
func (h boardHost) TakenOver(name string) bool {
	h.m.mu.Lock()
	s := h.m.sessions[name]
	h.m.mu.Unlock()
	return s != nil && s.taken.Is()
}

// recordCommands are the commands that read what a session has recorded.
var recordCommands = map[string][]string{"console": {"console"}, "errors": {"errors"}, "network": {"network", "requests"}}

// Records runs such a command for the person at the dashboard: beside the queue, and without the notes that are meant for the session's agent.
func (h boardHost) Records(ctx context.Context, name, kind string) (any, error) {
	s, _, err := h.find(name)
	if err != nil {
		return nil, err
	}
	argv, ok := recordCommands[kind]
	if !ok {
		return nil, fault.New(fault.SessionInvalid, "there are no records of kind %s", kind)
	}
	noEnv := func(string) string { return "" }
	in, err := h.m.registry.Parse(argv, actions.ParseOptions{Getenv: noEnv})
	if err != nil {
		return nil, err
	}
	ctx, stop := s.during(ctx)
	defer stop()
	r := runner{manager: h.m, req: Request{Getenv: noEnv}, session: &inCall{Session: s}}
	res, err := r.run(ctx, in, time.Now().Add(in.Duration("timeout")), 0)
	s.changed() // it is recorded from now on
	return res.Data, err
}
