package session

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/electron/running"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/session/launch"
)

// apps are the desktop apps that a host launched. The launcher is created on first use.
type apps struct {
	dir string // of the launch records; empty means no records
	log *slog.Logger

	sweeping sync.WaitGroup

	mu       sync.Mutex
	launcher *electron.Launcher
	closed   bool
}

func (a *apps) get() (*electron.Launcher, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.closed:
		return nil, fault.New(fault.HostUnreachable, "the host is shutting down").WithHint("Try again; a new one is started.")
	case a.launcher != nil:
		return a.launcher, nil
	}
	launcher, err := electron.NewLauncher(electron.LauncherOptions{Dir: a.dir, Getenv: os.Getenv, Log: a.log})
	if err != nil {
		return nil, err
	}
	a.launcher = launcher
	return launcher, nil
}

// current returns the launcher, or nil.
func (a *apps) current() *electron.Launcher {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.launcher
}

// running reports whether a launched app runs. It would end with the host.
func (a *apps) running() bool {
	launcher := a.current()
	return launcher != nil && slices.ContainsFunc(launcher.Records(), func(r electron.Record) bool {
		return r.CleanupState == electron.Active
	})
}

// sweep removes what a killed host left behind, in the background; close waits for it.
func (a *apps) sweep() {
	if entries, err := os.ReadDir(a.dir); a.dir == "" || err != nil || len(entries) == 0 {
		return
	}
	a.sweeping.Go(func() {
		if _, err := a.get(); err != nil {
			a.log.Warn("records of launched apps not readable", "dir", a.dir, "err", err)
		}
	})
}

// close ends the launched apps. The channel is closed when they have ended, or when ctx has.
func (a *apps) close(ctx context.Context) <-chan struct{} {
	a.mu.Lock()
	launcher := a.launcher
	a.closed = true
	a.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.sweeping.Wait()
		if launcher == nil {
			return
		}
		if err := launcher.Close(ctx); err != nil {
			a.log.Warn("launched apps not ended cleanly", "err", err)
		}
	}()
	return done
}

// Launcher returns the launcher, which launches apps.
func (a sessionHost) Launcher() (*electron.Launcher, error) { return a.manager.apps.get() }

// RunningApps returns the launched apps that are not cleaned up.
func (a sessionHost) RunningApps() (running []actions.App) {
	for _, r := range a.manager.apps.records() {
		running = append(running, actions.App{LaunchID: r.LaunchID, Name: r.AppName})
	}
	return running
}

// records returns the launches that are not cleaned up.
func (a *apps) records() []electron.Record {
	launcher := a.current()
	if launcher == nil {
		return nil
	}
	var active []electron.Record
	for _, r := range launcher.Records() {
		if r.CleanupState == electron.Active && !launcher.HasEnded(r.LaunchID) {
			active = append(active, r)
		}
	}
	return active
}

// AttachApp attaches the session to a launched app.
func (a sessionHost) AttachApp(ctx context.Context, app electron.Record, target string) error {
	address, browser := app.WebSocketDebuggerURL, launch.At(app.WebSocketDebuggerURL, nil)
	if address == "" { // it was started without a port, and its main process reaches its pages
		address, browser = app.InspectorURL, launch.Over(app.InspectorURL, func(ctx context.Context) (cdp.Transport, error) {
			return inspector.DialPages(ctx, app.InspectorURL)
		})
	}
	if err := a.Use.ConnectTo(ctx, launch.Options{
		Connect: browser,
		App:     &app,
		Target:  target,
		Given:   map[string]string{"cdp": address},
	}); err != nil {
		return err
	}
	tab := a.ActiveTab()
	if tab == nil {
		return nil
	}
	// An app that was just launched takes longer to show its window than an open page takes to answer.
	for until := time.Now().Add(windowStartLimit); ; {
		_, err := a.SwitchTab(ctx, tab.ID)
		if !fault.Is(err, fault.TabHung) || time.Now().After(until) {
			return err
		}
	}
}

// windowStartLimit is how long a launched app may take to show a window that answers. Each try has its own limit.
const windowStartLimit = 10 * time.Second

// recognizingApp records that the browser is a launched app to which the session has connected, if there was no error.
func (s *callSession) recognizingApp(err error) error {
	lease := s.Lease()
	if app, _ := s.App(); err != nil || lease == nil || app != nil {
		return err
	}
	for _, r := range s.manager.apps.records() {
		if r.WebSocketDebuggerURL != lease.Endpoint {
			continue
		}
		s.SetApp(lease.Endpoint, &r)
		if launcher := s.manager.apps.current(); launcher != nil {
			if err := launcher.Attached(r.LaunchID, s.name); err != nil {
				s.manager.log.Warn("launched app not noted as attached", "launch", r.LaunchID, "err", err)
			}
		}
	}
	return nil
}

