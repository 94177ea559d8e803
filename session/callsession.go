package session

import (
	"context"
	"net/http"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/task"
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

var _ actions.Session = (*callSession)(nil)

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

// tabSession is a session for a command that works in one tab, which --tab names or which was the active one when the command was asked for.
type tabSession struct {
	*callSession
	tab lifecycle.NamedTab
}

var _ actions.Session = (*tabSession)(nil)

func (s *callSession) in(tab string) *tabSession {
	return &tabSession{s, lifecycle.NamedTab{Use: s.Use, Name: tab}}
}

// Tab returns the tab.
func (s *tabSession) Tab(ctx context.Context) (*actions.Tab, error) { return s.tab.Tab(ctx) }

// Tabs returns the open tabs, and that of the command as the active one; nil if it is gone.
func (s *tabSession) Tabs() ([]*actions.Tab, *actions.Tab) { return s.tab.Tabs() }

// CloseTab closes the tab, unless the command names another one.
func (s *tabSession) CloseTab(ctx context.Context, name string) (closed, active *actions.Tab, err error) {
	return s.tab.CloseTab(ctx, name)
}

// Name returns the session's name.
func (s *callSession) Name() string { return s.name }

// Tasks returns the tasks that run in this host.
func (s *callSession) Tasks() *task.Registry { return &s.manager.tasks }

// States returns the values that packages keep with the session.
func (s *callSession) States() *actions.States { return &s.states }

// Close ends the session.
func (s *callSession) Close(ctx context.Context) error {
	if !s.keepsTurn {
		defer s.queue.Abandon()
	}
	return s.close(ctx)
}

// All returns the names of the sessions that have a browser.
func (s *callSession) All() []string { return s.manager.names() }

// CloseAll closes all sessions of the host except those that are locked with another token.
func (s *callSession) CloseAll(ctx context.Context, token string) ([]string, map[string]error) {
	s.manager.forgetLost()
	return s.manager.closeAll(ctx, func(other *Session) bool {
		freed, _, _ := other.lock.BlockedBy(token)
		return freed != nil
	})
}
