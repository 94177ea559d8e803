package engine

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
)

// Standing is what all pages of a context are told, those that are open and those that come, until it is taken back: a viewport, headers, a
// script. A context without any costs nothing.
type Standing struct {
	What    string // what it is, in words, when it goes on in another context; empty: it is of this one. See [Context.Resume]
	Calls   []cdp.Call
	Undo    []cdp.Call // takes it back where Calls were sent
	Frames  bool       // frames in other processes are told, too
	Workers bool       // and so are dedicated workers and the service workers of the pages

	UndoIn func(session string) []cdp.Call // in place of Undo, where that depends on what a session answered
}

// answered is implemented by the parameters of calls that are to know what a session answered.
type answered interface {
	answered(session string, reply jsonv2.Value)
}

// tellAnswer hands the answer to a call to its parameters, if they want it.
func tellAnswer(sess *cdp.Session, call cdp.Call, reply jsonv2.Value) {
	if a, ok := call.Params.(answered); ok {
		a.answered(sess.ID(), reply)
	}
}

// start sends a call of what stands, without waiting for its answer.
func (c *Context) start(sess *cdp.Session, call cdp.Call) {
	pending := sess.Start(call.Method, call.Params)
	if _, ok := call.Params.(answered); !ok {
		return
	}
	c.browser.Spawn(func(ctx context.Context) {
		if raw, err := pending.Wait(ctx); err == nil {
			tellAnswer(sess, call, raw)
		}
	})
}

// in returns the calls for one session.
func (s *Standing) in(sess *cdp.Session) []cdp.Call {
	if s.UndoIn != nil {
		return s.UndoIn(sess.ID())
	}
	return s.Calls
}

// standing is what stands in a context, in the order in which it was said.
type standing struct {
	keys []string
	said map[string]*Standing
}

// sessionKind is what is at the other end of a session.
type sessionKind uint8

const (
	pageSession sessionKind = iota
	frameSession
	workerSession
)

func (s *Standing) reaches(kind sessionKind) bool {
	return kind == pageSession || kind == frameSession && s.Frames || kind == workerSession && s.Workers
}

// Stand has all pages of the context told what s says, in place of what was said under the same key; nil takes that back. It returns when
// page, unless that is nil, has accepted it, and leaves everything as it was when page refuses it. No other page is waited for.
func (c *Context) Stand(ctx context.Context, page *Page, key string, s *Standing) error {
	if s != nil {
		if err := c.browser.haveWait(ctx); err != nil {
			return err
		}
	}
	c.mu.Lock()
	before, attachBefore := c.standing.said[key], c.autoAttachLocked()
	c.standing.set(key, s)
	attach := c.autoAttachLocked()
	pages := slices.Clone(c.pages)
	for p := range c.opening {
		if !slices.Contains(pages, p) {
			pages = append(pages, p)
		}
	}
	c.mu.Unlock()
	calls := s
	if s == nil {
		if before == nil {
			return nil
		}
		calls = &Standing{Calls: before.Undo, UndoIn: before.UndoIn, Frames: before.Frames, Workers: before.Workers}
	} else {
		said := *s
		said.UndoIn = nil
		calls = &said
	}
	if page != nil {
		page.mu.Lock() // what others tell the page by what stands is written before this, or after
		told := page.adapted(pageSession, calls.in(page.sess))
		pending := page.sess.Batch(told...)
		page.mu.Unlock()
		for i, call := range pending {
			raw, err := call.Wait(ctx)
			if err != nil {
				c.mu.Lock()
				c.standing.set(key, before)
				c.mu.Unlock()
				return err
			}
			tellAnswer(page.sess, told[i], raw)
		}
	}
	for _, p := range pages {
		p.mu.Lock()
		for sess, kind := range p.sessionsLocked() {
			if attach != attachBefore && kind != workerSession {
				sess.Start(attach.call().Method, attach.call().Params)
			}
			if calls.reaches(kind) && (p != page || kind != pageSession) {
				for _, call := range p.adapted(kind, calls.in(sess)) {
					c.start(sess, call)
				}
			}
		}
		p.mu.Unlock()
	}
	return nil
}

