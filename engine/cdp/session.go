package cdp

import (
	"context"
	"sync/atomic"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/internal/fault"
)

// Session is one flat protocol session of a connection. The typed commands and events of cdproto work on it:
// protocol.Call and protocol.Events take it as their session.
type Session struct {
	conn   *Conn
	id     atomic.Pointer[string] // changed under Conn.mu
	events *subscribers

	// Guarded by Conn.mu.
	detached bool
	failure  *fault.Error
}

var _ protocol.Session = (*Session)(nil)

func newSession(c *Conn, id string) *Session {
	s := &Session{conn: c, events: &subscribers{}}
	s.id.Store(&id)
	return s
}

// NewSession returns a handle for a target before a session is attached to it. Its calls fail until it is bound to that
// session, so a caller that holds the handle does not need the session's id.
func (c *Conn) NewSession() *Session {
	s := newSession(c, "")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		s.events.end()
	} else {
		c.loose[s] = struct{}{}
	}
	return s
}

// Sibling returns the handle of another flat session of the same connection, always the same one for an id.
func (s *Session) Sibling(id string) *Session { return s.conn.Session(id) }

// Bind makes the handle, which is bound to nothing, that of the session with the id. Its tap is to be set before.
func (s *Session) Bind(id string) { s.conn.bind(s, id) }

// Unbind takes the handle from its session, which goes on in the browser until that is told: calls that wait for a
// reply fail with why, if that is given, and later ones too until it is bound again. Subscriptions go on.
func (s *Session) Unbind(why *fault.Error) { s.conn.unbind(s, why) }

// ID returns the protocol's id of the session, which is empty for the browser's own and while the handle is bound to
// none.
func (s *Session) ID() string { return *s.id.Load() }

// Call runs a command and decodes its result into result, unless that is nil. params may be nil, raw JSON (jsonv2.Value
// or []byte) which is written as it is, or a value to marshal.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	raw, err := s.CallRaw(ctx, method, params)
	if err != nil {
		return err
	}
	return decodeResult(method, raw, result)
}

// CallRaw is [Session.Call] with the result still encoded, a part of the message that brought it.
func (s *Session) CallRaw(ctx context.Context, method string, params any) (jsonv2.Value, error) {
	if ctx.Err() != nil {
		return nil, unsentFault(ctx, s, method)
	}
	p := newSlot(s, method)
	if err := s.write(p, params); err != nil {
		p.release()
		return nil, err
	}
	if changes(method) {
		Changing(ctx)
	}
	return p.wait(ctx)
}

// write sends one command.
func (s *Session) write(p *slot, params any) error {
	out := newOutgoing()
	defer out.release()
	encoded, err := encodeParams(p.method, params)
	if err != nil {
		return err
	}
	if st := s.conn.register(p); st != stateWaiting {
		return endFault(st, p, false)
	}
	out.add(p.id, p.on, p.method, encoded)
	s.conn.writer.send(out.b)
	return nil
}

// Start writes a command and does not wait for its reply. Commands are written in the order of their calls. Who does
// not want the reply may drop the Pending.
func (s *Session) Start(method string, params any) *Pending {
	p := newSlot(s, method)
	if err := s.write(p, params); err != nil {
		p.release()
		return &Pending{err: err}
	}
	return newPending(p)
}

// Call is one command of a [Session.Batch].
type Call struct {
	Method string
	Params any // as in [Session.Call]
}

// Batch writes commands one after the other, with no other command between them and in one write where the transport
// allows it. It returns a Pending for each. If the parameters of one cannot be encoded, none is written.
func (s *Session) Batch(calls ...Call) []*Pending {
	if len(calls) == 0 {
		return nil
	}
	slots := make([]*slot, len(calls))
	params := make([][]byte, len(calls))
	for i, call := range calls {
		var err error
		if params[i], err = encodeParams(call.Method, call.Params); err != nil {
			return failedBatch(slots[:i], len(calls), func(int) error { return err })
		}
		slots[i] = newSlot(s, call.Method)
	}
	if st := s.conn.register(slots...); st != stateWaiting {
		return failedBatch(slots, len(calls), func(i int) error { return endFault(st, slots[i], false) })
	}
	out := newOutgoing()
	defer out.release()
	pending := make([]*Pending, len(calls))
	for i, p := range slots {
		out.add(p.id, p.on, p.method, params[i])
		pending[i] = newPending(p)
	}
	s.conn.writer.send(out.b)
	return pending
}

// failedBatch gives back the slots of a batch that is not written.
func failedBatch(slots []*slot, n int, fail func(i int) error) []*Pending {
	pending := make([]*Pending, n)
	for i := range pending {
		pending[i] = &Pending{err: fail(i)}
	}
	for _, p := range slots {
		p.release()
	}
	return pending
}

// Subscribe returns a channel that the parameters of each event of the method arrive on from now on, in order, and a
// function that ends the subscription. Events wait in a queue without bound until they are received. The channel is
// closed when the subscription, the session or the connection ends; in the last two cases the events that came before
// are still there to be received. Each subscription must be canceled or received to its end.
func (s *Session) Subscribe(method string) (events <-chan jsonv2.Value, cancel func()) {
	return s.events.channel(method)
}

// Handle calls fn with every event of the session from now on, in order and on one goroutine of its own, behind a queue
// without bound. It ends with the session or the connection, after the last event that came before, or when stop is
// called. No call of fn begins after stop has returned, but stop does not wait for one that is under way, so that fn
// may call it. A reply does not wait for handlers: its caller may have it before they have seen the events in front of
// it. Where that matters, use [Session.Tap].
func (s *Session) Handle(fn func(Event)) (stop func()) {
	return s.events.handle(fn)
}

// Tap sets the one function that sees all events of the session on the connection's reader: who has a reply has seen
// every event that the browser sent before it. fn must be short, and must neither block nor wait for a reply, which
// would end all traffic of the connection. To miss nothing, set it before the session's first command. A later Tap
// replaces it, and nil removes it.
func (s *Session) Tap(fn func(Event)) {
	if fn == nil {
		s.events.tap.Store(nil)
		return
	}
	s.events.tap.Store(&fn)
}

// Fail makes the pending calls of the session fail with why, and later ones too until Fail(nil). It is for a target
// that is known not to answer and may come back, such as a page whose renderer crashed: the browser keeps such calls
// for ever.
func (s *Session) Fail(why *fault.Error) { s.conn.fail(s, why) }

// Detached tells the session that the browser has detached it, so that its pending and later calls fail at once with
// the code PageGone and its subscriptions end. The browser's own session cannot be detached.
func (s *Session) Detached() {
	if s != s.conn.root {
		s.conn.detach(s)
	}
}