// AppOf returns the launch ID of the app that a session works in, or worked in before the app ended.
func (a sessionHost) AppOf(session string) string {
	s := a.manager.existing(session)
	if s == nil {
		return ""
	}
	if ended := s.browser.Ended(); ended != nil {
		id, _ := ended.Facts["launchId"].(string)
		return id
	}
	if app, _ := s.browser.App(); app != nil {
		return app.LaunchID
	}
	return ""
}

// WindowsInApp says how a person sees targets of the app that the session works in.
func (a sessionHost) WindowsInApp(ctx context.Context, targetIDs []string) map[string]*electron.WindowFacts {
	app, _ := a.browser.App()
	if app == nil {
		return nil
	}
	return lifecycle.WindowsOf(ctx, app, targetIDs)
}

// PrintInApp prints a page of the app that the session works in, in the app's main process.
func (a sessionHost) PrintInApp(ctx context.Context, targetID string, o capture.PDFOptions) ([]byte, error) {
	app, _ := a.browser.App()
	if app == nil || app.InspectorURL == "" {
		return nil, nil
	}
	p, err := inspector.Dial(ctx, app.InspectorURL)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.PrintPDF(ctx, targetID, inspector.PrintOptions{
		Landscape:  o.Landscape,
		Background: o.Background,
		Scale:      o.Scale,
		PageSize: inspector.PageSize{
			Width:  o.Width,
			Height: o.Height,
		},
		Margins: inspector.PrintMargins{
			Top:    inches(o.Top),
			Right:  inches(o.Right),
			Bottom: inches(o.Bottom),
			Left:   inches(o.Left),
		},
		Pages:       o.Pages,
		HeadAndFoot: o.HeadAndFoot,
		Header:      o.Header,
		Footer:      o.Footer,
		CSSPageSize: o.CSSPageSize,
		Tagged:      o.Tagged,
		Outline:     o.Outline,
	})
}

// inches returns a margin, or the one that browsers have by themselves.
func inches(margin *float64) float64 {
	const usual = 0.4
	if margin == nil {
		return usual
	}
	return *margin
}

