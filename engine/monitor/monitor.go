package monitor

import (
	"context"
	"sync"

	"github.com/skua-browser/skua/internal/fault"
)

// Monitor is a lock whose holders can wake those who wait for a condition of what it guards.
type Monitor struct {
	sync.Mutex
	owner   Owner
	changed chan struct{} // closed and replaced by Broadcast when a waiter may find something new
	waiters int
}

// Owner is whose state a monitor guards.
type Owner struct {
	Err   func() error    // why waiting is no longer useful, or nil; called with the lock held
	Ended <-chan struct{} // closed when nothing changes any longer; Cause says why
	Cause func() error
}

// New returns the monitor of an owner.
func New(owner Owner) *Monitor {
	return &Monitor{owner: owner, changed: make(chan struct{})}
}

// Do calls fn with the lock held.
func (m *Monitor) Do(fn func()) {
	m.Lock()
	defer m.Unlock()
	fn()
}

// Broadcast wakes everyone in Await. The caller holds the lock.
func (m *Monitor) Broadcast() {
	if m.waiters > 0 {
		close(m.changed)
		m.changed = make(chan struct{})
	}
}

// Await waits until cond, which is called with the lock held, is true. It ends with the owner's error when there is
// one.
func (m *Monitor) Await(ctx context.Context, what string, cond func() bool) error {
	return m.AwaitUnless(ctx, what, m.owner.Err, cond)
}

// AwaitUnless waits until cond is true, or ends with what fails returns. Both are called with the lock held.
func (m *Monitor) AwaitUnless(ctx context.Context, what string, fails func() error, cond func() bool) error {
	m.Lock()
	for {
		if cond() {
			m.Unlock()
			return nil
		}
		if err := fails(); err != nil {
			m.Unlock()
			return err
		}
		ch := m.changed
		m.waiters++
		m.Unlock()
		var err error
		select {
		case <-ch:
		case <-ctx.Done():
			err = fault.WaitEnded(ctx, what)
		case <-m.owner.Ended:
			err = m.owner.Cause()
		}
		m.Lock()
		m.waiters--
		if err != nil {
			m.Unlock()
			return err
		}
	}
}
