package session

import (
	"strings"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/actions"
)

// idleFlag is the global flag for the host's idle timeout.
const idleFlag = "idle-timeout"

// idleSetting is the host's idle timeout. All sessions share it: a command may set it while no session is open, and it applies until the last session
// closes.
type idleSetting struct {
	initial time.Duration // from the host's start
	current atomic.Int64
}

func (i *idleSetting) init(own time.Duration) {
	i.initial = own
	i.current.Store(int64(own))
}

// IdleTimeout returns the current idle timeout; 0: never. It does not block.
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
		return in.Source(idleFlag) + " " + in.String(idleFlag) + " is ignored: the host keeps its idle timeout of " + formatDuration(now) +
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
func (m *Manager) noteActivity() { m.lastActivity.Store(time.Now().UnixNano()) }

// Busy reports whether a person has worked in a session within the idle timeout, or one is waited for.
func (m *Manager) Busy() bool {
	if m.handedOver() {
		return true
	}
	last := m.lastActivity.Load()
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
