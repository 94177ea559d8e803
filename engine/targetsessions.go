package engine

import (
	"context"
	"slices"
	"sync"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// A popup sends requests before it could get the overrides of its context, and a dialog that it opens before anybody
// could hear of it is dismissed by the browser without a word. New pages therefore wait for the debugger, on sessions
// that serve only for that: they end when the page has what it needs.

// targetSessions are the sessions that the browser makes with its targets: those that new pages wait in, those that
// were asked for, and those with pages that were there before.
type targetSessions struct {
	browser *Browser

	mu       sync.Mutex          // it may be taken with the browser's held, never the other way round
	asked    bool                // the browser makes a session for each new page
	sweeping int                 // how many times the browser is telling of the pages that are there already
	swept    bool                // the browser has reported all of them
	waiting  map[string]string   // the sessions that new pages wait in, by target id
	ours     map[string]int      // how many sessions with a target were asked for and are not there yet
	unsure   map[string][]string // sessions that are either those or of the sweep
	free     map[string]func()   // pages that do not have to wait: what to do when their session has resumed them
}

// holdPages has the new pages of a browser that we launch wait from now on. One that we attached to is left as it is:
// it would attach us to all of its pages.
func (s *targetSessions) holdPages() *cdp.Pending {
	s.mu.Lock()
	s.asked = true
	s.mu.Unlock()
	return s.browser.root.Start(target.CommandSetAutoAttach, target.SetAutoAttachParams{
		AutoAttach:             true,
		WaitForDebuggerOnStart: true,
		Flatten:                new(true),
		Filter:                 target.Filter{{Type: "page"}, {Exclude: true}},
	})
}

// attachedTo handles a session that the browser has created. It runs on the reader goroutine.
func (s *targetSessions) attachedTo(ev cdp.Event) {
	var e struct {
		SessionID  string      `json:"sessionId"`
		Waiting    bool        `json:"waitingForDebugger"`
		TargetInfo target.Info `json:"targetInfo"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	if t := e.TargetInfo.Type; t == "shared_worker" || t == "service_worker" {
		s.workerAlone(e.SessionID, e.TargetInfo, e.Waiting)
		return
	}
	id := string(e.TargetInfo.TargetID)
	b := s.browser
	b.mu.Lock() // until the session is noted: who adds the page then resumes it
	waits := e.Waiting && b.contextOfLocked(e.TargetInfo) != nil && b.pages[id] == nil &&
		(b.Owned() || b.pages[string(e.TargetInfo.OpenerID)] != nil)
	released := s.noteOrTakeFree(id, e.SessionID, waits)
	b.mu.Unlock()
	switch {
	case released != nil:
		s.letGo(e.SessionID)
		released()
	case !e.Waiting:
		s.leaveAlone(id, e.SessionID)
	case !waits:
		s.letGo(e.SessionID)
	}
}

// noteOrTakeFree returns what to do when a page that does not have to wait has been resumed. Otherwise it returns nil,
// and notes the session of a page that waits in it. Both happen at once, since [targetSessions.release] may run on
// another goroutine, and finds the one or leaves the other.
func (s *targetSessions) noteOrTakeFree(id, session string, waits bool) (released func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if released = s.takeFreeLocked(id); released != nil || !waits {
		return released
	}
	if s.waiting == nil {
		s.waiting = map[string]string{}
	}
	s.waiting[id] = session
	return nil
}

// resume lets a page run that waited for the overrides. Where before, unless nil, has set what the page would lose with
// the session that it waited in, that one stays.
func (s *targetSessions) resume(id string, before func() (set bool)) {
	s.mu.Lock()
	session := s.takeLocked(id)
	s.mu.Unlock()
	switch {
	case session == "":
	case before != nil && before():
		s.browser.conn.Session(session).Start(runCall.Method, nil)
	default:
		s.letGo(session)
	}
}

// takeLocked returns and removes the session in which a page waits; empty means that the browser has not reported one.
func (s *targetSessions) takeLocked(id string) (session string) {
	session = s.waiting[id]
	delete(s.waiting, id)
	return session
}

// release runs a new page without the overrides, and calls then afterwards. The browser may report only later that the
// page waits to be run. The page's opener is blocked until the page runs, and stays blocked if the page is closed
// first.
func (s *targetSessions) release(id string, then func()) {
	s.mu.Lock()
	session := s.takeLocked(id)
	later := session == "" && s.asked
	if later {
		if s.free == nil {
			s.free = map[string]func(){}
		}
		s.free[id] = then
	}
	s.mu.Unlock()
	if session != "" {
		s.letGo(session)
	}
	if !later {
		then()
	}
}

func (s *targetSessions) takeFree(id string) (then func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takeFreeLocked(id)
}

func (s *targetSessions) takeFreeLocked(id string) (then func()) {
	then = s.free[id]
	delete(s.free, id)
	return then
}

// leaveAlone ends a session with a page that was there before new ones had to wait, unless it is one that was asked
// for.
func (s *targetSessions) leaveAlone(id, session string) {
	s.mu.Lock()
	theirs := s.sweeping > 0
	if theirs && s.ours[id] > 0 {
		if s.unsure == nil {
			s.unsure = map[string][]string{}
		}
		s.unsure[id] = append(s.unsure[id], session)
		theirs = false
	}
	s.mu.Unlock()
	if theirs {
		s.detachFrom(session)
	}
}

// attachTo asks for a session with a target.
func (s *targetSessions) attachTo(ctx context.Context, id string) (session string, err error) {
	s.mu.Lock()
	if s.ours == nil {
		s.ours = map[string]int{}
	}
	s.ours[id]++
	s.mu.Unlock()
	res, err := proto.Call(ctx, s.browser.root, target.AttachToTarget, target.AttachToTargetParams{
		TargetID: target.ID(id),
		Flatten:  new(true),
	})
	session = string(res.SessionID)
	s.mu.Lock()
	var theirs []string
	if unsure, ok := s.unsure[id]; ok {
		s.unsure[id] = slices.DeleteFunc(unsure, func(one string) bool { return one == session })
	}
	if s.ours[id]--; s.ours[id] == 0 {
		theirs = s.unsure[id]
		delete(s.ours, id)
		delete(s.unsure, id)
	}
	s.mu.Unlock()
	for _, one := range theirs {
		s.detachFrom(one)
	}
	return session, err
}

func (s *targetSessions) detachFrom(session string) {
	s.browser.root.Start(target.CommandDetachFromTarget, map[string]string{"sessionId": session})
}

// letGo has a page that waits in a session go on, and leaves it at once: what a session that is left had set is undone,
// be it others' by now.
func (s *targetSessions) letGo(session string) {
	s.browser.conn.Session(session).Start(runCall.Method, nil)
	s.detachFrom(session)
}

// letWorkerGo is letGo for a worker. One that is left before it has heard that it may go on never does.
func (s *targetSessions) letWorkerGo(session string) {
	pending := s.browser.conn.Session(session).Start(runCall.Method, nil)
	s.browser.Spawn(func(ctx context.Context) {
		_, _ = pending.Wait(ctx) // it may be gone by now
		s.detachFrom(session)
	})
}

// hold makes new targets of a browser wait until they have the overrides: popups of our pages, and workers that belong
// to no page.
func (s *targetSessions) hold(ctx context.Context) error {
	s.mu.Lock()
	if s.swept {
		s.mu.Unlock()
		return nil
	}
	s.asked = true
	s.sweeping++
	s.mu.Unlock()
	_, err := s.browser.root.CallRaw(ctx, target.CommandSetAutoAttach, target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true),
		Filter: target.Filter{{Type: "page"}, {Type: "shared_worker"}, {Type: "service_worker"}, {Exclude: true}},
	})
	s.mu.Lock()
	s.sweeping--
	s.swept = s.swept || err == nil
	s.mu.Unlock()
	if fault.Is(err, fault.Protocol) {
		return fault.New(fault.ConnectFailed,
			"this browser cannot be made to keep to hosts: it does not let new pages wait: %w", err).
			WithHint("Leave --allowed-domains and --block-private out, or let skua start the browser.")
	}
	return err
}

// workerAlone attaches to a worker that belongs to no page, and resumes it once it has the overrides.
func (s *targetSessions) workerAlone(session string, info target.Info, waiting bool) {
	b := s.browser
	b.mu.Lock()
	c := b.contextOfLocked(info)
	b.mu.Unlock()
	if c == nil || c.requests.Rules() == nil {
		s.letWorkerGo(session)
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
