package session

import (
	"cmp"
	"maps"
	"slices"
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
		s.mu.Lock()
		for _, t := range s.tabs {
			all = append(all, TabInfo{Session: s.name, ID: t.ID, Label: t.Label, URL: t.Page.URL(), Title: t.Page.Title(), Active: t == s.active})
		}
		s.mu.Unlock()
	}
	return all
}

// PageInfo is the page that a session shows, as the browser last reported it.
type PageInfo struct{ Tab, URL, Title string }

// currentPage returns the page of the active tab without asking it; nil: there is none.
func (s *Session) currentPage() *PageInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lease == nil || s.lease.browser.Err() != nil || s.active == nil || s.active.Page.Err() != nil {
		return nil
	}
	return &PageInfo{Tab: s.active.ID, URL: s.active.Page.URL(), Title: s.active.Page.Title()}
}