// Stands reports whether something is said under the key.
func (c *Context) Stands(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.standing.said[key] != nil
}

func (s *standing) set(key string, to *Standing) {
	switch {
	case to == nil:
		delete(s.said, key)
		s.keys = slices.DeleteFunc(s.keys, func(k string) bool { return k == key })
		return
	case s.said == nil:
		s.said = map[string]*Standing{}
	}
	if s.said[key] == nil {
		s.keys = append(s.keys, key)
	}
	s.said[key] = to
}

// standingFor returns what a new session is to be told.
func (c *Context) standingFor(kind sessionKind) []cdp.Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	var calls []cdp.Call
	for _, key := range c.standing.keys {
		if s := c.standing.said[key]; s.reaches(kind) {
			calls = append(calls, s.Calls...)
		}
	}
	return calls
}

// autoAttach is how sessions hear of what belongs to them.
type autoAttach struct {
	workers bool
	wait    bool // what comes does nothing before it was told what stands
}

func (c *Context) autoAttach() autoAttach {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.autoAttachLocked()
}

func (c *Context) autoAttachLocked() autoAttach {
	var a autoAttach
	for _, s := range c.standing.said {
		a.workers = a.workers || s.Workers
		a.wait = a.wait || s.Workers || s.Frames
	}
	return a
}

func (a autoAttach) call() cdp.Call {
	filter := target.Filter{{Type: "iframe"}, {Exclude: true}}
	if a.workers {
		filter = target.Filter{{Type: "iframe"}, {Type: "worker"}, {Type: "service_worker"}, {Exclude: true}}
	}
	return cdp.Call{Method: "Target.setAutoAttach", Params: target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: a.wait, Flatten: new(true), Filter: filter,
	}}
}

// runCall lets a target go on that waited for its first calls.
var runCall = cdp.Call{Method: "Runtime.runIfWaitingForDebugger"}

// sessionsLocked returns the sessions of the page, of its frames in other processes and of its workers: none while nobody is attached. The caller holds p.mu.
func (p *Page) sessionsLocked() map[*cdp.Session]sessionKind {
	all := map[*cdp.Session]sessionKind{}
	if p.sess.ID() != "" {
		all[p.sess] = pageSession
	}
	for id := range p.sessID {
		all[p.ctxt.browser.conn.Session(id)] = frameSession
	}
	for _, w := range p.workers {
		all[w.sess] = workerSession
	}
	return all
}

// Worker is a dedicated worker or a service worker of a page. Workers are known while something stands that reaches them.
type Worker struct {
	ID   string // target id
	Type string // "worker" or "service_worker"
	URL  string
	sess *cdp.Session
}

// Workers returns the workers of the page that are known.
func (p *Page) Workers() []Worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]Worker, 0, len(p.workers))
	for _, w := range p.workers {
		all = append(all, *w)
	}
	return all
}

// workerLocked takes a worker's session.
func (p *Page) workerLocked(e *pageEvent) {
	sess := p.ctxt.browser.conn.Session(e.SessionID)
	sess.Tap(func(ev cdp.Event) { p.onEvent(sess, ev) })
	p.workers[e.SessionID] = &Worker{ID: e.TargetInfo.TargetID, Type: e.TargetInfo.Type, URL: e.TargetInfo.URL, sess: sess}
	p.ctxt.console.knowWorker(e.TargetInfo.TargetID)
	calls := p.ctxt.standingFor(workerSession)
	if e.TargetInfo.Type == "worker" {
		calls = append(calls, p.ctxt.autoAttach().call())
	}
	for _, call := range append(calls, runCall) {
		sess.Start(call.Method, call.Params)
	}
}

// workerGoneLocked ends the session of a worker.
func (p *Page) workerGoneLocked(w *Worker) {
	w.sess.Detached()
	if log := p.ctxt.netlog.Load(); log != nil {
		log.workerGone(w)
	}
}
