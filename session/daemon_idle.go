package session

import (
	"sync"
	"time"
)

// idleTimer calls expire once, when for a whole period no request was running and busy, if there is one, says no. A period
// of 0 never ends.
type idleTimer struct {
	period time.Duration
	busy   func() bool
	expire func()

	mu      sync.Mutex
	timer   *time.Timer
	active  int    // requests that are running
	begun   uint64 // requests so far
	expired bool
}

func newIdleTimer(period time.Duration, busy func() bool, expire func()) *idleTimer {
	t := &idleTimer{period: period, busy: busy, expire: expire}
	t.mu.Lock()
	defer t.mu.Unlock()
	if period > 0 {
		t.timer = time.AfterFunc(period, t.elapsed)
	}
	return t
}

// begin counts a request in, or reports false when the host is ending.
func (t *idleTimer) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.expired {
		return false
	}
	t.active++
	t.begun++
	if t.timer != nil {
		t.timer.Stop()
	}
	return true
}

// end counts a request out.
func (t *idleTimer) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.active--
	if t.active == 0 && t.timer != nil && !t.expired {
		t.timer.Reset(t.period)
	}
}

// elapsed is called at the end of a period. busy is asked without the lock: it may take locks of its own.
func (t *idleTimer) elapsed() {
	t.mu.Lock()
	begun, stop := t.begun, t.active > 0 || t.expired
	t.mu.Unlock()
	if stop {
		return
	}
	busy := t.busy != nil && t.busy()
	t.mu.Lock()
	if t.begun != begun || t.expired {
		t.mu.Unlock() // a request came in between, and started the timer anew at its end
		return
	}
	if busy {
		t.timer.Reset(t.period)
		t.mu.Unlock()
		return
	}
	t.expired = true
	t.mu.Unlock()
	t.expire()
}

// stop ends the timer and turns further requests away.
func (t *idleTimer) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expired = true
	if t.timer != nil {
		t.timer.Stop()
	}
}
