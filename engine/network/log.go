package network

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/ring"
)

// Log records what the pages of a context ask for, from [Record] until the context ends. A context without a log costs
// nothing.
//
// Events arrive on the connection's reader, which only notes them; bodies stay in the browser until they are read.
type Log struct {
	ctxt  *engine.Context
	began time.Time

	mu     sync.Mutex
	log    *ring.Buffer[*exchange]
	byID   map[string]*chain
	orphan []string            // ids of chains of which only additional facts are known
	let    map[string]struct{} // ids of requests that were dropped before they ended
	owners map[string]owner    // of service workers, by target id
	clock  clock
	last   int // number of the last exchange that a page remembered
	har    HARRecorder

	changes changes // requests that end, and facts about responses that come later
}

// exchange is an entry of the log.
type exchange struct {
	Exchange
	chain *chain
	sess  *cdp.Session // that knows its body
	holds int          // in how many buffers it is
	size  int64        // as it was told to the buffers
	grown int64        // what has to be told yet

	start, response, end float64 // on the browser's clock, in seconds
	timing               *resourceTiming
	extra                extraState
	har                  *harRecording // that it belongs to
	page                 *HARPage      // of that recording
	body                 *Body         // that it took
	bodyError            string        // why it could not
	taking               bool          // it is about to
	messageBytes         int
}

// chain is a request with the steps of its redirects, and the facts about them that come on a way of their own.
type chain struct {
	steps     []*exchange // of those that no buffer holds any longer, only what is needed to count the facts
	sent, got []map[string]string
	statuses  []int
}

// clock relates the browser's monotonic clock to that of the wall.
type clock struct{ monotonic, wall float64 }

func (c clock) at(monotonic float64) time.Time {
	if c.wall == 0 || monotonic == 0 {
		return time.Now()
	}
	return wallTime(c.wall + monotonic - c.monotonic)
}

func wallTime(seconds float64) time.Time { return time.UnixMicro(int64(seconds * 1e6)) }

// recorder holds the log of a context, if it has one.
type recorder struct{ log atomic.Pointer[Log] }

var recorders = engine.NewState(func(c *engine.Context) *recorder {
	r := &recorder{}
	c.Observe(engine.Observer{Event: r.onEvent, Attached: r.attached})
	return r
})

// Resumed implements [engine.Resumable]: the log ends with the browser.
func (r *recorder) Resumed() (next any, ended string) {
	if r.log.Load() != nil {
		ended = "the log of requests"
	}
	return nil, ended
}

// LogOf returns the log of the context, or nil if it has none.
func LogOf(c *engine.Context) *Log { return recorders.Of(c).log.Load() }

// Record begins the context's log, unless there is one. begun reports that it did: of earlier requests the log has what
// the pages themselves remember.
func Record(ctx context.Context, c *engine.Context, limits ring.Limits) (log *Log, begun bool, err error) {
	r := recorders.Of(c)
	log = &Log{
		ctxt:   c,
		began:  time.Now(),
		log:    ring.New[*exchange](limits),
		byID:   map[string]*chain{},
		let:    map[string]struct{}{},
		owners: map[string]owner{},
	}
	log.har.log = log
	log.changes.mu = &log.mu
	if !r.log.CompareAndSwap(nil, log) {
		log = r.log.Load()
		return log, false, nil
	}
	// It waits for no page: one may hang, and each gets the call before whatever it is asked next.
	err = c.NetworkDomain().Need(ctx, nil, "log", engine.NetworkBuffers{
		Total:    bodiesKept,
		Resource: bodyKept,
		Post:     postDataKept,
	})
	if err != nil {
		r.log.Store(nil)
		return nil, false, err
	}
	log.takeIn(ctx, slices.DeleteFunc(c.Pages(), func(p *engine.Page) bool { return !p.Attached() }))
	return log, true, nil
}

// Limit sets other bounds.
func (l *Log) Limit(limits ring.Limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release(l.log.Limit(limits))
}

// All returns what is recorded, the oldest first, without messages, and how many exchanges had to be dropped.
func (l *Log) All() (all []Exchange, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := l.log.All()
	all = make([]Exchange, len(entries))
	for i, e := range entries {
		all[i] = e.shown()
		all[i].Messages = nil
	}
	return all, l.log.Dropped()
}

