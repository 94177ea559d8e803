package sandbox

import (
	"context"
	"runtime"
	"runtime/metrics"
	"time"
)

// watch ends the script when it has taken too much memory, until ctx ends.
func (r *run) watch(ctx context.Context, most uint64) {
	ticks := time.NewTicker(watchPause)
	defer ticks.Stop()
	heap := newHeap(most)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			if heap.full() {
				r.end(tooMuchMemory(most))
				return
			}
		}
	}
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
