package desktop

import (
	"context"
	"strconv"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
)

// Apps is the host's service for commands about desktop apps.
type Apps interface {
	// Launcher returns what launches apps and ends them. It is made when it is first asked for.
	Launcher() (*electron.Launcher, error)
	// AttachApp attaches the session to a launched app in place of the browser that it has. Target, the id of a window or
	// webview, becomes the active tab; empty means the newest.
	AttachApp(ctx context.Context, app electron.Record, target string) error
	// WindowsInApp returns how a person sees the targets of the session's app, by target ID.
	WindowsInApp(ctx context.Context, targetIDs []string) map[string]*electron.WindowFacts
	// LeaveApp closes a session if it works in the app of the launch.
	LeaveApp(ctx context.Context, session, launchID string) error
}

func apps(c *actions.Call) Apps { return actions.Service[Apps](c) }

// host is the process that runs a call, as the owner of its apps.
type host struct{ call *actions.Call }

// Launcher returns what launches apps.
func (h host) Launcher() (*electron.Launcher, error) { return apps(h.call).Launcher() }

// Attached returns the session of this host that works in an app.
func (h host) Attached(app *electron.Record) lifecycle.Session {
	if app.SessionName == "" || h.call.Host.AppOf(app.SessionName) != app.LaunchID {
		return nil
	}
	return &session{call: h.call, name: app.SessionName}
}

// Closer returns a function that closes the session unless it has moved to another app since.
func (h host) Closer(app *electron.Record) func(context.Context, string) error {
	return func(ctx context.Context, session string) error {
		return apps(h.call).LeaveApp(ctx, session, app.LaunchID)
	}
}

// Reattach names the command that attaches to an app.
func (h host) Reattach(app *electron.Record) string {
	return "`connect " + strconv.Itoa(app.Port) + "` attaches to it again."
}

// connectCommand is the command that attaches to an app on port 9222.
func connectCommand(c *actions.Call) string { return c.Program() + " connect 9222" }

// session is a session of this host.
type session struct {
	call  *actions.Call
	name  string
	limit time.Duration // of a command; 0 means the usual one
}

func (s *session) Name() string { return s.name }

// Attach attaches the call's own session.
func (s *session) Attach(ctx context.Context, app *electron.Record, target string) error {
	return apps(s.call).AttachApp(ctx, *app, target)
}

// Run runs a command line when it is the session's turn.
func (s *session) Run(ctx context.Context, words ...string) (lifecycle.Answer, error) {
	if s.limit > 0 {
		words = append(words, "--timeout", strconv.FormatInt(s.limit.Milliseconds(), 10))
	}
	in, err := s.call.Parse(words)
	if err != nil {
		return lifecycle.Answer{}, err
	}
	var res actions.Result
	if s.name == s.call.Session.Name() {
		res, err = s.call.CarryOut(ctx, in)
	} else {
		res, err = s.call.ExecIn(ctx, s.name, in)
	}
	return lifecycle.Answer{Data: res.Data, Text: res.Text}, err
}

// Eval runs a script in the active page.
func (s *session) Eval(ctx context.Context, script string) (lifecycle.Answer, error) {
	return s.Run(ctx, "eval", script)
}
