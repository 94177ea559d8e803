package engine

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/crash"
	"github.com/skua-browser/skua/engine/leaving"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// Sessions are the protocol sessions with a page: its own, those of its frames in other processes and of its workers,
// and further ones that callers have opened. Methods without a lock of their own are called with the page's.
type Sessions struct {
	page *Page
	Left leaving.Log // by documents that went, told over the sessions

	// Guarded by page.mu.
	frames  map[string]string    // out-of-process frames: session id -> frame id
	workers map[string]*Worker   // by session id
	further []string             // ids of further sessions, see Open
	exits   int                  // how often a process ended without the browser saying how
	exited  map[*cdp.Session]int // sessions whose process did so and which the browser is asked about: the exit's number
	brought int                  // how often the in-page script was brought into a document of the page's own session
}

func newSessions(p *Page) *Sessions {
	return &Sessions{page: p, frames: map[string]string{}, workers: map[string]*Worker{}, exited: map[*cdp.Session]int{}}
}

// Sessions are the protocol sessions with the page.
func (p *Page) Sessions() *Sessions { return p.sessions }

// All returns the sessions of the page, of its frames in other processes and of its workers; none while the page is not
// attached to.
func (s *Sessions) All() map[*cdp.Session]SessionKind {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	return s.all()
}

func (s *Sessions) all() map[*cdp.Session]SessionKind {
	p := s.page
	all := map[*cdp.Session]SessionKind{}
	if p.sess.ID() != "" {
		all[p.sess] = PageSession
	}
	for id := range s.frames {
		all[p.ctxt.browser.conn.Session(id)] = FrameSession
	}
	for _, w := range s.workers {
		all[w.sess] = WorkerSession
	}
	return all
}

// Open attaches another session to the page, for settings that must not be those of the page's own. It ends with the
// page, and with the context; detach ends it before.
func (s *Sessions) Open(ctx context.Context) (sess *cdp.Session, detach func(), err error) {
	p := s.page
	b := p.ctxt.browser
	id, err := b.sessions.attachTo(ctx, p.id)
	if err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s.further = append(s.further, id)
	return b.conn.Session(id), func() {
		p.mu.Lock()
		s.further = slices.DeleteFunc(s.further, func(other string) bool { return other == id })
		p.mu.Unlock()
		b.sessions.detachFrom(id)
		p.ctxt.overrides.renew(ForPage, nil, p)
		for _, o := range p.ctxt.observers.all() {
			if o.Detached != nil {
				o.Detached(p)
			}
		}
	}, nil
}

// Worker is a dedicated worker or a service worker of a page. Workers are known while an override reaches them, or
// frames.
type Worker struct {
	ID   string // target id
	Type string // "worker" or "service_worker"
	URL  string
	sess *cdp.Session
}

// Worker returns the worker that a session of the page leads to, or nil.
func (s *Sessions) Worker(sess *cdp.Session) *Worker {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	return s.workers[sess.ID()]
}

// take takes a session that the browser has attached to a target which belongs to the page.
func (s *Sessions) take(e *pageEvent) {
	switch e.TargetInfo.Type {
	case "iframe":
		s.takeFrame(e)
	case "worker", "service_worker":
		s.takeWorker(e)
	}
}

// takeFrame takes a frame that lives in another process: its events and its document come over a session of their own.
func (s *Sessions) takeFrame(e *pageEvent) {
	p := s.page
	id := e.TargetInfo.TargetID // the target id of an out-of-process frame is its frame id
	sess := p.ctxt.browser.conn.Session(e.SessionID)
	f := p.frames.ensure(id, e.TargetInfo.ParentFrameID, sess)
	if f == nil {
		f = newFrame(p, id, sess, p.main)
		p.frames.byID[id] = f
		p.main.children = append(p.main.children, f)
	}
	p.frames.dropChildren(f)
	f.sess = sess
	f.loader, f.started = "", ""
	f.world.current = world.World{}
	f.url = e.TargetInfo.URL
	f.loaded = lifecycle{}
	s.frames[e.SessionID] = id
	p.frames.arrivals++
	opening := make(chan struct{})
	f.opening = opening
	sess.Tap(func(ev cdp.Event) { p.onEvent(sess, ev) })
	if p.traffic.IsRecorded() && !p.ctxt.Overrides().Has(networkKey) {
		sess.Start(networkEnable.Method, networkEnable.Params)
	}
	p.ctxt.browser.Spawn(func(ctx context.Context) {
		defer func() {
			p.mu.Lock()
			if f.opening == opening {
				f.opening = nil
			}
			p.mu.Unlock()
			close(opening)
		}()
		calls := slices.Concat(p.ctxt.sessionSetup(), setupFor(p, FrameSession), []cdp.Call{{Method: "Page.getFrameTree"}})
		if e.Waiting {
			calls = append(calls, runCall)
		}
		for i, call := range sess.Batch(calls...) {
			raw, err := call.Wait(ctx)
			if fault.Is(err, fault.Protocol) { // an older browser, or one that does not know of frames what it knows of pages
				p.ctxt.browser.log.Debug("frame setup call refused", "method", calls[i].Method, "err", err)
				continue
			}
			if err != nil {
				if !fault.Is(err, fault.PageGone) {
					p.ctxt.browser.log.Debug("frame session", "err", err)
				}
				return
			}
			if calls[i].Method == "Page.getFrameTree" {
				p.frames.readTree(sess, raw)
			}
			tellAnswer(sess, calls[i], raw)
		}
	})
}