// LeaveApp closes a session if it works in the app of a launch.
func (a sessionHost) LeaveApp(ctx context.Context, session, launchID string) error {
	if a.AppOf(session) != launchID {
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

const (
	// appEndLimit is how long the end of an app's process may take after its last window went away.
	appEndLimit = 3 * time.Second

	// appExitLimit is how long it may take after the connection to the app ended, which leaves no doubt that it ends.
	appExitLimit = 5 * time.Second
)

// endedApp returns the launched app that the session works in if it has ended, and how: its exit code and what it
// printed last. Not ok: it runs.
func (s *Session) endedApp() (app *electron.Record, how string, ok bool) {
	lease := s.browser.Lease()
	app, windows := s.browser.App()
	if lease == nil || app == nil {
		return nil, "", false
	}
	if windows > 0 {
		lease.AppRests.Store(false)
	}
	if lease.Browser.Err() == nil && (windows > 0 || lease.AppRests.Load()) {
		return nil, "", false
	}
	launcher := s.manager.apps.current()
	if launcher == nil {
		return app, "", lease.Browser.Err() != nil
	}
	ended, exitLimit := launcher.Ended(app.LaunchID), appExitLimit
	if ended == nil { // another program launched it, so that its end is not announced here
		if lease.Browser.Err() != nil && procgroup.Alive(app.PID) { // only the page that carried the connection is closed
			return nil, "", false
		}
		exitLimit = appEndLimit
	}
	for began := time.Now(); ; {
		select {
		case <-ended:
			return app, launcher.HowEnded(app.LaunchID), true
		case <-time.After(restartPoll):
		}
		switch gone := lease.Browser.Err() != nil; {
		case launcher.IsRestarting(app.LaunchID):
			return nil, "", false
		case !gone && time.Since(began) > appEndLimit:
			// it goes on without a window, and no later command waits for its end again
			lease.AppRests.Store(true)
			return nil, "", false
		case gone && time.Since(began) > exitLimit:
			return app, launcher.HowEnded(app.LaunchID), true
		}
	}
}

// followApp attaches the session again to an app that has restarted itself: another process, with other windows.
func (s *callSession) followApp(ctx context.Context) error {
	launcher, lease := s.manager.apps.current(), s.Lease()
	id := sessionHost{callSession: s}.AppOf(s.name)
	if launcher == nil || id == "" || lease != nil && lease.Browser.Err() == nil {
		return nil
	}
	was := ""
	if lease != nil {
		was = lease.Endpoint
	}
	now, ok := launcher.Restarted(ctx, id, was)
	if !ok || now.WebSocketDebuggerURL == was {
		return nil
	}
	if before, _ := s.browser.App(); now.InspectorURL == "" && before != nil && before.InspectorURL != "" {
		// The restarted process prints elsewhere, so that its inspector is found by its sockets.
		app := running.App{Name: now.AppName, PID: now.PID, ExecutablePath: now.ExecutablePath, Inspectable: true}
		if err := app.OpenInspector(ctx); err != nil {
			s.manager.log.Info("the inspector of an app that has restarted itself was not found", "launch", id, "err", err)
		}
		now.InspectorURL = app.InspectorURL
		launcher.SetInspector(id, app.InspectorURL)
	}
	if err := (sessionHost{callSession: s}).AttachApp(ctx, now, lifecycle.AwaitWindow(ctx, launcher, now)); err != nil {
		return err
	}
	s.addNotice(now.AppName + " has restarted itself; the session works in its new windows")
	return nil
}

// restartPoll is how often an app is looked at that ends, until it is known whether it goes on.
const restartPoll = 20 * time.Millisecond

// restartedUnder reports whether a command failed since the app restarted itself meanwhile. The session works in its
// new windows then.
func (s *callSession) restartedUnder(ctx context.Context, err error) bool {
	launcher, lease := s.manager.apps.current(), s.Lease()
	app, windows := s.browser.App()
	if err == nil || launcher == nil || lease == nil || app == nil || windows > 0 && lease.Browser.Err() == nil {
		return false
	}
	for until := time.Now().Add(appEndLimit); time.Now().Before(until); {
		if lease.Browser.Err() != nil && launcher.IsRestarting(app.LaunchID) {
			return s.followApp(ctx) == nil
		}
		if launcher.HasEnded(app.LaunchID) || pause.For(ctx, restartPoll) != nil {
			return false
		}
	}
	return false
}

// noteAppEnded says behind a command that the app it worked in has ended, once.
func (s *Session) noteAppEnded() {
	app, how, ended := s.endedApp()
	if !ended {
		s.noteAppRestarts()
		return
	}
	if l := s.browser.Lease(); l == nil || l.AppEndNoted.Swap(true) {
		return
	}
	s.addNotice(strings.TrimSuffix(app.AppName+" has ended: "+how, ": "))
}

// noteAppRestarts says behind a command that the app it worked in restarts itself.
func (s *Session) noteAppRestarts() {
	lease, launcher := s.browser.Lease(), s.manager.apps.current()
	if app, _ := s.browser.App(); app != nil && launcher != nil && lease != nil && lease.Browser.Err() != nil &&
		launcher.IsRestarting(app.LaunchID) {
		s.addNotice(app.AppName + " restarts itself; the next command works in its new windows")
	}
}

// withAppEnded adds to a command's error that the app it worked in has ended.
func (s *Session) withAppEnded(err error) error {
	app, how, ok := s.endedApp()
	if !ok {
		return s.withAppState(err)
	}
	if strings.Contains(err.Error(), app.LaunchID) {
		return err
	}
	ended := launch.AppEnded(s.name, app)
	if how != "" {
		ended.Message += ", " + how
	}
	ended.Message += ": " + err.Error()
	ended.Err = err
	return ended
}

// withAppState adds to the error of a command in an app where to find out why. A native dialog stops all of an app's
// windows, and no page shows it; how a page crashed is known to the app; and an app without a window opens none for
// others.
func (s *Session) withAppState(err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	app, windows := s.browser.App()
	if app == nil || !ok {
		return err
	}
	copied := *f
	switch {
	case f.Code == fault.Timeout:
		copied.Hint = strings.TrimSpace(f.Hint +
			" `electron status` says whether the app's main process is busy, or waits in a native dialog.")
	case f.Code == fault.PageCrashed:
		copied.Hint = strings.TrimSpace(f.Hint + " `electron logs` has what the app said of it, and its crash report.")
	case windows == 0 && engine.IsOpensNoTabs(err):
		copied.Message = app.AppName + " has no window, and only the app itself opens one"
		copied.Hint = "`electron status` says what it does, `electron logs` what it printed, and `electron menu` what it " +
			"can be asked for. Its first window becomes the session's tab."
	}
	return &copied
}

// execIn runs a command in another session, in turn with that session's commands.
func (r *runner) execIn(ctx context.Context, session string, in *actions.Input) (actions.Result, error) {
	s := r.manager.existing(session)
	if s == nil {
		return actions.Result{}, fault.New(fault.SessionInvalid, "there is no session %s", session).About(session)
	}
	if _, err := r.manager.session(session, ""); err != nil {
		return actions.Result{}, fault.New(fault.SessionInvalid, "session %s: %s", session, fault.MessageOf(err)).
			About(session)
	}
	defer r.manager.leave(s)
	there := s.runner(r.req, nil, r.owner)
	there.session.Launch, there.session.Rest = r.session.Launch, r.session.Rest
	there.lifetime, there.queueRows = s.browser.Lifetime.Current(), true
	res, err := there.gate(ctx, in)
	if res.Held {
		return actions.Result{}, fault.New(fault.ConfirmationRequired, "`%[2]s` needs confirmation in session %[1]s", session,
			in.Name()).About(session)
	}
	return res, err
}
