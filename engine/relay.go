package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// Relay lets a program that speaks the protocol by itself, such as DevTools, work on one page: over a session of its own, so that neither it
// nor we notice what the other has turned on. It reaches the page, its frames and its workers, and nothing else of the browser.
type Relay struct {
	page *Page
	root *cdp.Session
	send func([]byte)

	life  context.Context
	end   context.CancelFunc
	calls sync.WaitGroup // grows only while life lasts
	slots chan struct{}  // of calls that wait for their answers

	mu       sync.Mutex
	sessions map[string]*cdp.Session // below the root's
}

// relayCalls is how many calls of a relay may wait for their answers.
const relayCalls = 512

// Relay attaches to the page once more. What the browser tells is handed to send, which must not block. The caller must Close it; it ends by
// itself, which Done tells, when the page does.
func (p *Page) Relay(ctx context.Context, send func([]byte)) (*Relay, error) {
	b := p.ctxt.browser
	session, err := b.attachTo(ctx, p.id)
	if err != nil {
		return nil, err
	}
	r := &Relay{
		page: p, root: b.conn.Session(session), send: send, slots: make(chan struct{}, relayCalls), sessions: map[string]*cdp.Session{},
	}
	r.life, r.end = context.WithCancel(b.stop)
	r.root.Tap(func(ev cdp.Event) { r.onEvent(r.root, ev) })
	r.calls.Go(func() {
		defer r.end()
		_ = p.awaitEnd(r.life, "the end of the page", func() bool { return p.gone }) // a crashed page may come back
	})
	return r, nil
}

// Done is closed when the relay has ended.
func (r *Relay) Done() <-chan struct{} { return r.life.Done() }

// Close ends the relay.
func (r *Relay) Close() {
	r.end()
	r.root.Tap(nil)
	r.mu.Lock()
	for _, sess := range r.sessions {
		sess.Tap(nil)
	}
	r.mu.Unlock()
	r.page.ctxt.browser.detachFrom(r.root.ID())
	r.calls.Wait()
	r.root.Detached()
}

type relayEvent struct {
	Method    string       `json:"method"`
	Params    jsonv2.Value `json:"params,omitzero"`
	SessionID string       `json:"sessionId,omitzero"`
}

// onEvent hands on what the browser tells, on the connection's reader.
func (r *Relay) onEvent(sess *cdp.Session, ev cdp.Event) {
	switch ev.Method {
	case "Target.attachedToTarget", "Target.detachedFromTarget":
		var e struct {
			SessionID string `json:"sessionId"`
		}
		if cdp.Unmarshal(ev.Params, &e) != nil {
			return
		}
		child := r.page.ctxt.browser.conn.Session(e.SessionID)
		r.mu.Lock()
		if ev.Method == "Target.attachedToTarget" {
			r.sessions[e.SessionID] = child
			child.Tap(func(ev cdp.Event) { r.onEvent(child, ev) })
		} else {
			delete(r.sessions, e.SessionID)
			child.Detached()
		}
		r.mu.Unlock()
	}
	message := relayEvent{Method: ev.Method, Params: ev.Params}
	if sess != r.root {
		message.SessionID = sess.ID()
	}
	r.say(message)
}

func (r *Relay) say(message any) {
	if raw, err := jsonv2.Marshal(message, jsonv2.AllowInvalidUTF8(true)); err == nil {
		r.send(raw)
	}
}

type relayError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type relayReply struct {
	ID        int64        `json:"id"`
	Result    jsonv2.Value `json:"result,omitzero"`
	Error     *relayError  `json:"error,omitzero"`
	SessionID string       `json:"sessionId,omitzero"`
}

// Handle takes a message of the program's. Calls are made in the order of their messages.
func (r *Relay) Handle(message []byte) {
	var m struct {
		ID        int64        `json:"id"`
		Method    string       `json:"method"`
		Params    jsonv2.Value `json:"params"`
		SessionID string       `json:"sessionId"`
	}
	if err := cdp.Unmarshal(message, &m); err != nil || m.Method == "" {
		r.say(relayReply{ID: m.ID, Error: &relayError{Code: -32700, Message: "Message must be a valid JSON"}})
		return
	}
	reply := relayReply{ID: m.ID, SessionID: m.SessionID}
	sess := r.root
	if m.SessionID != "" {
		r.mu.Lock()
		sess = r.sessions[m.SessionID]
		r.mu.Unlock()
	}
	switch {
	case sess == nil:
		reply.Error = &relayError{Code: -32001, Message: "Session with given id not found."}
	case !relayed(m.Method, m.Params):
		reply.Error = &relayError{Code: -32000, Message: "Not allowed: this connection is about one page"}
	}
	if reply.Error != nil {
		r.say(reply)
		return
	}
	select {
	case r.slots <- struct{}{}:
	case <-r.life.Done():
		return
	}
	pending := sess.Start(m.Method, m.Params)
	r.calls.Go(func() {
		defer func() { <-r.slots }()
		raw, err := pending.Wait(r.life)
		if r.life.Err() != nil {
			return
		}
		if reply.Result = raw; err != nil {
			reply.Result, reply.Error = nil, &relayError{Code: -32000, Message: err.Error()}
			if e, ok := errors.AsType[*cdp.Error](err); ok {
				reply.Error = &relayError{Code: e.Code, Message: e.Message}
			} else if fault.Is(err, fault.PageGone) {
				reply.Error = &relayError{Code: -32001, Message: "Session with given id not found."}
			}
		} else if len(reply.Result) == 0 {
			reply.Result = jsonv2.Value("{}")
		}
		r.say(reply)
	})
}

// relayed reports whether a call is about the page. Others could reach the pages of other sessions that share the browser, or end it.
func relayed(method string, params jsonv2.Value) bool {
	domain, _, _ := strings.Cut(method, ".")
	switch domain {
	case "Browser":
		return method == "Browser.getVersion"
	case "Target":
		return slices.Contains([]string{"Target.setAutoAttach", "Target.autoAttachRelated", "Target.detachFromTarget", "Target.setRemoteLocations"}, method) ||
			method == "Target.getTargetInfo" && !strings.Contains(string(params), "targetId")
	case "SystemInfo", "Tethering", "Tracing", "Memory", "Extensions", "PWA", "FileSystem":
		return false
	}
	return !strings.Contains(string(params), `"browserContextId"`)
}

// OpenDevTools opens a window with DevTools for the page, in a browser that has windows.
func (p *Page) OpenDevTools(ctx context.Context) error {
	_, err := p.ctxt.browser.root.CallRaw(ctx, "Target.openDevTools", map[string]string{"targetId": p.id})
	return err
}
