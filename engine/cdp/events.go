package cdp

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Event is one event of a session. Params is a part of the message that brought it, and shared by all subscribers: do
// not change it.
type Event struct {
	Method    string
	Params    jsonv2.Value
	SessionID string // empty for the browser's own session
}

// lastEventsPatience is how long a channel whose session or connection has ended waits for its reader to take an event
// that came before.
const lastEventsPatience = 10 * time.Second

// subscribers are the receivers of a session's events.
type subscribers struct {
	mu    sync.Mutex
	ended bool
	list  atomic.Pointer[[]*queue]    // replaced under mu, read without
	tap   atomic.Pointer[func(Event)] // called by the reader itself
}

// none reports whether there are no subscribers.
func (s *subscribers) none() bool {
	list := s.list.Load()
	return s.tap.Load() == nil && (list == nil || len(*list) == 0)
}

// deliver queues the event at every subscriber that wants it.
func (s *subscribers) deliver(ev Event) {
	if tap := s.tap.Load(); tap != nil {
		(*tap)(ev)
	}
	list := s.list.Load()
	if list == nil {
		return
	}
	for _, q := range *list {
		if q.method == "" || q.method == ev.Method {
			q.push(ev)
		}
	}
}

// add puts a queue into the list, or ends it when no event can come any longer.
func (s *subscribers) add(q *queue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		q.end()
		return
	}
	var list []*queue
	if old := s.list.Load(); old != nil {
		list = slices.Clone(*old)
	}
	list = append(list, q)
	s.list.Store(&list)
}

func (s *subscribers) remove(q *queue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.list.Load(); old != nil {
		list := slices.DeleteFunc(slices.Clone(*old), func(other *queue) bool { return other == q })
		s.list.Store(&list)
	}
}

// end ends every subscription behind its last event.
func (s *subscribers) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	if list := s.list.Load(); list != nil {
		for _, q := range *list {
			q.end()
		}
	}
	s.list.Store(nil)
}

// handle starts the goroutine of a handler. It ends with the queue or with stop.
func (s *subscribers) handle(fn func(Event)) (stop func()) {
	q := newQueue("")
	s.add(q)
	go q.each(fn)
	return func() {
		s.remove(q)
		q.stop()
	}
}

// channel starts the goroutine that feeds a channel. It ends with the queue or with cancel, and closes the channel.
func (s *subscribers) channel(method string) (<-chan jsonv2.Value, func()) {
	q := newQueue(method)
	ch := make(chan jsonv2.Value, 16)
	s.add(q)
	go func() {
		defer close(ch)
		q.each(func(ev Event) { q.feed(ch, strict(ev.Params)) })
	}()
	return ch, func() {
		s.remove(q)
		q.stop()
	}
}

// strict returns params in a form that strict decoders take, as cdproto's is one: Chromium may send invalid UTF-8 and
// lone surrogates.
func strict(params jsonv2.Value) jsonv2.Value {
	if utf8.Valid(params) && !bytes.Contains(params, []byte(`\ud`)) && !bytes.Contains(params, []byte(`\uD`)) {
		return params
	}
	clean := params.Clone()
	if clean.Format(options) != nil {
		return params // not JSON at all; the receiver's decoder says so best
	}
	return clean
}
