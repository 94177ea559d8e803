package cdp

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/internal/fault"
)

// state is the state of a call.
type state int

const (
	stateWaiting  state = iota
	stateAnswered       // payload is the result
	stateRefused        // payload is the error object
	stateDetached       // the session ended before the reply
	stateGone           // the connection ended before the reply
	stateFailed         // the session cannot answer: its failure says why
)

// outcome is the result of a call.
type outcome struct {
	state   state
	payload jsonv2.Value
}

// slot is a call that waits for its reply. Whichever goroutine removes it from Conn.pending finishes it; no other may
// touch it. Slots are pooled with their channels, for each connection separately: a channel made inside a
// testing/synctest bubble must not leave it.
type slot struct {
	session *Session
	method  string
	started time.Time
	id      int64
	on      string       // id of the session when the call was made
	failure *fault.Error // of a call that ends with stateFailed
	done    chan outcome // holds one, so that finish never blocks
}

func newSlot(s *Session, method string) *slot {
	p, _ := s.conn.slots.Get().(*slot)
	if p == nil {
		p = &slot{done: make(chan outcome, 1)}
	}
	p.session, p.method, p.started = s, method, time.Now()
	return p
}

// release gives the slot back. Its channel must be empty, and the slot not in Conn.pending.
func (p *slot) release() {
	c := p.session.conn
	p.session, p.method, p.id, p.on, p.failure = nil, "", 0, "", nil
	c.slots.Put(p)
}

// finish hands the outcome to the waiting caller.
func (p *slot) finish(o outcome) { p.done <- o }

// wait returns the result and releases the slot.
func (p *slot) wait(ctx context.Context) (jsonv2.Value, error) {
	defer p.release()
	select {
	case o := <-p.done:
		return p.settle(o)
	case <-ctx.Done():
	}
	if p.session.conn.withdraw(p) {
		return nil, unansweredFault(ctx, p)
	}
	// The reader was faster: the reply is on its way, and a reply that came is one.
	return p.settle(<-p.done)
}

// settle makes the caller's answer of an outcome.
func (p *slot) settle(o outcome) (jsonv2.Value, error) {
	switch o.state {
	case stateAnswered:
		return o.payload, nil
	case stateRefused:
		return nil, refusedFault(p, o.payload)
	}
	return nil, endFault(o.state, p, true)
}

// Pending is a command that was written and whose reply can be waited for, once.
type Pending struct {
	slot atomic.Pointer[slot]
	err  error // the command was not written
}

func newPending(p *slot) *Pending {
	pending := &Pending{}
	pending.slot.Store(p)
	return pending
}

// Wait waits for the reply and returns the result, still encoded. It may be called once.
func (p *Pending) Wait(ctx context.Context) (jsonv2.Value, error) {
	if p.err != nil {
		return nil, p.err
	}
	s := p.slot.Swap(nil)
	if s == nil {
		return nil, fault.New(fault.Internal, "a reply was waited for twice")
	}
	return s.wait(ctx)
}

// Decode is [Pending.Wait] with the result decoded into result, unless that is nil.
func (p *Pending) Decode(ctx context.Context, result any) error {
	method := ""
	if s := p.slot.Load(); s != nil {
		method = s.method
	}
	raw, err := p.Wait(ctx)
	if err != nil {
		return err
	}
	return decodeResult(method, raw, result)
}