// Find returns the exchange with an id. Of a response it waits for the headers as they came over the network,
// Set-Cookie among them, which may be told later than its end, until ctx ends or they are late.
func (l *Log) Find(ctx context.Context, id string) (Exchange, bool) {
	l.changes.awaitExtra(ctx, func() bool {
		e := l.findLocked(id)
		return e != nil && e.lacksExtra()
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.findLocked(id)
	if e == nil {
		return Exchange{}, false
	}
	return e.shown(), true
}

// Finished returns the newest exchange that matches, once it has ended or ctx has. It reports false if none matches.
func (l *Log) Finished(ctx context.Context, matches func(*Exchange) bool) (Exchange, bool) {
	newest := func() *exchange {
		for _, e := range slices.Backward(l.log.All()) {
			if matches(&e.Exchange) {
				return e
			}
		}
		return nil
	}
	l.changes.await(ctx, func() bool {
		e := newest()
		return e == nil || !e.Ended
	})
	l.mu.Lock()
	e := newest()
	l.mu.Unlock()
	if e == nil {
		return Exchange{}, false
	}
	return l.Find(ctx, e.ID)
}

func (l *Log) findLocked(id string) *exchange {
	base, _, _ := strings.Cut(id, ":")
	if c := l.byID[base]; c != nil {
		for _, x := range c.steps {
			if x.ID == id && x.holds > 0 {
				return x
			}
		}
	}
	return nil
}

// Clear empties the log. The recording continues.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	gone := l.log.All()
	l.log.Clear()
	l.release(gone)
}

// maxLet bounds the requests that are known to have been dropped. Later events of others count as of requests from
// before the recording.
const maxLet = 10_000

// release drops entries that a buffer let go. The caller holds l.mu.
func (l *Log) release(gone []*exchange) {
	for _, e := range gone {
		e.holds--
		if e.holds > 0 {
			continue
		}
		c := e.chain
		if i := slices.Index(c.steps, e); i >= 0 {
			c.steps[i] = &exchange{extra: e.extra}
		}
		if slices.ContainsFunc(c.steps, func(o *exchange) bool { return o.holds > 0 }) {
			continue
		}
		base, _, _ := strings.Cut(e.ID, ":")
		if l.byID[base] == c {
			delete(l.byID, base)
		}
		if !e.Ended {
			if len(l.let) >= maxLet {
				clear(l.let)
			}
			l.let[base] = struct{}{}
		}
	}
}

// add puts a new entry into the buffers. The caller holds l.mu.
func (l *Log) add(e *exchange) {
	e.size = e.weight()
	e.holds = 1
	l.har.add(e)
	l.release(l.log.Add(e, e.size))
}

// growStep is from how many bytes on the buffers are told that an entry has grown.
const growStep = 2 << 10

// grow counts bytes that an entry has got since it was added. The caller holds l.mu.
func (l *Log) grow(e *exchange, bytes int) {
	e.grown += int64(bytes)
	if e.grown > -growStep && e.grown < growStep {
		return
	}
	by := e.grown
	e.size, e.grown = e.size+by, 0
	l.release(l.log.Grow(func(o *exchange) bool { return o == e }, by))
	l.har.grow(e, by)
}

// weight is about what an entry takes in memory.
func (e *exchange) weight() int64 {
	const fixed = 1200
	return int64(fixed + len(e.URL) + len(e.DocumentURL) + len(e.PostData) + len(e.Initiator.URL) +
		headersWeight(e.Headers) + headersWeight(e.ResponseHeaders))
}

func headersWeight(h map[string]string) int {
	n := 0
	for k, v := range h {
		n += len(k) + len(v) + 64
	}
	return n
}

// shown is an entry as callers get it: with the facts that came on a way of their own.
func (e *exchange) shown() Exchange {
	x := e.Exchange
	sent, got, status := e.chain.extraOf(e)
	if sent != nil {
		x.Headers = sent
	}
	if got != nil {
		x.ResponseHeaders = got
		if x.Source == "" && status != 0 && x.Status == 0 {
			x.Status = status
		}
	}
	if e.end > e.start && e.start > 0 {
		x.Took = time.Duration((e.end - e.start) * float64(time.Second))
	}
	if !x.Earlier {
		x.Phases = phases(e.timing, e.start, e.response, e.end)
	}
	x.Messages = slices.Clone(e.Messages)
	return x
}

// extraState says whether more facts about an exchange come on a way of their own.
type extraState uint8

const (
	extraUnknown extraState = iota // not told yet
	extraComes
	extraNone
)

// lacksExtra reports whether the headers of the response, as they were on the network, are still to come.
func (e *exchange) lacksExtra() bool {
	if e.extra != extraComes {
		return false
	}
	_, got, _ := e.chain.extraOf(e)
	return got == nil
}

// extraOf finds the facts that belong to a step: the browser tells them in the order of the steps, and not for those
// that never went out.
func (c *chain) extraOf(of *exchange) (sent, got map[string]string, status int) {
	n := 0
	for i, e := range c.steps {
		if e.extra == extraNone {
			if e == of {
				return nil, nil, 0
			}
			continue
		}
		if e == of {
			sending, getting := n, n
			if i == len(c.steps)-1 { // a step that was tried again, with credentials, has more; the last counts
				sending, getting = max(n, len(c.sent)-1), max(n, len(c.got)-1)
			}
			if sending < len(c.sent) {
				sent = c.sent[sending]
			}
			if getting < len(c.got) {
				got, status = c.got[getting], c.statuses[getting]
			}
			return sent, got, status
		}
		n++
	}
	return nil, nil, 0
}
