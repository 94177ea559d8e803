package session

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine/fault"
)

// queue lets one command after another work on the session's pages.
type queue struct {
	turn chan struct{}

	mu    sync.Mutex
	busy  string
	since time.Time
}

func newQueue() *queue { return &queue{turn: make(chan struct{}, 1)} }

// enter waits for the caller's turn.
func (q *queue) enter(ctx context.Context, what string) (leave func(), err error) {
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

// taken reports whether a command works in the session.
func (q *queue) taken() bool { return len(q.turn) > 0 }
