package conversation

import (
	"context"
	"sync"
	"time"
)

// idle closes the managed session when it was not used for long, unless the backend itself does.
type idle struct {
	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
	running sync.WaitGroup
}

// rest restarts the timer.
func (i *idle) rest(after time.Duration, end func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stopped {
		return
	}
	if i.timer != nil {
		i.timer.Reset(after)
		return
	}
	i.timer = time.AfterFunc(after, func() {
		i.mu.Lock()
		if i.stopped {
			i.mu.Unlock()
			return
		}
		i.running.Add(1)
		i.mu.Unlock()
		defer i.running.Done()
		end()
	})
}

// stop returns when nothing is being closed any longer.
func (i *idle) stop() {
	i.mu.Lock()
	i.stopped = true
	if i.timer != nil {
		i.timer.Stop()
	}
	i.mu.Unlock()
	i.running.Wait()
}

// Rested begins to count the time in which the managed session is not used. The caller has the turn of managed calls.
func (s *Sessions) Rested() {
	if s.o.Backend.Can().IdleVariable != "" || !s.Managed().Active {
		return
	}
	s.idle.rest(s.o.Limits.ManagedIdle, s.endIdle)
}

// endIdle closes the managed session, unless a call is in it: that call will restart the timer.
func (s *Sessions) endIdle() {
	select {
	case s.Turn <- struct{}{}:
	default:
		return
	}
	defer func() { <-s.Turn }()
	m := s.Managed()
	if !m.Active || !s.End(context.Background(), KeyOf(m)) {
		return
	}
	s.SetManaged(Managed{Name: m.Name, Namespace: m.Namespace})
	s.o.Log.Info("managed session closed, because it was idle", "session", m.Name)
}

// StopIdle ends the count; what is being closed is closed when it returns.
func (s *Sessions) StopIdle() { s.idle.stop() }
