package session

import (
	"time"
)

// Needed reports whether the next command would miss something if the host ended now: a session, a launched app, a task, the dashboard, or what
// somebody has said for a session that is yet to be opened. What the journal tells the next host does not count.
func (m *Manager) Needed() bool {
	m.board.mu.Lock()
	board := m.board.server != nil
	m.board.mu.Unlock()
	if board || m.tasks.Any() || m.apps.running() {
		return true
	}
	m.mu.Lock()
	sessions := make([]*Session, 0, len(m.sessions))
	for _, s := range m.sessions {
		sessions = append(sessions, s)
	}
	m.mu.Unlock()
	for _, s := range sessions {
		if s.needed() {
			return true
		}
	}
	return false
}

// OnChange has fn called whenever Needed may have another answer. It must not block.
func (m *Manager) OnChange(fn func()) (stop func()) { return m.changes.Listen(fn) }

// needed reports whether something of the session would be lost with its host. It waits for nobody.
func (s *Session) needed() bool {
	if s.callers.Load() > 0 || s.taken.Is() {
		return true
	}
	if holder := s.lock.Holder(); holder != nil {
		s.wakeAt(time.UnixMilli(holder.Until))
		return true
	}
	if s.ruling.Any() || s.waiting.any() {
		return true
	}
	s.live.mu.Lock()
	streams := s.live.server != nil
	s.live.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return streams || s.holds != nil || s.bereft != nil || s.lostTab != nil || s.policy != nil || len(s.told) > 0
}

// wakeAt has it looked again whether the host is needed when something ends by itself, of which nobody is told.
func (s *Session) wakeAt(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wakes.Equal(at) {
		return
	}
	s.wakes = at
	time.AfterFunc(time.Until(at), s.manager.changes.Notify)
}
