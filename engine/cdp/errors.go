package cdp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/internal/fault"
)

// Error is the browser's refusal of a command. It comes wrapped in a *fault.Error.
type Error struct {
	Method  string // the command
	Code    int    // of JSON-RPC, like CodeMethodNotFound, or of Chromium
	Message string
	Data    string // details; may be empty
}

// Codes of the protocol that callers act on.
const (
	CodeMethodNotFound  = -32601 // the browser does not know the command
	CodeInvalidParams   = -32602
	codeSessionNotFound = -32001 // the session was detached; becomes fault.PageGone
)

// Error implements error.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code)
	if e.Data != "" {
		s += ": " + e.Data
	}
	return s
}

// decodeError reads the error object of a reply, whatever it looks like.
func decodeError(method string, payload jsonv2.Value) *Error {
	var wire struct {
		Code    int          `json:"code"`
		Message string       `json:"message"`
		Data    jsonv2.Value `json:"data"`
	}
	if err := jsonv2.Unmarshal(payload, &wire, options); err != nil {
		return &Error{Method: method, Message: string(payload)}
	}
	e := &Error{Method: method, Code: wire.Code, Message: wire.Message}
	if jsonv2.Unmarshal(wire.Data, &e.Data, options) != nil {
		e.Data = string(wire.Data)
	}
	return e
}

// refusedFault reports the browser's refusal of a call.
func refusedFault(p *slot, payload jsonv2.Value) error {
	cause := decodeError(p.method, payload)
	if cause.Code == codeSessionNotFound && p.on != "" {
		f := endFault(stateDetached, p, true)
		f.Err = cause
		return f
	}
	if len(payload) > 0 && payload[0] == '"' {
		// CDP's errors are objects; WebDriver BiDi's are words.
		f := fault.New(fault.ConnectFailed, "what answers there speaks WebDriver BiDi and not CDP: it says %s to %s", payload,
			p.method).
			WithHint(
				"Give the browser's CDP address: of a chromedriver or a Selenium Grid, use --provider with the http address of " +
					"the server.")
		f.Err = cause
		return about(f, p.session, p.method)
	}
	message := cause.Message
	if cause.Data != "" {
		message += ": " + cause.Data
	}
	f := &fault.Error{
		Code:    fault.Protocol,
		Message: fmt.Sprintf("the browser refused %s: %s", p.method, message),
		Err:     cause,
	}
	return about(f, p.session, p.method).With("cdpCode", cause.Code)
}

// endFault reports a call whose session or connection ended, before the reply to it or before it was sent.
func endFault(st state, p *slot, sent bool) *fault.Error {
	when := "before it could be asked for"
	if sent {
		when = "before it answered"
	}
	var f *fault.Error
	switch st {
	case stateDetached:
		f = fault.New(fault.PageGone, "the page or frame went away %s %s", when, p.method)
	case stateFailed:
		return copyFault(p.failure) // the failure of the session is the whole error
	default:
		c := p.session.conn
		c.mu.Lock()
		cause := c.cause
		c.mu.Unlock()
		f = fault.New(fault.BrowserGone, "the connection to the browser ended %s %s: %w", when, p.method, cause)
	}
	return about(f, p.session, p.method)
}

// unsentFault reports a call whose context had ended before it began.
func unsentFault(ctx context.Context, s *Session, method string) error {
	if f := causeFault(ctx); f != nil {
		return f
	}
	code, why := fault.Canceled, "the command was canceled before the browser was asked for "
	if ctx.Err() == context.DeadlineExceeded {
		code, why = fault.Timeout, "no time was left to ask the browser for "
	}
	return about(&fault.Error{Code: code, Message: why + method + reason(ctx), Err: ctx.Err()}, s, method)
}

// unansweredFault reports a call whose context ended before the reply.
func unansweredFault(ctx context.Context, p *slot) error {
	if f := causeFault(ctx); f != nil {
		return f
	}
	waited := time.Since(p.started)
	if ctx.Err() != context.DeadlineExceeded {
		f := fault.New(fault.Canceled, "canceled while the browser worked on %s%s: %w", p.method, reason(ctx), ctx.Err())
		return about(f, p.session, p.method)
	}
	f := &fault.Error{
		Code:    fault.Timeout,
		Message: fmt.Sprintf("the browser did not answer %s within %s", p.method, readable(waited)),
		Err:     ctx.Err(),
	}
	if waited < shortWait {
		f.Message = "no time was left for the browser to answer " + p.method
	}
	if p.session.conn.writer.blocked.Load() {
		f.Message += ", and has stopped reading its commands"
	}
	return about(f, p.session, p.method).With("waitedMs", waited.Milliseconds())
}

// shortWait is how long a call must have waited for that to tell something of the browser. The time of one that waited
// less was used up before it.
const shortWait = 20 * time.Millisecond

// about adds the command and the session of the call to a fault.
func about(f *fault.Error, s *Session, method string) *fault.Error {
	f.With("method", method)
	if id := s.ID(); id != "" {
		f.With("cdpSession", id)
	}
	return f
}

// causeFault returns the *fault.Error that is the context's cause, if it is one. It is a copy, since one context ends
// many calls, and each caller may add to its error.
func causeFault(ctx context.Context) error {
	f, ok := errors.AsType[*fault.Error](context.Cause(ctx))
	if !ok {
		return nil
	}
	return copyFault(f)
}

// copyFault is for an error that many callers get, who may each add to what they get.
func copyFault(f *fault.Error) *fault.Error {
	own := *f
	own.Facts = maps.Clone(f.Facts)
	return &own
}

// reason returns who ended the context, if that was said.
func reason(ctx context.Context) string {
	if cause := context.Cause(ctx); cause != nil &&
		cause != ctx.Err() { //nolint:errorlint // a cause that wraps the context's error says more than that error
		return " (" + cause.Error() + ")"
	}
	return ""
}

// readable rounds a duration to what a reader wants to know of it.
func readable(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}
