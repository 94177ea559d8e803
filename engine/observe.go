package engine

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/skua-browser/skua/engine/cdp"
)

// Observer follows all pages of a context, see [Context.Observe]. Each function may be nil.
type Observer struct {
	// Event is called with each event of a page's sessions, as the function of [Page.Observe] is.
	Event func(p *Page, sess *cdp.Session, ev cdp.Event)

	// Opening is called before a new page runs its first script, where the browser lets it wait, see targetsessions.go. It
	// reports whether it has set something that the browser takes back when any session with the page ends.
	Opening func(ctx context.Context, p *Page) (set bool)

	// Attached is called when a page has been attached to, before it is used. known says that it existed before. ctx ends
	// with the attaching.
	Attached func(ctx context.Context, p *Page, known bool)

	// Detached is called when a further session with a page has ended, see [Sessions.Open]: the browser takes back some
	// settings of a page when any of its sessions ends.
	Detached func(p *Page)
}

// Observe calls fn with each event of the page's sessions from now on, those of its frames in other processes and of
// its workers included, after the page has handled it. It runs on the connection's reader: like that of
// [cdp.Session.Tap] it may only change state, wake waiters and start calls. It ends with the page.
func (p *Page) Observe(fn func(*cdp.Session, cdp.Event)) { appendTo(&p.observers, fn) }

// Observe follows the pages of the context from now on, the open ones and the ones to come. It ends with the context.
func (c *Context) Observe(o Observer) { appendTo(&c.observers.list, o) }

// observers follow the pages of a context.
type observers struct{ list atomic.Pointer[[]Observer] }

func (s *observers) all() []Observer {
	if list := s.list.Load(); list != nil {
		return *list
	}
	return nil
}

// appendTo adds an element to a list that is read without a lock.
func appendTo[T any](list *atomic.Pointer[[]T], one T) {
	for {
		before := list.Load()
		var all []T
		if before != nil {
			all = slices.Clone(*before)
		}
		all = append(all, one)
		if list.CompareAndSwap(before, &all) {
			return
		}
	}
}

// onEvent handles an event and then calls the observers.
func (p *Page) onEvent(sess *cdp.Session, ev cdp.Event) {
	takeIn(p, sess, ev)
	switch ev.Method {
	case "Page.frameNavigated":
		p.ctxt.overrides.renew(ForProcess, p, p.ctxt.pages.all()...) // the page itself took with it what it was told
	case "Target.detachedFromTarget":
		p.ctxt.overrides.renew(ForProcess, nil, p.ctxt.pages.all()...)
	}
	for _, o := range p.ctxt.observers.all() {
		if o.Event != nil {
			o.Event(p, sess, ev)
		}
	}
	if observers := p.observers.Load(); observers != nil {
		for _, fn := range *observers {
			fn(sess, ev)
		}
	}
}

// opening tells the observers that a new page is about to run, and reports whether any of them has set what goes with
// the end of a session.
func (s *observers) opening(ctx context.Context, p *Page) (set bool) {
	for _, o := range s.all() {
		if o.Opening != nil && o.Opening(ctx, p) {
			set = true
		}
	}
	return set
}

// attached tells the observers that a page has been attached to.
func (s *observers) attached(ctx context.Context, p *Page, known bool) {
	for _, o := range s.all() {
		if o.Attached != nil {
			o.Attached(ctx, p, known)
		}
	}
}

// notice is who wants to know that something about the pages of a context has changed.
type notice struct{ fn atomic.Pointer[func()] }

// OnChange sets the function that is called whenever a page of the context comes, goes, or has another address, title
// or dialog, or nil. It runs in the middle of things: it must neither block, nor ask the context or its pages for
// anything.
func (c *Context) OnChange(fn func()) {
	if fn == nil {
		c.notice.fn.Store(nil)
		return
	}
	c.notice.fn.Store(&fn)
}

func (n *notice) tell() {
	if fn := n.fn.Load(); fn != nil {
		(*fn)()
	}
}
