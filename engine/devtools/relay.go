package devtools

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Relay connects a client of the protocol, such as DevTools, to one page over a session of its own, so that neither it
// nor we notice what the other has enabled. The client reaches the page, its frames and its workers, and nothing else
// of the browser.
type Relay struct {
	root   *cdp.Session
	detach func()
	send   func([]byte)

	life  context.Context
	end   context.CancelFunc
	calls sync.WaitGroup // grows only while life lasts
	slots chan struct{}  // of calls that wait for their replies

	mu       sync.Mutex
	sessions map[string]*cdp.Session // below the root's
}

// maxPending is how many calls of a client may wait for their replies.
const maxPending = 512

// NewRelay attaches to the page once more. Replies and events are handed to send, which must not block. The caller must
// Close the relay; it ends by itself, which Done reports, when the page does.
func NewRelay(ctx context.Context, p *engine.Page, send func([]byte)) (*Relay, error) {
	root, detach, err := p.Sessions().Open(ctx)
	if err != nil {
		return nil, err
	}
	r := &Relay{
		root:     root,
		detach:   detach,
		send:     send,
		slots:    make(chan struct{}, maxPending),
		sessions: map[string]*cdp.Session{},
	}
	r.life, r.end = context.WithCancel(context.Background()) //nolint:gosec // Close and the end of the page call it
	r.root.Tap(func(ev cdp.Event) { r.onEvent(r.root, ev) })
	r.calls.Go(func() {
		defer r.end()
		select {
		case <-p.Done(): // a page that crashed may come back
		case <-p.Context().Browser().Done():
		case <-r.life.Done():
		}
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
	r.detach()
	r.calls.Wait()
	r.root.Detached()
}

type eventMessage struct {
	Method    string       `json:"method"`
	Params    jsonv2.Value `json:"params,omitzero"`
	SessionID string       `json:"sessionId,omitzero"`
}

// onEvent forwards an event, on the connection's reader.
func (r *Relay) onEvent(sess *cdp.Session, ev cdp.Event) {
	switch ev.Method {
	case "Target.attachedToTarget", "Target.detachedFromTarget":
		var e struct {
			SessionID string `json:"sessionId"`
		}
		if cdp.Unmarshal(ev.Params, &e) != nil {
			return
		}
		child := r.root.Sibling(e.SessionID)
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
	message := eventMessage{Method: ev.Method, Params: ev.Params}
	if sess != r.root {
		message.SessionID = sess.ID()
	}
	r.write(message)
}

func (r *Relay) write(message any) {
	if raw, err := jsonv2.Marshal(message, jsonv2.AllowInvalidUTF8(true)); err == nil {
		r.send(raw)
	}
}

type replyError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type replyMessage struct {
	ID        int64        `json:"id"`
	Result    jsonv2.Value `json:"result,omitzero"`
	Error     *replyError  `json:"error,omitzero"`
	SessionID string       `json:"sessionId,omitzero"`
}

// Handle processes a message of the client. Calls are made in the order of their messages.
func (r *Relay) Handle(message []byte) {
	var m struct {
		ID        int64        `json:"id"`
		Method    string       `json:"method"`
		Params    jsonv2.Value `json:"params"`
		SessionID string       `json:"sessionId"`
	}
	if err := cdp.Unmarshal(message, &m); err != nil || m.Method == "" {
		r.write(replyMessage{ID: m.ID, Error: &replyError{Code: -32700, Message: "Message must be a valid JSON"}})
		return
	}
	reply := replyMessage{ID: m.ID, SessionID: m.SessionID}
	sess := r.root
	if m.SessionID != "" {
		r.mu.Lock()
		sess = r.sessions[m.SessionID]
		r.mu.Unlock()
	}
	switch {
	case sess == nil:
		reply.Error = &replyError{Code: -32001, Message: "Session with given id not found."}
	case !allowed(m.Method, m.Params):
		reply.Error = &replyError{Code: -32000, Message: "Not allowed: this connection is about one page"}
	}
	if reply.Error != nil {
		r.write(reply)
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
			reply.Result, reply.Error = nil, &replyError{Code: -32000, Message: err.Error()}
			if e, ok := errors.AsType[*cdp.Error](err); ok {
				reply.Error = &replyError{Code: e.Code, Message: e.Message}
			} else if fault.Is(err, fault.PageGone) {
				reply.Error = &replyError{Code: -32001, Message: "Session with given id not found."}
			}
		} else if len(reply.Result) == 0 {
			reply.Result = jsonv2.Value("{}")
		}
		r.write(reply)
	})
}

// allowed reports whether a call is about the page. Others could reach the pages of other sessions that share the
// browser, or end it.
func allowed(method string, params jsonv2.Value) bool {
	domain, _, _ := strings.Cut(method, ".")
	switch domain {
	case "Browser":
		return method == "Browser.getVersion"
	case "Target":
		return slices.Contains([]string{
			"Target.setAutoAttach", "Target.autoAttachRelated", "Target.detachFromTarget",
			"Target.setRemoteLocations",
		}, method) ||
			method == "Target.getTargetInfo" && !strings.Contains(string(params), "targetId")
	case "SystemInfo", "Tethering", "Tracing", "Memory", "Extensions", "PWA", "FileSystem":
		return false
	}
	return !strings.Contains(string(params), `"browserContextId"`)
}

// OpenWindow opens a window with DevTools for the page, in a browser that has windows.
func OpenWindow(ctx context.Context, p *engine.Page) error {
	_, err := p.Context().Browser().Session().CallRaw(ctx, "Target.openDevTools", map[string]string{"targetId": p.ID()})
	return err
}
