package engine

import "github.com/skua-browser/skua/engine/cdp"

// Worker is a dedicated worker or a service worker of a page. Workers are known while an override reaches them, or frames.
type Worker struct {
	ID   string // target id
	Type string // "worker" or "service_worker"
	URL  string
	sess *cdp.Session
}

// Worker returns the worker that a session of the page leads to, or nil.
func (p *Page) Worker(sess *cdp.Session) *Worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.workers[sess.ID()]
}

// workerLocked takes a worker's session.
func (p *Page) workerLocked(e *pageEvent) {
	sess := p.ctxt.browser.conn.Session(e.SessionID)
	sess.Tap(func(ev cdp.Event) { p.onEvent(sess, ev) })
	p.workers[e.SessionID] = &Worker{ID: e.TargetInfo.TargetID, Type: e.TargetInfo.Type, URL: e.TargetInfo.URL, sess: sess}
	calls := p.ctxt.overridesFor(WorkerSession)
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
}
