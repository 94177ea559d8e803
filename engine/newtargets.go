package engine

import (
	"context"
	"slices"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// A popup sends requests before it could get the overrides of its context, and a dialog that it opens before anybody could hear of it is dismissed by
// the browser without a word. New pages therefore wait for the debugger, on sessions that serve only for that: they end when the page has what it
// needs.

// waitingPages are the sessions that pages wait in, by target id. Guarded by the browser's mu.
type waitingPages struct {
	asked    bool // the browser makes a session for each new page
	sweeping int  // how many times the browser is telling of the pages that are there already
	swept    bool // the browser has reported all of them
	sessions map[string]string
	ours     map[string]int      // how many sessions with a target were asked for and are not there yet
	unsure   map[string][]string // sessions that are either those or of the sweep
	free     map[string]func()   // pages that do not have to wait: what to do when their session has resumed them
}

// holdNewPages has the new pages of a browser that we launch wait from now on. One that we attached to is left as it is: it would attach us to all of
// its pages.
func (b *Browser) holdNewPages() *cdp.Pending {
	b.mu.Lock()
	b.waiting.asked = true
	b.mu.Unlock()
	return b.root.Start(target.CommandSetAutoAttach, target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true), Filter: target.Filter{{Type: "page"}, {Exclude: true}},
	})
}

