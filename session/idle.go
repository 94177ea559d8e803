package session

import (
	"strings"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/actions"
)

// idleFlag is the global flag for the host's idle timeout.
const idleFlag = "idle-timeout"

// idleSetting is the host's idle timeout. All sessions share it: a command may set it while no session is open, and it
// applies until the last session closes.
type idleSetting struct {
	initial time.Duration // from the host's start
	current atomic.Int64
	person  atomic.Int64 // when a person last worked in a session, in Unix nanoseconds
}

func (i *idleSetting) init(own time.Duration) {
	i.initial = own
	i.current.Store(int64(own))
}

// IdleTimeout returns the current idle timeout; 0 means never. It does not block.
func (m *Manager) IdleTimeout() time.Duration { return time.Duration(m.idle.current.Load()) }

// setIdleTimeout applies a command's --idle-timeout or its variable, or returns a note that says why not.
func (m *Manager) setIdleTimeout(in *actions.Input) (note string) {
	wish, given := m.idle.initial, in.Has(idleFlag)
	if given {
		wish = in.Duration(idleFlag)
	}
	now := m.IdleTimeout()
	switch {
	case wish == now:
	case len(m.names()) == 0:
		m.idle.current.Store(int64(wish))
	case given:
		return in.Source(idleFlag) + " " + in.String(idleFlag) + " is ignored: the host keeps its idle timeout of " +
			formatDuration(now) +
			" as long as sessions are open"
	}
	return ""
}

// formatDuration formats a duration without its zero parts: 1h, not 1h0m0s.
func formatDuration(d time.Duration) string {
	if d == 0 {
		return "0 (never)"
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// noteActivity records that a person works in a session without a command.
func (m *Manager) noteActivity() { m.idle.person.Store(time.Now().UnixNano()) }

// Busy reports whether a person has worked in a session within the idle timeout, or one is waited for.
func (m *Manager) Busy() bool {
	if m.handedOver() {
		return true
	}
	last := m.idle.person.Load()
	return last != 0 && time.Since(time.Unix(0, last)) < m.IdleTimeout()
}

// handedOver reports whether a session waits for a person.
func (m *Manager) handedOver() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.sessions {
		if s.handoffs.Active() {
			return true
		}
	}
	return false
}

// InUse reports whether something would be lost if the host ended now: a session, a launched app, a task, the
// dashboard, or rules for a session that is not open yet. What the ledger restores does not count.
func (m *Manager) InUse() bool {
	m.board.mu.Lock()
	board := m.board.server != nil
	m.board.mu.Unlock()
	if board || m.tasks.Any() || m.apps.running() || m.moves.Coming() {
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
	return streams || s.browser.InUse() || s.notices.Any()
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
