package session

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

// tabSession is a session for a command with --tab: the named tab takes the place of the active one for this command only.
type tabSession struct {
	*callSession
	name string
}

var _ actions.Session = (*tabSession)(nil)

// Tab returns the named tab. It starts a browser only if that restores the tab.
func (s *tabSession) Tab(ctx context.Context) (tab *actions.Tab, err error) {
	err = s.withBrowserRetry(ctx, func() (err error) {
		tab, err = s.find(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return tab, nil
}

func (s *tabSession) find(ctx context.Context) (*actions.Tab, error) {
	s.lost = s.reap(ctx) || s.lost
	tab, err := s.FindTab(s.name)
	s.mu.Lock()
	was, gone := s.gone[s.name]
	s.mu.Unlock()
	switch {
	case err != nil && gone:
		return nil, tabGone(s.name, was)
	case err != nil:
		return nil, err
	}
	return s.ensureUsable(ctx, tab, s.recovery)
}

// Tabs returns the open tabs and the named one, which is nil if it is gone.
func (s *tabSession) Tabs() ([]*actions.Tab, *actions.Tab) {
	tabs, _ := s.callSession.Tabs()
	named, _ := s.FindTab(s.name)
	return tabs, named
}

// CloseTab closes the named tab, unless the command names another one.
func (s *tabSession) CloseTab(ctx context.Context, name string) (closed, active *actions.Tab, err error) {
	if name == "" {
		name = s.name
	}
	return s.callSession.CloseTab(ctx, name)
}

// goneTab is a tab that was closed.
type goneTab struct{ target, url string }

// maxGoneTabs is how many closed tabs are remembered for messages.
const maxGoneTabs = 1000

// rememberGoneLocked remembers a closed tab for later error messages.
func (s *Session) rememberGoneLocked(t *actions.Tab) {
	if len(s.gone) >= maxGoneTabs {
		clear(s.gone)
	}
	delete(s.checkpoint.offsets, t.ID)
	s.gone[t.ID] = goneTab{target: t.Page.ID(), url: t.Page.URL()}
}

// tabGone is the error of a command for a closed tab. It starts with the words that callers of agent-browser match on.
func tabGone(id string, was goneTab) error {
	return fault.New(fault.TabGone, "tab_gone: tab %s is gone (target %s, last url %s).", id, was.target, was.url).About(id).
		WithHint("Run `tab new <url>` to open another one, or `tab list` to pick an open one.").
		With("targetId", was.target).With("lastUrl", was.url)
}

// pin binds the session to its active tab, or ends that. When a pinned tab closes, commands fail until the caller picks another one.
func (s *Session) pin(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pinned = on
	if !on {
		s.lostTabErr = nil
	}
}
