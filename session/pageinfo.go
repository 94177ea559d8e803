package session

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/skua-browser/skua/actions"
)

// TabInfo describes an open tab of a session.
type TabInfo struct {
	Session, ID, Label, URL, Title string
	Active                         bool
}

// Tabs returns the open tabs of all sessions, sorted by session name.
func (m *Manager) Tabs() []TabInfo {
	m.mu.Lock()
	sessions := slices.SortedFunc(maps.Values(m.sessions), func(a, b *Session) int { return cmp.Compare(a.name, b.name) })
	m.mu.Unlock()
	var all []TabInfo
	for _, s := range sessions {
		open := s.browser.View()
		for _, t := range open.Tabs {
			all = append(all, TabInfo{
				Session: s.name,
				ID:      t.ID,
				Label:   t.Label,
				URL:     t.Page.URL(),
				Title:   t.Page.Title(),
				Active:  t == open.Active,
			})
		}
	}
	return all
}

// PageInfo is the page that a session shows, as the browser last reported it.
type PageInfo struct{ Tab, URL, Title string }

// currentPage returns the page of the active tab without asking it, or nil.
func (s *Session) currentPage() *PageInfo {
	open := s.browser.View()
	if open.Lease == nil || open.Lease.Browser.Err() != nil || open.Active == nil || open.Active.Page.Err() != nil {
		return nil
	}
	return pageOf(open.Active)
}

// pageWorkedIn returns the page of the tab that --tab named for a command; nil means that the command named none, or
// the tab is gone.
func (s *callSession) pageWorkedIn(in *actions.Input) *PageInfo {
	if !in.Has("tab") || !in.Command().OneTab() {
		return nil
	}
	tab, err := s.FindTab(in.String("tab"))
	if err != nil || tab.Page.Err() != nil {
		return nil
	}
	return pageOf(tab)
}

// refreshTitle asks the page that a command worked in for its title, where the command's own reply does not tell it:
// the page may have changed it during a script or a wait.
func (s *callSession) refreshTitle(ctx context.Context, in *actions.Input) {
	tab := s.ActiveTab()
	if in.Has("tab") {
		tab, _ = s.FindTab(in.String("tab"))
	}
	if tab != nil && tab.Page.Err() == nil && tab.Page.Dialogs().Open() == nil && tab.Page.Loading().To() == "" {
		tab.Page.RefreshTitle(ctx)
	}
}

func pageOf(tab *actions.Tab) *PageInfo {
	return &PageInfo{Tab: tab.ID, URL: tab.Page.URL(), Title: tab.Page.Title()}
}
