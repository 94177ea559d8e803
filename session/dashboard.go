package session

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/annotations"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/console"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/dashboard"
	"github.com/skua-browser/skua/session/launch"
	livestream "github.com/skua-browser/skua/session/stream"
)

// dashboardServer is the host's dashboard, if it runs.
type dashboardServer struct {
	mu     sync.Mutex
	server *dashboard.Server
}

func (b *dashboardServer) close() (was bool) {
	b.mu.Lock()
	server := b.server
	b.server = nil
	b.mu.Unlock()
	if server != nil {
		server.Close()
	}
	return server != nil
}

// StartDashboard starts the host's dashboard, or returns the running one.
func (s liveView) StartDashboard(port int, origins []string) (actions.Dashboard, error) {
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
			return actions.Dashboard{}, fault.New(fault.Usage, "Dashboard is already running with port %d and %s.", d.Port(),
				only).
				WithHint("Run `dashboard stop` before starting it with different settings.")
		}
		return dashboardStatus(d, true), nil
	}
	d, err := dashboard.Listen(port, origins, dashboardHost{s.manager})
	if err != nil {
		return actions.Dashboard{}, err
	}
	b.server = d
	return dashboardStatus(d, false), nil
}

func dashboardStatus(d *dashboard.Server, already bool) actions.Dashboard {
	return actions.Dashboard{
		Running:        true,
		AlreadyRunning: already,
		Port:           d.Port(),
		PID:            os.Getpid(),
		Addresses:      d.Addresses(),
	}
}

// StopDashboard ends the dashboard, and reports whether there was one.
func (s liveView) StopDashboard() bool { return s.manager.board.close() }

// Dashboard describes the dashboard.
func (s liveView) Dashboard() actions.Dashboard {
	s.manager.board.mu.Lock()
	defer s.manager.board.mu.Unlock()
	if d := s.manager.board.server; d != nil {
		return dashboardStatus(d, true)
	}
	return actions.Dashboard{}
}

// noEnv is the environment of what a person does at the dashboard.
func noEnv(string) string { return "" }

// dashboardHost is the manager as the dashboard sees it.
type dashboardHost struct{ m *Manager }

// maxDashboardCommands is how many commands of a session the dashboard lists.
const maxDashboardCommands = 50

// Sessions returns all sessions, sorted by name.
func (h dashboardHost) Sessions() []dashboard.Session {
	h.m.mu.Lock()
	sessions := slices.SortedFunc(maps.Values(h.m.sessions), func(a, b *Session) int {
		return strings.Compare(a.name, b.name)
	})
	h.m.mu.Unlock()
	list := make([]dashboard.Session, len(sessions))
	for i, s := range sessions {
		state := liveSource{s}.State()
		list[i] = dashboard.Session{Name: s.name, Running: state.Running, Tabs: state.Tabs, Taken: s.takeover.Active()}
		if list[i].Tabs == nil {
			list[i].Tabs = []livestream.Tab{}
		}
		if state.Active != nil {
			in := state.Active.Context()
			list[i].Console, list[i].Network = console.Recording(in), network.LogOf(in) != nil
		}
		if h := s.handoffs.Current(); h != nil && h.End == actions.HandoffWaiting {
			list[i].Handoff = &dashboard.Handoff{ID: h.ID, Text: h.Text, Mark: h.Mark, Until: h.Until.UnixMilli()}
		}
		list[i].Held = []dashboard.Held{}
		for _, held := range s.pending.held() {
			list[i].Held = append(list[i].Held, dashboard.Held{
				ID:      held.ID,
				Action:  held.Action,
				Line:    held.Command,
				Expires: held.Expires.UnixMilli(),
			})
		}
		list[i].Notes = annotations.Noted(&s.states)
		list[i].Commands, list[i].Dropped = dashboardEntries(&s.log, maxDashboardCommands)
	}
	return list
}

// OnChange has fn called whenever something changes.
func (h dashboardHost) OnChange(fn func()) (stop func()) { return h.m.changes.Listen(fn) }

// existing returns a session, also without a page.
func (h dashboardHost) existing(name string) (*Session, error) {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	if s := h.m.sessions[name]; s != nil {
		return s, nil
	}
	return nil, fault.New(fault.SessionInvalid, "there is no session %s", name).About(name)
}

