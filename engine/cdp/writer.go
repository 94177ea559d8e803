package cdp

import (
	"bytes"
	"sync"
	"sync/atomic"
	"time"
)

// noDeadline lifts a file's deadline.
var noDeadline time.Time

// writer puts terminated commands on the transport, in the order of send.
//
// A caller writes its own command where that cannot block, which saves a change of goroutines. What does not fit at
// once, and all that is sent while another write is under way, is left to the writer's goroutine: a browser that
// stopped reading must not hold up a caller beyond its deadline.
type writer struct {
	transport Transport
	stream    streamTransport // nil if commands go out one by one
	inline    bool            // the stream can be written without blocking
	wake      chan struct{}
	blocked   atomic.Bool // the goroutine is inside a write

	mu      sync.Mutex
	busy    bool   // a caller is writing, or the goroutine has been woken to
	stopped bool   // nothing is written any longer
	rest    []byte // what is left of a write that did not fit; goes before the queue
	queue   []byte
}

func newWriter(t Transport) *writer {
	w := &writer{transport: t, wake: make(chan struct{}, 1)}
	if s, ok := t.(streamTransport); ok {
		w.stream, w.inline = s, s.triesWrite()
	}
	return w
}

// send writes commands now, or as soon as those before them are written. It does not block and does not keep b. A write
// that fails ends the connection, which its callers learn from there.
func (w *writer) send(b []byte) {
	w.mu.Lock()
	switch {
	case w.stopped:
		w.mu.Unlock()
		return
	case w.busy:
		w.queue = append(w.queue, b...)
		w.mu.Unlock()
		return
	case !w.inline:
		w.busy = true
		w.queue = append(w.queue, b...)
		w.mu.Unlock()
		w.signal()
		return
	}
	w.busy = true
	w.mu.Unlock()

	n, err := w.stream.tryWrite(b)

	w.mu.Lock()
	if err != nil || n < len(b) {
		// After an error the goroutine tries again, meets the same error, and reports it.
		w.rest = append(w.rest, b[n:]...)
	}
	if len(w.rest) == 0 && len(w.queue) == 0 {
		w.busy = false
		w.mu.Unlock()
		return
	}
	w.mu.Unlock()
	w.signal()
}

func (w *writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// stop makes the writer drop what is not written yet, and all that follows.
func (w *writer) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped, w.rest, w.queue = true, nil, nil
}

// run writes what send left, until done is closed or a write fails.
func (w *writer) run(done <-chan struct{}) error {
	var spare []byte
	for {
		select {
		case <-done:
			return nil
		case <-w.wake:
		}
		for {
			w.mu.Lock()
			batch := w.rest
			w.rest = nil
			if len(batch) == 0 {
				batch, w.queue = w.queue, spare[:0]
				spare = nil
			}
			if len(batch) == 0 {
				w.busy = false
				w.mu.Unlock()
				break
			}
			w.mu.Unlock()
			w.blocked.Store(true)
			err := w.write(batch)
			w.blocked.Store(false)
			if err != nil {
				return err
			}
			if cap(batch) <= keepBuffer {
				spare = batch
			}
		}
	}
}

// write blocks until the commands are written.
func (w *writer) write(b []byte) error {
	if w.stream != nil {
		return w.stream.writeStream(b)
	}
	for len(b) > 0 {
		n := bytes.IndexByte(b, 0)
		if err := w.transport.Write(b[:n]); err != nil {
			return err
		}
		b = b[n+1:]
	}
	return nil
}
