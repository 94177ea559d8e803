package session

import (
	"github.com/skua-browser/skua/actions"
)

// laneOf returns the tab in which a command works alone, so that commands for other tabs may run beside it. It is empty for a command that has the
// session for itself: one whose definition does not say that it works in its tab alone, and any that has to start, restore or replace something
// first. The tab is that of --tab, else the active one at this moment: a tab that becomes active later does not change it.
func (s *callSession) laneOf(in *actions.Input) string {
	if !in.Command().Effect.Has(actions.InTab) {
		return ""
	}
	tab := s.tabOf(in, "")
	s.mu.Lock()
	lease, whole := s.lease, s.loss != nil || s.browserLostErr != nil || s.lostTabErr != nil
	s.mu.Unlock()
	switch {
	case tab == nil, whole, lease == nil, lease.browser.Err() != nil, tab.Page.Err() != nil:
		return ""
	case len(s.launch.DiffersFrom(lease.launch)) > 0, len(s.launch.MissingRules(lease.launch)) > 0:
		return ""
	}
	return tab.ID
}