// takeWorker takes a worker's session.
func (s *Sessions) takeWorker(e *pageEvent) {
	p := s.page
	sess := p.ctxt.browser.conn.Session(e.SessionID)
	sess.Tap(func(ev cdp.Event) { p.onEvent(sess, ev) })
	s.workers[e.SessionID] = &Worker{ID: e.TargetInfo.TargetID, Type: e.TargetInfo.Type, URL: e.TargetInfo.URL, sess: sess}
	calls := p.ctxt.overrides.calls(WorkerSession)
	if e.TargetInfo.Type == "worker" {
		calls = append(calls, p.ctxt.overrides.autoAttach().call())
	}
	for _, call := range append(calls, runCall) {
		sess.Start(call.Method, call.Params)
	}
}

// gone ends the session of a worker, or of an out-of-process frame. The frame itself may go on in its parent's process.
func (s *Sessions) gone(e *pageEvent) {
	p := s.page
	if w := s.workers[e.SessionID]; w != nil {
		w.sess.Detached()
		delete(s.workers, e.SessionID)
		return
	}
	id, ok := s.frames[e.SessionID]
	if !ok {
		return
	}
	delete(s.frames, e.SessionID)
	sess := p.ctxt.browser.conn.Session(e.SessionID)
	delete(s.exited, sess)
	sess.Detached()
	p.alive.Set(sess, "", "")
	if f := p.frames.byID[id]; f != nil && f.sess == sess {
		f.world.current = world.World{}
		if f.parent != nil {
			f.sess = f.parent.sess
		}
	}
}

// leave ends all sessions but the page's own and further ones.
func (s *Sessions) leave() {
	for id := range s.frames {
		s.page.ctxt.browser.conn.Session(id).Detached()
	}
	clear(s.frames)
	s.leaveWorkers()
	clear(s.exited)
}

func (s *Sessions) leaveWorkers() {
	for _, w := range s.workers {
		w.sess.Detached()
	}
	clear(s.workers)
}

// processGone finds out whether a process that ended was lost, or belonged to a tab that is closed, which did not
// crash. Chromium ends the process of a tab and destroys its target in one task, so that it answers no question in
// between: one that is asked now is answered when it is clear which of both has happened.
func (s *Sessions) processGone(sess *cdp.Session) {
	p := s.page
	b, id := p.ctxt.browser, p.id
	if sess != p.sess {
		id = s.frames[sess.ID()]
	}
	s.exits++
	exit := s.exits
	s.exited[sess] = exit
	answer := b.root.Start("Target.getTargetInfo", map[string]string{"targetId": id})
	b.Spawn(func(ctx context.Context) {
		_, err := answer.Wait(ctx)
		p.mu.Lock()
		defer p.mu.Unlock()
		if s.exited[sess] != exit { // it shows something again, or is about to
			return
		}
		delete(s.exited, sess)
		switch {
		case noTarget(err) || b.Err() != nil: // callers get the error of the closed target or browser
		case sess != p.sess:
			sess.Fail(crash.OfFrame())
		default:
			p.life.crashLocked(crash.Of("", 0))
		}
	})
}

// bringing returns the call, if one is needed, that brings the script into a document. The first one of a page gets it
// by itself, the second one together with all that come after it in the page's session. So a page with one document
// keeps no script, and the others cost 10 ms less each.
func (s *Sessions) bringing(sess *cdp.Session, w world.World) []cdp.Call {
	if sess != s.page.sess { // that of a frame has few documents
		return []cdp.Call{w.Bring()}
	}
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	s.brought++
	switch s.brought {
	case 1:
		return []cdp.Call{w.Bring()}
	case 2:
		return []cdp.Call{world.BringAlways()}
	}
	return nil
}
