package session

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/session/launch"
)

// apps are the desktop apps that a host has launched. The keeper is made when something needs it.
type apps struct {
	dir string // of the accounts; empty: none is kept
	log *slog.Logger

	sweeping sync.WaitGroup

	mu     sync.Mutex
	keeper *electron.Keeper
	closed bool
}

func (a *apps) get() (*electron.Keeper, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.closed:
		return nil, fault.New(fault.HostUnreachable, "the host is shutting down").WithHint("Try again; a new one is started.")
	case a.keeper != nil:
		return a.keeper, nil
	}
	keeper, err := electron.NewKeeper(electron.KeeperOptions{Dir: a.dir, Getenv: os.Getenv, Log: a.log})
	if err != nil {
		return nil, err
	}
	a.keeper = keeper
	return keeper, nil
}

// made returns the keeper if there is one.
func (a *apps) made() *electron.Keeper {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.keeper
}

// running reports whether an app runs that was launched: it would end with the host.
func (a *apps) running() bool {
	keeper := a.made()
	return keeper != nil && slices.ContainsFunc(keeper.Records(), func(r electron.Record) bool { return r.CleanupState == electron.Active })
}

// sweep has what a host that was killed left cleared away, where there is something. It does not wait for that; close does.
func (a *apps) sweep() {
	if entries, err := os.ReadDir(a.dir); a.dir == "" || err != nil || len(entries) == 0 {
		return
	}
	a.sweeping.Go(func() {
		if _, err := a.get(); err != nil {
			a.log.Warn("accounts of launched apps not readable", "dir", a.dir, "err", err)
		}
	})
}

// close ends what was launched. The channel is closed when that is done, or ctx has ended.
func (a *apps) close(ctx context.Context) <-chan struct{} {
	a.mu.Lock()
	keeper := a.keeper
	a.closed = true
	a.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.sweeping.Wait()
		if keeper == nil {
			return
		}
		if err := keeper.Close(ctx); err != nil {
			a.log.Warn("launched apps not ended in order", "err", err)
		}
	}()
	return done
}

// appsOf are the apps of the host as one of its sessions sees them.
type appsOf struct{ *inCall }

var _ actions.Apps = appsOf{}

// Apps returns the launched apps of the host.
func (s *inCall) Apps() actions.Apps { return appsOf{s} }

// Keeper returns what launches apps.
func (a appsOf) Keeper() (*electron.Keeper, error) { return a.manager.apps.get() }

// Running returns the launches that are not cleaned up.
func (a appsOf) Running() []electron.Record {
	keeper := a.manager.apps.made()
	if keeper == nil {
		return nil
	}
	var active []electron.Record
	for _, r := range keeper.Records() {
		if r.CleanupState == electron.Active {
			active = append(active, r)
		}
	}
	return active
}

// Attach attaches the session to a launched app.
func (a appsOf) Attach(ctx context.Context, app electron.Record, target string) error {
	address := app.WebSocketDebuggerURL
	if err := a.connect(ctx, launch.Options{Connect: launch.At(address, nil), App: &app, Target: target, Given: map[string]string{"cdp": address}}); err != nil {
		return err
	}
	tab := a.activeTab()
	if tab == nil {
		return nil
	}
	// An app that is still building its window may take longer than a page that has been there for long.
	for until := time.Now().Add(startingLimit); ; {
		_, err := a.SwitchTab(ctx, tab.ID)
		if !fault.Is(err, fault.TabHung) || time.Now().After(until) {
			return err
		}
	}
}

// startingLimit is how long the window of an app that was just launched may take to give a sign of life. Each try has a limit of its own.
const startingLimit = 10 * time.Second

// activeTab returns the active tab, or nil.
func (s *Session) activeTab() *actions.Tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active
}

// recognizeApp notes that the browser which the session was connected to is a launched app.
func (s *inCall) recognizeApp() {
	s.mu.Lock()
	lease := s.holds
	s.mu.Unlock()
	if lease == nil || lease.launch.App != nil {
		return
	}
	for _, r := range s.Apps().Running() {
		if r.WebSocketDebuggerURL != lease.endpoint {
			continue
		}
		s.mu.Lock()
		lease.launch.App = &r
		s.mu.Unlock()
		if keeper := s.manager.apps.made(); keeper != nil {
			if err := keeper.Attached(r.LaunchID, s.name); err != nil {
				s.manager.log.Warn("launched app not noted as attached", "launch", r.LaunchID, "err", err)
			}
		}
	}
}

// Of returns the launch of the app that a session works in, or worked in when it ended.
func (a appsOf) Of(session string) string {
	s := a.manager.existing(session)
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.bereft != nil:
		id, _ := s.bereft.Facts["launchId"].(string)
		return id
	case s.holds != nil && s.holds.launch.App != nil:
		return s.holds.launch.App.LaunchID
	}
	return ""
}

// Leave closes a session if it works in the app of a launch.
func (a appsOf) Leave(ctx context.Context, session, launchID string) error {
	if a.Of(session) != launchID {
		return nil
	}
	return a.manager.existing(session).close(ctx)
}

// existing returns a session of the manager, or nil.
func (m *Manager) existing(name string) *Session {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sessions[name]
}

// sayApp adds to the error of a command that the app it worked in has ended.
func (s *Session) sayApp(err error) error {
	if err == nil {
		return nil
	}
	s.mu.Lock()
	lease := s.holds
	s.mu.Unlock()
	if lease == nil || lease.launch.App == nil || lease.browser.Err() == nil || strings.Contains(err.Error(), lease.launch.App.LaunchID) {
		return err
	}
	ended := launch.AppEnded(s.name, lease.launch.App)
	ended.Message += ": " + err.Error()
	ended.Err = err
	return ended
}

// execIn runs a command in another session, when it is that one's turn.
func (r *runner) execIn(ctx context.Context, session string, in *actions.Input) (actions.Result, error) {
	s := r.manager.existing(session)
	if s == nil {
		return actions.Result{}, fault.New(fault.SessionInvalid, "there is no session %s", session).About(session)
	}
	there := runner{manager: r.manager, req: r.req, session: &inCall{Session: s, launch: r.session.launch}}
	if instead, err := there.allowed(ctx, in); err != nil {
		return actions.Result{}, err
	} else if instead != nil {
		return actions.Result{}, fault.New(fault.ConfirmationRequired, "in session %s `%s` has to be confirmed", session, in.Name()).About(session)
	}
	if !in.Command().Effect.Has(actions.Control) {
		leave, err := there.enter(ctx, in)
		if err != nil {
			return actions.Result{}, err
		}
		defer leave()
	}
	return there.exec(ctx, in)
}
