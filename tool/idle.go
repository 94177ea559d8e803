package tool

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/planning"
)

// idle closes the managed session of the native backend when it was not used for long. Of a subprocess, its own host does.
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

// stop returns when nothing is being closed any more.
func (i *idle) stop() {
	i.mu.Lock()
	i.stopped = true
	if i.timer != nil {
		i.timer.Stop()
	}
	i.mu.Unlock()
	i.running.Wait()
}

// rested begins to count the time in which the managed session is not used. The caller has the turn of managed calls.
func (s *sessions) rested() {
	if s.backend.Name() != backend.NameNative || !s.current().Active {
		return
	}
	s.idle.rest(s.tool.limits.ManagedIdle, s.endIdle)
}

// endIdle closes the managed session, unless a call is in it: that call will restart the timer.
func (s *sessions) endIdle() {
	select {
	case s.turn <- struct{}{}:
	default:
		return
	}
	defer func() { <-s.turn }()
	m := s.current()
	if !m.Active || !s.end(context.Background(), keyOf(m)) {
		return
	}
	s.setManaged(planning.Managed{Name: m.Name, Namespace: m.Namespace})
	s.tool.log.Info("managed session closed, because it was idle", "session", m.Name)
}

func keyOf(m planning.Managed) sessionKey {
	key := sessionKey{name: m.Name}
	if m.Namespace != nil {
		key.namespace = *m.Namespace
	}
	return key
}
