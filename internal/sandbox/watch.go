package sandbox

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"
)

// watch waits until the script is done. It ends it when its time is over, the caller gives up, or it has taken too much memory; then it
// waits no longer than Grace.
func (r *run) watch(ctx context.Context, done <-chan struct{}) {
	ticks := time.NewTicker(watchPause)
	defer ticks.Stop()
	heap := newHeap(r.memory)
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			r.overdue()
		case <-ticks.C:
			if r.working.Load() && heap.full() {
				r.end(ScriptError, fmt.Sprintf("The script was ended: it needs more than %d MiB of memory.", heap.most>>20))
			}
		}
		if r.stop.Load() != nil {
			break
		}
	}
	grace := time.NewTimer(Grace)
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
	}
}

// overdue ends the script when its time is over or the caller has given up.
func (r *run) overdue() {
	switch {
	case r.ctx.Err() == nil:
	case errors.Is(context.Cause(r.ctx), errTime):
		r.timedOut()
	default:
		r.end(Aborted, "The script was aborted.")
	}
}

func (r *run) timedOut() {
	r.end(TimedOut, fmt.Sprintf("The script timed out after %d ms.", r.limit.Milliseconds()))
}

// heap is how much the process keeps in memory.
type heap struct {
	most    uint64 // by which it may grow
	sample  []metrics.Sample
	before  uint64
	cleaned time.Time
}

// cleanPause is how long nothing is collected after a collection: when there is garbage only, it comes back at once.
const cleanPause = 50 * time.Millisecond

func newHeap(most uint64) *heap {
	h := &heap{most: most, sample: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
	h.before = h.read()
	return h
}

func (h *heap) read() uint64 {
	metrics.Read(h.sample)
	return h.sample[0].Value.Uint64()
}

func (h *heap) full() bool {
	grown := func() uint64 { return max(h.read(), h.before) - h.before }
	switch now := grown(); {
	case now <= h.most:
		return false
	case time.Since(h.cleaned) < cleanPause && now <= 4*h.most:
		return false
	}
	runtime.GC()
	h.cleaned = time.Now()
	return grown() > h.most
}
