package session

import (
	"context"
	"net/http"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/copilot"
	"github.com/skua-browser/skua/actions/desktop"
	"github.com/skua-browser/skua/browsers/doctor"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/lifecycle"
)

// callSession is a session as one call sees it: with the call's use of its browser.
type callSession struct {
	*Session
	*lifecycle.Use
	ask       func(ctx context.Context, prompt string, hidden bool) (string, error)
	agent     bool // the call came through the agent_browser tool
	keepsTurn bool // the running command has the session for itself, and goes on behind a `close` among its rows
}

// What families of commands ask of the host by [actions.Service].
var (
	_ desktop.Apps    = sessionHost{}
	_ copilot.Tasks   = sessionHost{}
	_ doctor.HostInfo = sessionHost{}
)

// call returns the session for a call with the launch options and the environment.
func (s *Session) call(l launch.Options, getenv func(string) string) *callSession {
	return &callSession{Session: s, Use: &lifecycle.Use{Browser: s.browser, Launch: l, Getenv: getenv}}
}

// Connect attaches to the browser at an address, in place of the session's current one.
func (s *callSession) Connect(ctx context.Context, address string, header http.Header) error {
	return s.recognizingApp(s.Use.Connect(ctx, address, header))
}

// ConnectAny attaches to a running browser of this machine, in place of the session's current one.
func (s *callSession) ConnectAny(ctx context.Context) error {
	return s.recognizingApp(s.Use.ConnectAny(ctx))
}

// Name returns the session's name.
func (s *callSession) Name() string { return s.name }

// States returns the values that packages keep with the session.
func (s *callSession) States() *actions.States { return &s.states }

// Close ends the session.
func (s *callSession) Close(ctx context.Context) error {
	if !s.keepsTurn {
		defer s.queue.Abandon()
	}
	return s.close(ctx)
}

// scope is the session and its host as commands see them.
func (s *callSession) scope() actions.Scope {
	return actions.Scope{
		Session: s,
		Tabs:    s.Use,
		Browser: s,
		Rules:   sessionRules{s},
		Lock:    sessionLock{s},
		Host: sessionHost{
			callSession: s,
		},
		Live: liveView{s.Session},
	}
}

// sessionHost is the host of the session, with what it has for single families of commands.
type sessionHost struct {
	daemon.HostInfo
	*callSession
}

// Tasks returns the tasks that run in this host.
func (s sessionHost) Tasks() *task.Registry { return &s.manager.tasks }

// All returns the names of the sessions that have a browser.
func (s sessionHost) All() []string { return s.manager.names() }

// CloseAll closes all sessions of the host except those that are locked with another token.
func (s sessionHost) CloseAll(ctx context.Context, token string) ([]string, map[string]error) {
	s.manager.forgetLost()
	return s.manager.closeAll(ctx, func(other *Session) bool {
		freed, _, _ := other.lock.BlockedBy(token)
		return freed != nil
	})
}
