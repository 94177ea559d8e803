package session

import (
	"cmp"
	"maps"
	"slices"
)

// TabInfo is an open tab of a session.
type TabInfo struct {
	Session, ID, Label, URL, Title string
	Active                         bool
}

// Tabs returns the open tabs of all sessions, in the order of the sessions' names.
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
