package daemon

import (
	"sync"
	"time"
)

// spareTime is how long a host stays that nobody needs: long enough for a script whose next command opens a session again.
const spareTime = 1500 * time.Millisecond

// idleTimer calls expire once: when for a whole period no request was running and busy, if there is one, says no, or when for spareTime none was
// and needed, if there is one, says no. A period of 0 never ends. Each request may change it.
type idleTimer struct {
	period func() time.Duration // must not block
	busy   func() bool
	needed func() bool
	expire func()

	mu      sync.Mutex // nothing else is locked under it
	timer   *time.Timer
	since   time.Time // when the period began
	at      time.Time // when the timer is due; zero: it does not run
	active  int       // requests that are running
	begun   uint64    // requests so far
	expired bool
}

func newIdleTimer(period func() time.Duration, busy, needed func() bool, expire func()) *idleTimer {
	if period == nil {
		period = func() time.Duration { return 0 }
	}
	t := &idleTimer{period: period, busy: busy, needed: needed, expire: expire}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.startLocked()
	return t
}

// startLocked begins a period. The caller holds mu.
func (t *idleTimer) startLocked() {
	t.since = time.Now()
	period := t.period()
	if t.needed != nil && (period <= 0 || period > spareTime) {
		period = spareTime
	}
	t.armLocked(period)
}

// armLocked has elapsed called after a time; 0: not at all.
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

// begin counts a request in, or reports false when the host is ending.
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

// end counts a request out.
func (t *idleTimer) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.active--
	if t.active == 0 && !t.expired {
		t.startLocked()
	}
}

// reconsider has it looked soon whether the host is needed still, since that may have changed. It never blocks.
func (t *idleTimer) reconsider() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.needed == nil || t.expired || t.active > 0 || !t.at.IsZero() && time.Until(t.at) <= spareTime {
		return
	}
	t.armLocked(spareTime)
}

// elapsed is called when the timer is due. busy and needed are asked without the lock: they may take locks of their own.
func (t *idleTimer) elapsed() {
	t.mu.Lock()
	begun, since, stop := t.begun, t.since, t.active > 0 || t.expired
	t.mu.Unlock()
	if stop {
		return
	}
	period, rested := t.period(), time.Since(since)
	spare := t.needed != nil && rested >= spareTime && !t.needed()
	over := period > 0 && rested >= period
	busy := over && !spare && t.busy != nil && t.busy()
	t.mu.Lock()
	switch {
	case t.begun != begun || t.active > 0 || t.expired: // a request came in between, and starts the timer at its end
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

// stop ends the timer and turns further requests away.
func (t *idleTimer) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expired = true
	t.disarmLocked()
}
