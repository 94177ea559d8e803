package turn

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine/fault"
)

// Queue runs the commands of a session one after another.
type Queue struct {
	turn chan struct{}

	mu    sync.Mutex
	busy  string
	since time.Time
}

// NewQueue returns an empty queue.
func NewQueue() *Queue { return &Queue{turn: make(chan struct{}, 1)} }

// Enter waits for the caller's turn.
func (q *Queue) Enter(ctx context.Context, what string) (leave func(), err error) {
	select {
	case q.turn <- struct{}{}:
	case <-ctx.Done():
		q.mu.Lock()
		defer q.mu.Unlock()
		if cause := context.Cause(ctx); fault.CodeOf(cause) != fault.Timeout {
			return nil, cause
		}
		return nil, fault.New(fault.Timeout, "timed out behind `%s`, which has been running in this session for %s", q.busy, time.Since(q.since).Round(time.Second)).
			WithHint("Wait for it, or end it with `close`.")
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy, q.since = what, time.Now()
	return func() { <-q.turn }, nil
}

// Busy reports whether a command runs in the session.
func (q *Queue) Busy() bool { return len(q.turn) > 0 }