// find returns a session with its active page.
func (h dashboardHost) find(name string) (*Session, *engine.Page, error) {
	s, err := h.existing(name)
	if err != nil {
		return nil, nil, err
	}
	state := liveSource{s}.State()
	if state.Active == nil {
		return nil, nil, fault.New(fault.BrowserGone, "session %s has no page", name).About(name)
	}
	return s, state.Active, nil
}

// Source returns the live stream of a session; nil means that there is no such session.
func (h dashboardHost) Source(name string) livestream.Source {
	if s, err := h.existing(name); err == nil {
		return liveSource{s}
	}
	return nil
}

// Screenshot returns a JPEG of the session's active page.
func (h dashboardHost) Screenshot(ctx context.Context, name string) ([]byte, error) {
	_, page, err := h.find(name)
	if err != nil {
		return nil, err
	}
	ctx, stop := page.Watch(ctx, true)
	defer stop()
	return capture.Screenshot(ctx, page, capture.ScreenshotOptions{Format: capture.JPEG, Quality: 40})
}

// TakeOver starts or ends a person's takeover of a session.
func (h dashboardHost) TakeOver(name string, on bool) error {
	s, _, err := h.find(name)
	if s == nil || on && err != nil {
		return err
	}
	if on {
		s.takeover.Take()
	} else {
		s.takeover.Release()
	}
	s.manager.noteActivity()
	s.changed()
	return nil
}

// Confirm runs or drops a waiting command.
func (h dashboardHost) Confirm(ctx context.Context, name, id string, yes bool) error {
	s, err := h.existing(name)
	if err != nil {
		return err
	}
	s.callers.Add(1) // keeps the session from being pruned
	defer h.m.leave(s)
	return s.answerPending(ctx, id, yes)
}

// EndHandoff reports what a person says to the handoff that waits.
func (h dashboardHost) EndHandoff(name, id string, done bool, reason string) error {
	s, _, err := h.find(name)
	if s == nil {
		return err
	}
	how := actions.HandoffCannot
	if done {
		how, reason = actions.HandoffDone, ""
	}
	_, err = s.handoffs.End(id, how, reason)
	return err
}

// TakenOver reports whether a person works in the session: one who has taken it over, or to whom it was handed.
func (h dashboardHost) TakenOver(name string) bool {
	s, err := h.existing(name)
	return err == nil && (s.takeover.Active() || s.handoffs.Active())
}

// Timeline returns all commands that the session's journal has.
func (h dashboardHost) Timeline(name string) ([]dashboard.Command, error) {
	s, err := h.existing(name)
	if err != nil {
		return nil, err
	}
	list, _ := dashboardEntries(&s.log, 0)
	return list, nil
}

// Annotations returns the person's side of the session's annotations.
func (h dashboardHost) Annotations(name string) (dashboard.Annotations, error) {
	s, err := h.existing(name)
	if err != nil {
		return nil, err
	}
	in, err := h.m.registry.Parse([]string{"annotations"}, actions.ParseOptions{Getenv: noEnv})
	if err != nil {
		return nil, err
	}
	call := &actions.Call{
		Input: in, Caller: actions.Caller{Getenv: noEnv}, Scope: s.call(launch.Options{}, noEnv).scope(),
		Deadline: time.Now().Add(in.Duration("timeout")),
	}
	return annotations.AtDashboard(call, func(notes ...string) {
		for _, note := range notes {
			s.addNotice(note)
		}
		s.manager.noteActivity()
		s.changed()
	}), nil
}

// recordCommands are the commands that read a session's records.
var recordCommands = map[string][]string{
	"console": {"console"}, "errors": {"errors"},
	"network": {"network", "requests"},
}

// Records runs such a command for the person at the dashboard, outside the queue and without the notes for the
// session's agent.
func (h dashboardHost) Records(ctx context.Context, name, kind string) (any, error) {
	s, _, err := h.find(name)
	if err != nil {
		return nil, err
	}
	argv, ok := recordCommands[kind]
	if !ok {
		return nil, fault.New(fault.SessionInvalid, "there are no records of kind %s", kind)
	}
	in, err := h.m.registry.Parse(argv, actions.ParseOptions{Getenv: noEnv})
	if err != nil {
		return nil, err
	}
	ctx, stop := s.browser.Lifetime.Within(ctx)
	defer stop()
	r := runner{manager: h.m, req: Request{Getenv: noEnv}, session: s.call(launch.Options{}, noEnv)}
	res, err := r.command(ctx, in, time.Now().Add(in.Duration("timeout")), 0)
	s.changed() // reading starts the recording
	return res.Data, err
}
