package session

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
)

// inTab is a session as a command with --tab sees it: the tab that is named takes the place of the active one, for this command alone.
type inTab struct {
	*inCall
	name string
}

var _ actions.Session = (*inTab)(nil)

// Tab returns the tab that was named. It starts a browser only where that gives the tab back.
func (s *inTab) Tab(ctx context.Context) (tab *actions.Tab, err error) {
	err = s.inSound(ctx, func() (err error) {
		tab, err = s.find(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return tab, nil
}

func (s *inTab) find(ctx context.Context) (*actions.Tab, error) {
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
	return s.wake(ctx, tab, s.how)
}

// Tabs returns the open tabs and the one that was named, which is nil when it is gone.
func (s *inTab) Tabs() ([]*actions.Tab, *actions.Tab) {
	tabs, _ := s.inCall.Tabs()
	named, _ := s.FindTab(s.name)
	return tabs, named
}

// CloseTab closes the tab that was named, unless the command itself says which.
func (s *inTab) CloseTab(ctx context.Context, name string) (closed, active *actions.Tab, err error) {
	if name == "" {
		name = s.name
	}
	return s.inCall.CloseTab(ctx, name)
}

// goneTab is a tab that was closed.
type goneTab struct{ target, url string }

// maxGoneTabs is how many closed tabs are remembered for messages.
const maxGoneTabs = 1000

// rememberGoneLocked keeps what a tab was, for those who ask for it later.
func (s *Session) rememberGoneLocked(t *actions.Tab) {
	if len(s.gone) >= maxGoneTabs {
		clear(s.gone)
	}
	delete(s.seen.offsets, t.ID)
	s.gone[t.ID] = goneTab{target: t.Page.ID(), url: t.Page.URL()}
}

// tabGone is the error of a command that is meant for a tab which was closed. It keeps the words that callers of agent-browser match on.
func tabGone(id string, was goneTab) error {
	return fault.New(fault.TabGone, "tab_gone: tab %s is gone (target %s, last url %s).", id, was.target, was.url).About(id).
		WithHint("Run `tab new <url>` to open another one, or `tab list` to pick an open one.").
		With("targetId", was.target).With("lastUrl", was.url)
}

// pin binds the session to its active tab, or ends that: when the tab goes, commands fail until the caller picks another one.
func (s *Session) pin(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pinned = on
	if !on {
		s.lostTab = nil
	}
}
