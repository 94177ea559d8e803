package console

import "github.com/skua-browser/skua/engine"

// Watch receives messages as they are logged, while they are recorded.
type Watch struct {
	record *record
	ready  chan struct{} // holds a token when there is something to take

	// Guarded by record.mu.
	entries []entry
	dropped int
}

// maxWatched is how many messages a watch keeps for a caller that is slow to take them.
const maxWatched = 200

// NewWatch returns a watch on the messages of the context's pages, to be ended with Stop. It does not enable the
// domains.
func NewWatch(c *engine.Context) *Watch {
	r := records.Of(c)
	w := &Watch{record: r, ready: make(chan struct{}, 1)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watches == nil {
		r.watches = map[*Watch]struct{}{}
	}
	r.watches[w] = struct{}{}
	return w
}

// Ready has a token when there is something to take.
func (w *Watch) Ready() <-chan struct{} { return w.ready }

// Take returns the messages since the last time, and how many were lost meanwhile.
func (w *Watch) Take() (messages []Message, dropped int) {
	w.record.mu.Lock()
	entries, dropped := w.entries, w.dropped
	w.entries, w.dropped = nil, 0
	w.record.mu.Unlock()
	for _, e := range entries {
		if m, ok := e.message(); ok {
			messages = append(messages, m)
		}
	}
	return messages, dropped
}

// Stop ends the watch.
func (w *Watch) Stop() {
	w.record.mu.Lock()
	defer w.record.mu.Unlock()
	delete(w.record.watches, w)
}

// tellWatchesLocked gives a message to the watches. The caller holds r.mu, on the connection's reader.
func (r *record) tellWatchesLocked(e *entry) {
	for w := range r.watches {
		if len(w.entries) >= maxWatched {
			w.entries = w.entries[1:]
			w.dropped++
		}
		w.entries = append(w.entries, *e)
		select {
		case w.ready <- struct{}{}:
		default:
		}
	}
}
