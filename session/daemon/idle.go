package daemon

import (
	"sync"
	"time"
)

// unneededGrace is how long a host stays that is not in use: long enough for a script that opens a session again.
const unneededGrace = 1500 * time.Millisecond

// idleTimer calls expire once: when for a whole period no request ran and busy was false, or when for unneededGrace
// none ran and inUse was false. busy and inUse may be nil. A period of 0 never ends. Each request may change the
// period.
type idleTimer struct {
	period func() time.Duration // must not block
	busy   func() bool
	inUse  func() bool
	expire func()

	mu      sync.Mutex // nothing else is locked under it
	timer   *time.Timer
	since   time.Time // when the period began
	at      time.Time // when the timer is due; zero means that it does not run
	active  int       // requests that are running
	begun   uint64    // requests so far
	expired bool
}

func newIdleTimer(period func() time.Duration, busy, needed func() bool, expire func()) *idleTimer {
	if period == nil {
		period = func() time.Duration { return 0 }
	}
	t := &idleTimer{period: period, busy: busy, inUse: needed, expire: expire}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.startLocked()
	return t
}

// startLocked begins a period. The caller holds mu.
func (t *idleTimer) startLocked() {
	t.since = time.Now()
	period := t.period()
	if t.inUse != nil && (period <= 0 || period > unneededGrace) {
		period = unneededGrace
	}
	t.armLocked(period)
}

// armLocked schedules elapsed; 0 means never.
func (t *idleTimer) armLocked(after time.Duration) {
	if after <= 0 {
		t.disarmLocked()
		return
	}
	t.at = time.Now().Add(after)
	if t.timer == nil {
		t.timer = time.AfterFunc(after, t.elapsed)
		return
	}
	t.timer.Reset(after)
}

func (t *idleTimer) disarmLocked() {
	t.at = time.Time{}
	if t.timer != nil {
		t.timer.Stop()
	}
}

// begin counts a request that starts, or returns false if the host is ending.
func (t *idleTimer) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.expired {
		return false
	}
	t.active++
	t.begun++
	t.disarmLocked()
	return true
}

// end counts a request that ends.
func (t *idleTimer) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.active--
	if t.active == 0 && !t.expired {
		t.startLocked()
	}
}

// recheck schedules a check of inUse, which may have changed. It never blocks.
func (t *idleTimer) recheck() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.inUse == nil || t.expired || t.active > 0 || !t.at.IsZero() && time.Until(t.at) <= unneededGrace {
		return
	}
	t.armLocked(unneededGrace)
}

// elapsed runs when the timer fires. It calls busy and inUse without the lock, since they may take other locks.
func (t *idleTimer) elapsed() {
	t.mu.Lock()
	begun, since, stop := t.begun, t.since, t.active > 0 || t.expired
	t.mu.Unlock()
	if stop {
		return
	}
	period, rested := t.period(), time.Since(since)
	spare := t.inUse != nil && rested >= unneededGrace && !t.inUse()
	over := period > 0 && rested >= period
	busy := over && !spare && t.busy != nil && t.busy()
	t.mu.Lock()
	switch {
	case t.begun != begun || t.active > 0 || t.expired: // a request came in between and restarts the timer when it ends
	case spare, over && !busy:
		t.expired = true
		t.mu.Unlock()
		t.expire()
		return
	case over:
		t.since = time.Now()
		t.armLocked(period)
	case period > 0:
		t.armLocked(period - rested)
	default:
		t.disarmLocked()
	}
	t.mu.Unlock()
}

// stop ends the timer and rejects further requests.
func (t *idleTimer) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expired = true
	t.disarmLocked()
}
