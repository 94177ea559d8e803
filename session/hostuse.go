package session

import (
	"time"
)

// InUse reports whether something would be lost if the host ended now: a session, a launched app, a task, the dashboard, or rules for a session that
// is not open yet. What the ledger restores does not count.
func (m *Manager) InUse() bool {
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
		if s.inUse() {
			return true
		}
	}
	return false
}

// OnChange calls fn whenever InUse may have changed. fn must not block.
func (m *Manager) OnChange(fn func()) (stop func()) { return m.changes.Listen(fn) }

// inUse reports whether something of the session would be lost with its host. It does not block.
func (s *Session) inUse() bool {
	if s.callers.Load() > 0 || s.takeover.Active() {
		return true
	}
	if holder := s.lock.Holder(); holder != nil {
		s.recheckAt(time.UnixMilli(holder.Until))
		return true
	}
	if s.ruling.Any() || s.pending.any() {
		return true
	}
	s.stream.mu.Lock()
	streams := s.stream.server != nil
	s.stream.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return streams || s.lease != nil || s.browserLostErr != nil || s.lostTabErr != nil || s.dialogPolicy != nil || len(s.notices) > 0
}

// recheckAt rechecks InUse when a lock expires, which causes no event.
func (s *Session) recheckAt(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recheck.Equal(at) {
		return
	}
	s.recheck = at
	time.AfterFunc(time.Until(at), s.manager.changes.Notify)
}
