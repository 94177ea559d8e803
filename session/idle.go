package session

import (
	"strings"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/actions"
)

// idleFlag is the global flag that says how long the host stays without a command.
const idleFlag = "idle-timeout"

// idleSetting is how long the host stays without a command. All sessions share the host, so that it is nobody's alone: a command may
// set it as long as no session is open, and then it stays until the last one is closed.
type idleSetting struct {
	own time.Duration // what the host was started with
	now atomic.Int64
}

func (i *idleSetting) init(own time.Duration) {
	i.own = own
	i.now.Store(int64(own))
}

// IdleTimeout returns how long the host is to stay without a command from now on; 0 is for ever. It never blocks.
func (m *Manager) IdleTimeout() time.Duration { return time.Duration(m.idle.now.Load()) }

// wishIdle applies what a command says of the idle timeout, by its flag or its environment, or returns why not.
func (m *Manager) wishIdle(in *actions.Input) (note string) {
	wish, given := m.idle.own, in.Has(idleFlag)
	if given {
		wish = in.Duration(idleFlag)
	}
	now := m.IdleTimeout()
	switch {
	case wish == now:
	case len(m.names()) == 0:
		m.idle.now.Store(int64(wish))
	case given:
		return in.Source(idleFlag) + " " + in.String(idleFlag) + " is ignored: the host keeps its idle timeout of " + readable(now) +
			" as long as sessions are open"
	}
	return ""
}

// readable writes a duration without the parts that are zero: 1h, not 1h0m0s.
func readable(d time.Duration) string {
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

// worked notes that a person works in a session, without a command.
func (m *Manager) worked() { m.lastWork.Store(time.Now().UnixNano()) }

// Busy reports whether a person has worked in a session within the idle timeout.
func (m *Manager) Busy() bool {
	last := m.lastWork.Load()
	return last != 0 && time.Since(time.Unix(0, last)) < m.IdleTimeout()
}
