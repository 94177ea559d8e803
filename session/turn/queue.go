package turn

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// Queue decides when the commands of a session run. Each waits behind those before it that it may not run beside, first
// come, first served.
type Queue struct {
	mu      sync.Mutex
	running []*entry
	waiting []*entry // in the order in which they came
	// by lane: when its last command ended, while another one runs that may have run beside it
	ended map[string]time.Time
}

// entry is a command that runs or waits.
type entry struct {
	what, lane string
	since      time.Time     // when it began to run
	turn       chan struct{} // closed when it is its turn
}

// NewQueue returns an empty queue.
func NewQueue() *Queue { return &Queue{ended: map[string]time.Time{}} }

// beside reports whether two commands may run at the same time.
func (e *entry) beside(o *entry) bool { return e.lane != "" && o.lane != "" && e.lane != o.lane }

// Enter waits for the caller's turn. A lane is the tab that the command works in; empty means that it has the session
// for itself. The command's reply must come before leave is called.
func (q *Queue) Enter(ctx context.Context, what, lane string) (leave func(), err error) {
	e := &entry{what: what, lane: lane}
	q.mu.Lock()
	if ctx.Err() == nil && !q.blockedLocked(e, len(q.waiting)) {
		q.beginLocked(e)
		q.mu.Unlock()
		return func() { q.leave(e) }, nil
	}
	e.turn = make(chan struct{})
	q.waiting = append(q.waiting, e)
	q.mu.Unlock()
	select {
	case <-e.turn:
		return func() { q.leave(e) }, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.Index(q.waiting, e)
	if at < 0 { // its turn came at the same moment
		return func() { q.leave(e) }, nil
	}
	behind := q.behindLocked(e, at)
	q.waiting = slices.Delete(q.waiting, at, at+1)
	q.admitLocked() // those that waited behind this one alone
	if cause := context.Cause(ctx); fault.CodeOf(cause) != fault.Timeout || behind == nil {
		return nil, cause
	}
	return nil, fault.New(fault.Timeout, "timed out behind `%s`, which has been running in this session for %s",
		behind.what, time.Since(behind.since).Round(time.Second)).
		WithHint("Wait for it, or end it with `close`.")
}

// blockedLocked reports whether a command has to wait: for one that runs, or for one of the first n that wait, which
// came before it.
func (q *Queue) blockedLocked(e *entry, n int) bool {
	inTheWay := func(o *entry) bool { return !e.beside(o) }
	return slices.ContainsFunc(q.running, inTheWay) || slices.ContainsFunc(q.waiting[:n], inTheWay)
}

// behindLocked is the running command that keeps one from running that waits at a place: itself, or the one that it
// waits behind.
func (q *Queue) behindLocked(e *entry, at int) *entry {
	for _, o := range q.running {
		if !e.beside(o) {
			return o
		}
	}
	for i, w := range q.waiting[:at] {
		if !e.beside(w) {
			return q.behindLocked(w, i)
		}
	}
	return nil
}

func (q *Queue) beginLocked(e *entry) {
	if len(q.running) == 0 {
		clear(q.ended)
	}
	e.since = time.Now()
	q.running = append(q.running, e)
}

// admitLocked lets those run whose turn it is.
func (q *Queue) admitLocked() {
	for i := 0; i < len(q.waiting); {
		e := q.waiting[i]
		if q.blockedLocked(e, i) {
			i++
			continue
		}
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.beginLocked(e)
		close(e.turn)
	}
}

func (q *Queue) leave(e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.Index(q.running, e)
	if at < 0 {
		return // abandoned
	}
	q.running = slices.Delete(q.running, at, at+1)
	if len(q.running) > 0 && e.lane != "" {
		q.ended[e.lane] = time.Now()
	}
	q.admitLocked()
}

// unwindLimit is how long a command of a session that was closed may take to notice it. Commands that reach the browser
// take milliseconds.
const unwindLimit = time.Second

// Abandon lets go of the commands that run now, because the session was closed and their contexts have ended: one that
// is stuck where it cannot be interrupted, such as in a file system that does not answer, does not keep its turn for
// ever. Commands that end in time leave as always.
func (q *Queue) Abandon() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.running) == 0 {
		return
	}
	stale := slices.Clone(q.running)
	time.AfterFunc(unwindLimit, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.running = slices.DeleteFunc(q.running, func(e *entry) bool { return slices.Contains(stale, e) })
		q.admitLocked()
	})
}

// Busy reports whether a command runs in the session.
func (q *Queue) Busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.running) > 0
}

// At reports whether a command runs in the lane, or has run there since a time at which another one ran in the session
// already.
func (q *Queue) At(lane string, since time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if ended, ok := q.ended[lane]; ok && !ended.Before(since) {
		return true
	}
	return slices.ContainsFunc(q.running, func(e *entry) bool { return e.lane == lane })
}
