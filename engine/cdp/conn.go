package cdp

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/skua-browser/skua/internal/fault"
)

// Conn is one connection to a browser. It owns two goroutines, which read and write the transport and end with the
// connection, and one for each subscriber. All methods may be called from any goroutine.
type Conn struct {
	transport Transport
	writer    *writer
	root      *Session
	done      chan struct{}
	workers   sync.WaitGroup    // the reader and the writer
	methods   map[string]string // event names seen; the reader's
	slots     sync.Pool         // of *slot

	mu       sync.Mutex
	nextID   int64
	pending  map[int64]*slot
	sessions map[string]*Session
	loose    map[*Session]struct{} // handles that are bound to no session
	ended    bool
	cause    error // why, set with ended
	skipped  int
}

// errClosed is the cause of an end that we asked for.
var errClosed = errors.New("it was closed from this side")

// NewConn starts to read the transport, which it owns from now on.
func NewConn(t Transport) *Conn {
	c := &Conn{
		transport: t,
		done:      make(chan struct{}),
		methods:   map[string]string{},
		pending:   map[int64]*slot{},
		sessions:  map[string]*Session{},
		loose:     map[*Session]struct{}{},
	}
	c.root = newSession(c, "")
	c.sessions[""] = c.root
	c.writer = newWriter(t)
	c.workers.Add(2)
	go func() {
		defer c.workers.Done()
		c.end(c.read())
	}()
	go func() {
		defer c.workers.Done()
		if err := c.writer.run(c.done); err != nil {
			c.end(err)
		}
	}()
	return c
}

// Root returns the browser's own session.
func (c *Conn) Root() *Session { return c.root }

// Session returns the handle of a flat session, always the same one for an id. The session does not need to be attached
// yet, so that a caller can subscribe before the first event.
func (c *Conn) Session(id string) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[id]
	if s == nil {
		s = newSession(c, id)
		if c.ended {
			s.events.end()
		} else {
			c.sessions[id] = s
		}
	}
	return s
}

// Done returns a channel that is closed when the connection has ended. Subscribers may still be busy with what came
// before.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns nil while the connection is open, then why it ended: a *fault.Error with the code BrowserGone.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		return nil
	}
	return fault.New(fault.BrowserGone, "the connection to the browser ended: %w", c.cause)
}

// Skipped returns how many messages of the browser could not be understood. They were left out.
func (c *Conn) Skipped() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skipped
}

// Close ends the connection and waits until the transport is no longer used. It does not tell the browser to close. It
// returns what the transport's Close returned.
func (c *Conn) Close() error {
	c.end(errClosed)
	err := c.transport.Close()
	c.workers.Wait()
	return err
}

// end ends the connection: every pending call fails at once, every later one too, and subscriptions end behind their
// last event.
func (c *Conn) end(cause error) {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	c.ended, c.cause = true, cause
	for id, p := range c.pending {
		delete(c.pending, id)
		p.finish(outcome{state: stateGone})
	}
	sessions, loose := c.sessions, c.loose
	c.sessions, c.loose = nil, nil
	c.mu.Unlock()

	close(c.done)
	c.writer.stop()
	c.transport.Close() // the cause is what matters; Close returns this error again
	for _, s := range sessions {
		s.events.end()
	}
	for s := range loose {
		s.events.end()
	}
}

// read hands out the messages until the transport ends, and returns why it did.
func (c *Conn) read() error {
	for {
		msg, err := c.transport.Read()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("the browser closed it (%w)", err)
		case err != nil:
			return err
		}
		e, err := parse(msg)
		switch {
		case err != nil:
			c.mu.Lock()
			c.skipped++
			c.mu.Unlock()
		case e.id != 0:
			c.deliverReply(e)
		default:
			c.deliverEvent(e)
		}
	}
}

