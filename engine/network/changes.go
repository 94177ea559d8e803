package network

import (
	"context"
	"sync"
	"time"
)

// changes wakes those who wait for events of a log.
type changes struct {
	mu   *sync.Mutex   // of the log
	came chan struct{} // closed at the next event; nil while no caller waits
}

// extraPatience is how long the facts may take that come on a way of their own, behind the end of their response.
const extraPatience = time.Second

// awaitExtra waits while facts are lacking that come on a way of their own, until ctx ends or they are late.
func (w *changes) awaitExtra(ctx context.Context, lacking func() bool) {
	ctx, cancel := context.WithTimeout(ctx, extraPatience)
	defer cancel()
	w.await(ctx, lacking)
}

// await waits while something is lacking that events bring, until ctx ends. lacking is called with the log locked.
func (w *changes) await(ctx context.Context, lacking func() bool) {
	for ctx.Err() == nil {
		w.mu.Lock()
		if !lacking() {
			w.mu.Unlock()
			return
		}
		if w.came == nil {
			w.came = make(chan struct{})
		}
		came := w.came
		w.mu.Unlock()
		select {
		case <-came:
		case <-ctx.Done():
		}
	}
}

// tell wakes those who wait. The log is locked.
func (w *changes) tell() {
	if w.came != nil {
		close(w.came)
		w.came = nil
	}
}