// attachedTo handles a session that the browser has created. It runs on the reader goroutine.
func (b *Browser) attachedTo(ev cdp.Event) {
	var e struct {
		SessionID  string      `json:"sessionId"`
		Waiting    bool        `json:"waitingForDebugger"`
		TargetInfo target.Info `json:"targetInfo"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	if t := e.TargetInfo.Type; t == "shared_worker" || t == "service_worker" {
		b.workerAlone(e.SessionID, e.TargetInfo, e.Waiting)
		return
	}
	id := string(e.TargetInfo.TargetID)
	if then := b.takeFree(id); then != nil {
		b.letGo(e.SessionID)
		then()
		return
	}
	if !e.Waiting {
		b.leaveAlone(id, e.SessionID)
		return
	}
	b.mu.Lock()
	known := b.contextOfLocked(e.TargetInfo) != nil && b.pages[id] == nil && (b.Owned() || b.pages[string(e.TargetInfo.OpenerID)] != nil)
	if known {
		if b.waiting.sessions == nil {
			b.waiting.sessions = map[string]string{}
		}
		b.waiting.sessions[id] = e.SessionID
	}
	b.mu.Unlock()
	if !known {
		b.letGo(e.SessionID)
	}
}

// resume lets a page run that waited for the overrides. Where before, unless nil, has set what the page would lose with the session that it waited in,
// that one stays.
func (b *Browser) resume(id string, before func() (set bool)) {
	b.mu.Lock()
	session := b.waiting.takeLocked(id)
	b.mu.Unlock()
	switch {
	case session == "":
	case before != nil && before():
		b.conn.Session(session).Start(runCall.Method, nil)
	default:
		b.letGo(session)
	}
}

// takeLocked returns and removes the session in which a page waits; empty: the browser has not reported one.
func (w *waitingPages) takeLocked(id string) (session string) {
	session = w.sessions[id]
	delete(w.sessions, id)
	return session
}

// resumeTarget lets a new page run without the overrides, and calls then. The browser may not have reported yet that the page waits. Its opener is
// blocked until then, and forever if the new page is closed before.
func (b *Browser) resumeTarget(id string, then func()) {
	b.mu.Lock()
	session := b.waiting.takeLocked(id)
	later := session == "" && b.waiting.asked
	if later {
		if b.waiting.free == nil {
			b.waiting.free = map[string]func(){}
		}
		b.waiting.free[id] = then
	}
	b.mu.Unlock()
	if session != "" {
		b.letGo(session)
	}
	if !later {
		then()
	}
}

func (b *Browser) takeFree(id string) (then func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	then = b.waiting.free[id]
	delete(b.waiting.free, id)
	return then
}

// leaveAlone ends a session with a page that was there before new ones had to wait, unless it is one that was asked for.
func (b *Browser) leaveAlone(id, session string) {
	b.mu.Lock()
	w := &b.waiting
	theirs := w.sweeping > 0
	if theirs && w.ours[id] > 0 {
		if w.unsure == nil {
			w.unsure = map[string][]string{}
		}
		w.unsure[id] = append(w.unsure[id], session)
		theirs = false
	}
	b.mu.Unlock()
	if theirs {
		b.detachFrom(session)
	}
}

// attachTo asks for a session with a target.
func (b *Browser) attachTo(ctx context.Context, id string) (session string, err error) {
	w := &b.waiting
	b.mu.Lock()
	if w.ours == nil {
		w.ours = map[string]int{}
	}
	w.ours[id]++
	b.mu.Unlock()
	res, err := proto.Call(ctx, b.root, target.AttachToTarget, target.AttachToTargetParams{TargetID: target.ID(id), Flatten: new(true)})
	session = string(res.SessionID)
	b.mu.Lock()
	var theirs []string
	if unsure, ok := w.unsure[id]; ok {
		w.unsure[id] = slices.DeleteFunc(unsure, func(one string) bool { return one == session })
	}
	if w.ours[id]--; w.ours[id] == 0 {
		theirs = w.unsure[id]
		delete(w.ours, id)
		delete(w.unsure, id)
	}
	b.mu.Unlock()
	for _, one := range theirs {
		b.detachFrom(one)
	}
	return session, err
}

func (b *Browser) detachFrom(session string) {
	b.root.Start(target.CommandDetachFromTarget, map[string]string{"sessionId": session})
}

// letGo has a page that waits in a session go on, and leaves it at once: what a session that is left had set is undone, be it others' by now.
func (b *Browser) letGo(session string) {
	b.conn.Session(session).Start(runCall.Method, nil)
	b.detachFrom(session)
}

// letWorkerGo is letGo for a worker. One that is left before it has heard that it may go on never does.
func (b *Browser) letWorkerGo(session string) {
	told := b.conn.Session(session).Start(runCall.Method, nil)
	b.Spawn(func(ctx context.Context) {
		_, _ = told.Wait(ctx) // it may be gone by now
		b.detachFrom(session)
	})
}

// holdNewTargets makes new targets of a browser wait until they have the overrides: popups of our pages, and workers that belong to no page.
func (b *Browser) holdNewTargets(ctx context.Context) error {
	b.mu.Lock()
	if b.waiting.swept {
		b.mu.Unlock()
		return nil
	}
	b.waiting.asked = true
	b.waiting.sweeping++
	b.mu.Unlock()
	_, err := b.root.CallRaw(ctx, target.CommandSetAutoAttach, target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true),
		Filter: target.Filter{{Type: "page"}, {Type: "shared_worker"}, {Type: "service_worker"}, {Exclude: true}},
	})
	b.mu.Lock()
	b.waiting.sweeping--
	b.waiting.swept = b.waiting.swept || err == nil
	b.mu.Unlock()
	if fault.Is(err, fault.Protocol) {
		return fault.New(fault.ConnectFailed, "this browser cannot be made to keep to hosts: it does not let new pages wait: %w", err).
			WithHint("Leave --allowed-domains and --block-private out, or let skua start the browser.")
	}
	return err
}

// workerAlone attaches to a worker that belongs to no page, and resumes it once it has the overrides.
func (b *Browser) workerAlone(session string, info target.Info, waiting bool) {
	b.mu.Lock()
	c := b.contextOfLocked(info)
	b.mu.Unlock()
	if c == nil || c.requests.Rules() == nil {
		b.letWorkerGo(session)
		return
	}
	sess := b.conn.Session(session)
	sess.Tap(func(ev cdp.Event) { c.requests.OnEvent(nil, sess, ev) })
	for _, call := range c.overrides.calls(WorkerSession) {
		sess.Start(call.Method, call.Params)
	}
	if waiting {
		sess.Start(runCall.Method, nil)
	}
}
