package tool

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/planning"
)

// callHost is the tool as the host of the apps of a conversation, for one call.
type callHost struct {
	call    *call
	timeout time.Duration // of a command in the session of an app; 0: the usual one

	mu     sync.Mutex
	closed map[string]*call // calls that closed sessions, by launch
}

// Launcher returns the tool's launcher.
func (h *callHost) Launcher() (*electron.Launcher, error) { return h.call.tool.appLauncher() }

// Attached returns the session that works in an app.
func (h *callHost) Attached(app *electron.Record) lifecycle.Session {
	if s := h.session(app); s != nil {
		return s
	}
	return nil
}

func (h *callHost) session(app *electron.Record) *callSession {
	s, ok := h.call.tool.apps.sessionOf(app.LaunchID)
	if !ok {
		return nil
	}
	return &callSession{call: h.call, where: &s, timeout: h.timeout}
}

// Closer closes sessions that the tool began, after the calls that run in them. A session that the caller named is the caller's: it loses its
// browser, and that is all.
func (h *callHost) Closer(app *electron.Record) func(context.Context, string) error {
	s, attached := h.call.tool.apps.sessionOf(app.LaunchID)
	if !attached || !planning.IsReserved(s.key.Name) {
		return nil
	}
	return func(ctx context.Context, _ string) error {
		sessions := h.call.tool.on(s.backend)
		if !sessions.Owns(s.key) { // of another branch of the conversation
			if !sessions.End(ctx, s.key) {
				return errors.New("the session " + s.key.Name + " could not be closed")
			}
			return nil
		}
		left := h.timeout
		if deadline, ok := ctx.Deadline(); ok {
			left = time.Until(deadline)
		}
		inner, result := h.call.within(ctx, &s, left, "", "close")
		if result.IsError {
			return errors.New(errorOf(result))
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.closed == nil {
			h.closed = map[string]*call{}
		}
		h.closed[app.LaunchID] = inner
		return nil
	}
}

// Reattach names the follow-up that attaches to an app.
func (h *callHost) Reattach(*electron.Record) string {
	return "Attach to it again by reattach-electron-launch."
}

// callSession is the session of an app. Each command in it is a call of its own.
type callSession struct {
	call    *call
	where   *appSession // nil: it is made by Attach
	timeout time.Duration
	adopts  bool // what the commands find out of page and refs is the call's result
}

func (s *callSession) Name() string {
	if s.where == nil {
		return ""
	}
	return s.where.key.Name
}

// Attach attaches a new managed session. It cannot choose a target.
func (s *callSession) Attach(ctx context.Context, app *electron.Record, _ string) error {
	inner, r := s.call.within(ctx, nil, 0, "", "connect", app.WebSocketDebuggerURL)
	s.call.details.SessionDetails = inner.details.SessionDetails
	if r.IsError {
		return contract.Refuse(r.Details.FailureCategory, errorOf(r))
	}
	s.where = &appSession{inner.backend, inner.plan.key}
	return nil
}

// Run runs a command line in the session.
func (s *callSession) Run(ctx context.Context, words ...string) (lifecycle.Answer, error) {
	return s.run(ctx, "", words...)
}

// Eval runs a script, which is given on standard input: it is long for a command line.
func (s *callSession) Eval(ctx context.Context, script string) (lifecycle.Answer, error) {
	return s.run(ctx, script, "eval", "--stdin")
}

func (s *callSession) run(ctx context.Context, stdin string, words ...string) (lifecycle.Answer, error) {
	inner, r := s.call.within(ctx, s.where, s.timeout, stdin, words...)
	if r.IsError {
		return lifecycle.Answer{}, contract.Refuse(r.Details.FailureCategory, errorOf(r))
	}
	if s.adopts {
		d := s.call.details
		if d.SessionName == "" {
			d.SessionDetails = inner.details.SessionDetails
		}
		if t := inner.details.SessionTabTarget; t != nil {
			d.SessionTabTarget = t
		}
		if refs := inner.details.RefSnapshot; refs != nil {
			d.RefSnapshot = refs
		}
	}
	return lifecycle.Answer{Data: inner.answer.Data, Text: text(r)}, nil
}

// within runs a command line in a session as every call does; in a new one if s is nil.
func (c *call) within(ctx context.Context, s *appSession, timeout time.Duration, stdin string, args ...string) (*call, *contract.Result) {
	p := contract.Params{Args: args}
	r := Request{Backend: c.backend, Progress: c.progress}
	if s == nil {
		p.SessionMode = contract.Fresh
	} else {
		r.Backend = s.backend
		p.Args = append(s.key.In(args...), "")
	}
	if stdin != "" {
		p.Stdin = &stdin
	}
	if timeout > 0 {
		ms := float64(max(timeout.Milliseconds(), 1))
		p.TimeoutMs = &ms
	}
	r.Params = p
	inner := c.tool.newCall(r)
	return inner, inner.run(ctx)
}

// errorOf is the error of a call that failed.
func errorOf(r *contract.Result) string {
	d := r.Details
	return cmp.Or(d.Error, d.ValidationError, d.SpawnError, d.ParseError, text(r))
}

// named is a launch as follow-ups name it.
func (c *call) named(r *electron.Record) judging.Electron {
	e := judging.Electron{LaunchID: r.LaunchID, Address: r.WebSocketDebuggerURL}
	if s, ok := c.tool.apps.sessionOf(r.LaunchID); ok {
		e.Session.Name = s.key.Name
		if s.key.Namespace != "" {
			e.Session.Namespace = &s.key.Namespace
		}
		current := c.tool.on(s.backend).Managed()
		e.InUse = current.Active && conversation.KeyOf(current) == s.key
	}
	return e
}
