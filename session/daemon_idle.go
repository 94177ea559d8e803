package session

import (
	"sync"
	"time"
)

// idleTimer calls expire once, when for a whole period no request was running and busy, if there is one, says no. A period
// of 0 never ends. Each request may change it.
type idleTimer struct {
	period func() time.Duration // must not block
	busy   func() bool
	expire func()

	mu      sync.Mutex
	timer   *time.Timer
	active  int    // requests that are running
	begun   uint64 // requests so far
	expired bool
}

func newIdleTimer(period func() time.Duration, busy func() bool, expire func()) *idleTimer {
	if period == nil {
		period = func() time.Duration { return 0 }
	}
	t := &idleTimer{period: period, busy: busy, expire: expire}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.startLocked()
	return t
}

// startLocked begins a period. The caller holds mu.
func (t *idleTimer) startLocked() {
	period := t.period()
	switch {
	case period <= 0:
	case t.timer == nil:
		t.timer = time.AfterFunc(period, t.elapsed)
	default:
		t.timer.Reset(period)
	}
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
	if t.active == 0 && !t.expired {
		t.startLocked()
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
		t.startLocked()
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
