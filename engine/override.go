package engine

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
)

// Override is what all pages of a context are told, the open ones and the ones to come, until it is removed: a viewport, headers, a script. A
// context without overrides costs nothing.
type Override struct {
	What    string // what it is, in words, if it continues in another context; empty: it belongs to this one. See [Context.Resume]
	Calls   []cdp.Call
	Undo    []cdp.Call // removes it where Calls were sent
	Frames  bool       // also sent to frames in other processes
	Workers bool       // also sent to dedicated workers and the service workers of the pages

	UndoIn func(session string) []cdp.Call // in place of Undo, if that depends on what a session answered
}

// Answered is implemented by the parameters of calls that need to know what each session answered.
type Answered interface {
	Answered(session string, reply jsonv2.Value)
}

// tellAnswer hands the answer to a call to its parameters, if they want it.
func tellAnswer(sess *cdp.Session, call cdp.Call, reply jsonv2.Value) {
	if a, ok := call.Params.(Answered); ok {
		a.Answered(sess.ID(), reply)
	}
}

// start sends a call of an override without waiting for its answer.
func (c *Context) start(sess *cdp.Session, call cdp.Call) {
	pending := sess.Start(call.Method, call.Params)
	if _, ok := call.Params.(Answered); !ok {
		return
	}
	c.browser.Spawn(func(ctx context.Context) {
		if raw, err := pending.Wait(ctx); err == nil {
			tellAnswer(sess, call, raw)
		}
	})
}

// in returns the calls for one session.
func (o *Override) in(sess *cdp.Session) []cdp.Call {
	if o.UndoIn != nil {
		return o.UndoIn(sess.ID())
	}
	return o.Calls
}

// overrides are those of a context, in the order in which they were set.
type overrides struct {
	keys  []string
	byKey map[string]*Override
}

// SessionKind is what a session leads to.
type SessionKind uint8

// The kinds of sessions of a page.
const (
	PageSession SessionKind = iota
	FrameSession
	WorkerSession
)

func (o *Override) reaches(kind SessionKind) bool {
	return kind == PageSession || kind == FrameSession && o.Frames || kind == WorkerSession && o.Workers
}

// SetOverride sends an override to all pages of the context, in place of the one with the same key; nil removes that one. It returns when page,
// unless that is nil, has accepted it, and changes nothing if page refuses it. It waits for no other page.
func (c *Context) SetOverride(ctx context.Context, page *Page, key string, to *Override) error {
	defer cdp.Attempting(ctx)
	c.mu.Lock()
	before, attachBefore := c.overrides.byKey[key], c.autoAttachLocked()
	c.overrides.set(key, to)
	attach := c.autoAttachLocked()
	pages := slices.Clone(c.pages)
	for p := range c.opening {
		if !slices.Contains(pages, p) {
			pages = append(pages, p)
		}
	}
	c.mu.Unlock()
	calls := to
	if to == nil {
		if before == nil {
			return nil
		}
		calls = &Override{Calls: before.Undo, UndoIn: before.UndoIn, Frames: before.Frames, Workers: before.Workers}
	} else {
		set := *to
		set.UndoIn = nil
		calls = &set
	}
	if page != nil {
		page.mu.Lock() // what another override tells the page is written before this, or after
		sent := adapted(page, PageSession, calls.in(page.sess))
		pending := page.sess.Batch(sent...)
		page.mu.Unlock()
		for i, call := range pending {
			raw, err := call.Wait(ctx)
			if err != nil {
				c.mu.Lock()
				c.overrides.set(key, before)
				c.mu.Unlock()
				return err
			}
			tellAnswer(page.sess, sent[i], raw)
		}
	}
	for _, p := range pages {
		p.mu.Lock()
		for sess, kind := range p.sessions.all() {
			if attach != attachBefore && kind != WorkerSession {
				sess.Start(attach.call().Method, attach.call().Params)
			}
			if calls.reaches(kind) && (p != page || kind != PageSession) {
				for _, call := range adapted(p, kind, calls.in(sess)) {
					c.start(sess, call)
				}
			}
		}
		p.mu.Unlock()
	}
	return nil
}

// HasOverride reports whether there is an override with the key.
func (c *Context) HasOverride(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.overrides.byKey[key] != nil
}

func (s *overrides) set(key string, to *Override) {
	switch {
	case to == nil:
		delete(s.byKey, key)
		s.keys = slices.DeleteFunc(s.keys, func(k string) bool { return k == key })
		return
	case s.byKey == nil:
		s.byKey = map[string]*Override{}
	}
	if s.byKey[key] == nil {
		s.keys = append(s.keys, key)
	}
	s.byKey[key] = to
}

// overridesFor returns the calls for a new session.
func (c *Context) overridesFor(kind SessionKind) []cdp.Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	var calls []cdp.Call
	for _, key := range c.overrides.keys {
		if o := c.overrides.byKey[key]; o.reaches(kind) {
			calls = append(calls, o.Calls...)
		}
	}
	return calls
}

// autoAttach is how sessions get attached to the targets that belong to theirs: whether a new target does nothing before it got the overrides. Then
// workers are attached to as well, also where no override is for them: Chromium holds them with the others, and only who is attached to one lets it go.
type autoAttach bool

func (c *Context) autoAttach() autoAttach {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.autoAttachLocked()
}

func (c *Context) autoAttachLocked() autoAttach {
	for _, o := range c.overrides.byKey {
		if o.Workers || o.Frames {
			return true
		}
	}
	return false
}

func (a autoAttach) call() cdp.Call {
	filter := target.Filter{{Type: "iframe"}, {Exclude: true}}
	if a {
		filter = target.Filter{{Type: "iframe"}, {Type: "worker"}, {Type: "service_worker"}, {Exclude: true}}
	}
	return cdp.Call{Method: "Target.setAutoAttach", Params: target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: bool(a), Flatten: new(true), Filter: filter,
	}}
}

// runCall resumes a target that waited for its first calls.
var runCall = cdp.Call{Method: "Runtime.runIfWaitingForDebugger"}
