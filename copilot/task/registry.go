package task

import (
	"context"
	"errors"
	"sync"
)

// ErrCancelled is the cause of a context by which a person ends a task.
var ErrCancelled = errors.New("it was cancelled")

// Registry are the tasks that a host works on at the moment, so that other commands can end them. The zero value has
// none.
type Registry struct {
	mu      sync.Mutex
	running map[string]*atWork // by id
}

type atWork struct {
	session string
	cancel  context.CancelCauseFunc
	done    chan struct{}
}

// Begin registers a task that is worked on in a session. The context is canceled by [Registry.End], with the cause
// given there; the caller calls end when nothing of the work is left.
func (t *Registry) Begin(ctx context.Context, id, session string) (work context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	running := &atWork{session: session, cancel: cancel, done: make(chan struct{})}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running == nil {
		t.running = map[string]*atWork{}
	}
	t.running[id] = running
	return ctx, func() {
		t.mu.Lock()
		delete(t.running, id)
		t.mu.Unlock()
		cancel(nil)
		close(running.done)
	}
}

// End ends the work on a task, and returns what is closed when nothing of it is left; nil means that this host does not
// work on it.
func (t *Registry) End(id string, cause error) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	running := t.running[id]
	if running == nil {
		return nil
	}
	running.cancel(cause)
	return running.done
}

// Any reports whether a task is worked on.
func (t *Registry) Any() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.running) > 0
}

// EndSession ends the work on the tasks of a session.
func (t *Registry) EndSession(session string, cause error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, running := range t.running {
		if running.session == session {
			running.cancel(cause)
		}
	}
}
