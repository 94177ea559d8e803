package cdp

import (
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// queue holds the events of one subscriber, in order and without bound, so that the reader never waits for it.
type queue struct {
	method  string        // the only one wanted, or empty for all
	wake    chan struct{} // holds one
	ending  chan struct{} // closed when no event comes any longer
	stopped chan struct{} // closed when the subscriber wants no more

	mu        sync.Mutex
	items     []Event
	isEnding  bool
	isStopped bool
}

func newQueue(method string) *queue {
	return &queue{method: method, wake: make(chan struct{}, 1), ending: make(chan struct{}), stopped: make(chan struct{})}
}

// push adds an event. It never blocks.
func (q *queue) push(ev Event) {
	q.mu.Lock()
	if q.isEnding || q.isStopped {
		q.mu.Unlock()
		return
	}
	q.items = append(q.items, ev)
	first := len(q.items) == 1
	q.mu.Unlock()
	if first {
		select {
		case q.wake <- struct{}{}:
		default:
		}
	}
}

// end says that no event follows.
func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.isEnding {
		q.isEnding = true
		close(q.ending)
	}
}

// stop drops what is queued.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.isStopped {
		q.isStopped = true
		q.items = nil
		close(q.stopped)
	}
}

// keepItems is the length from which the space of a burst is not kept.
const keepItems = 1024

// each calls fn with the events as they come, until the queue is stopped, or has ended and is empty.
func (q *queue) each(fn func(Event)) {
	var batch []Event
	for {
		q.mu.Lock()
		batch, q.items = q.items, batch[:0]
		ending := q.isEnding
		q.mu.Unlock()
		for i := range batch {
			select {
			case <-q.stopped:
				return
			default:
			}
			fn(batch[i])
			batch[i] = Event{} // lets go of the message
		}
		switch {
		case len(batch) > keepItems:
			batch = nil
		case len(batch) > 0:
		case ending:
			return
		default:
			select {
			case <-q.wake:
			case <-q.ending:
			case <-q.stopped:
				return
			}
		}
	}
}

// feed sends params to the subscriber's channel. Behind the end it waits for a limited time only, so that a subscriber
// that went away without a word does not hold the queue forever.
func (q *queue) feed(ch chan<- jsonv2.Value, params jsonv2.Value) {
	select {
	case ch <- params:
		return
	case <-q.stopped:
		return
	case <-q.ending:
	}
	patience := time.NewTimer(lastEventsPatience)
	defer patience.Stop()
	select {
	case ch <- params:
	case <-q.stopped:
	case <-patience.C:
		q.stop()
	}
}