// deliverReply wakes the caller that waits for the reply, if one still does.
func (c *Conn) deliverReply(e envelope) {
	c.mu.Lock()
	p := c.pending[e.id]
	delete(c.pending, e.id)
	c.mu.Unlock()
	if p == nil {
		return
	}
	if e.failure != nil {
		p.finish(outcome{state: stateRefused, payload: e.failure})
	} else {
		p.finish(outcome{state: stateAnswered, payload: e.result})
	}
}

// deliverEvent queues the event at each subscriber of its session.
func (c *Conn) deliverEvent(e envelope) {
	c.mu.Lock()
	s := c.sessions[string(e.session)]
	c.mu.Unlock()
	if s == nil || s.events.none() {
		return
	}
	s.events.deliver(Event{Method: c.intern(e.method), Params: e.params, SessionID: s.ID()})
}

// maxMethods bounds the memory that made-up event names can take. The protocol has fewer than 300 real ones.
const maxMethods = 2000

// intern returns the method's one string. Only the reader calls it.
func (c *Conn) intern(method []byte) string {
	if s, ok := c.methods[string(method)]; ok {
		return s
	}
	s := string(method)
	if len(c.methods) < maxMethods {
		c.methods[s] = s
	}
	return s
}

// register gives the calls of one session their ids, in order, so that replies find them. It fails all of them or none.
func (c *Conn) register(calls ...*slot) state {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return stateGone
	}
	st := stateWaiting
	for _, p := range calls {
		switch p.failure = p.session.failure; {
		case p.session.detached:
			return stateDetached
		case p.failure != nil:
			st = stateFailed
		case p.session != c.root && p.session.ID() == "":
			p.failure, st = errUnbound, stateFailed
		}
	}
	if st != stateWaiting {
		return st
	}
	for _, p := range calls {
		p.id, p.on = c.freeID(), p.session.ID()
		c.pending[p.id] = p
	}
	return stateWaiting
}

// freeID returns an unused id. Chromium's are 32 bits wide.
func (c *Conn) freeID() int64 {
	for {
		if c.nextID++; c.nextID > math.MaxInt32 {
			c.nextID = 1
		}
		if _, taken := c.pending[c.nextID]; !taken {
			return c.nextID
		}
	}
}

// withdraw takes a call out whose caller no longer waits. It returns false when the call was finished before.
func (c *Conn) withdraw(p *slot) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[p.id] != p {
		return false
	}
	delete(c.pending, p.id)
	return true
}

// fail makes calls of a session fail, until why is nil.
func (c *Conn) fail(s *Session, why *fault.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.failure = why
	if why == nil {
		return
	}
	for id, p := range c.pending {
		if p.session == s {
			delete(c.pending, id)
			p.failure = why
			p.finish(outcome{state: stateFailed})
		}
	}
}

// errUnbound is the failure of calls that are made before the target of the session is attached to.
var errUnbound = fault.New(fault.Internal, "the tab is used before it is attached to")

func (c *Conn) bind(s *Session, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || s.detached {
		return
	}
	delete(c.loose, s)
	s.id.Store(&id)
	s.failure = nil
	c.sessions[id] = s
}

func (c *Conn) unbind(s *Session, why *fault.Error) {
	if why == nil {
		why = errUnbound
	}
	c.fail(s, why)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || s.detached {
		return
	}
	if id := s.ID(); c.sessions[id] == s {
		delete(c.sessions, id)
	}
	s.id.Store(new(""))
	c.loose[s] = struct{}{}
}

// detach ends a session: its pending calls fail, later ones too, and its subscriptions end.
func (c *Conn) detach(s *Session) {
	c.mu.Lock()
	if s.detached {
		c.mu.Unlock()
		return
	}
	s.detached = true
	if id := s.ID(); c.sessions[id] == s {
		delete(c.sessions, id)
	}
	delete(c.loose, s)
	for id, p := range c.pending {
		if p.session == s {
			delete(c.pending, id)
			p.finish(outcome{state: stateDetached})
		}
	}
	c.mu.Unlock()
	s.events.end()
}
