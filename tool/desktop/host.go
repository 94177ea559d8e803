package desktop

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
)

// host is the tool as the host of the apps of a conversation, for one call.
type host struct {
	mode    *Mode
	timeout time.Duration // of a command in the session of an app; 0 means the usual one

	mu     sync.Mutex
	closed map[string]*contract.SessionDetails // of the calls that closed sessions, by launch
}

// Launcher returns the tool's launcher.
func (h *host) Launcher() (*electron.Launcher, error) { return h.mode.Apps.Launcher() }

// Attached returns the session that works in an app.
func (h *host) Attached(app *electron.Record) lifecycle.Session {
	if s := h.session(app); s != nil {
		return s
	}
	return nil
}

func (h *host) session(app *electron.Record) *session {
	s, ok := h.mode.Apps.sessionOf(app.LaunchID)
	if !ok {
		return nil
	}
	return &session{mode: h.mode, where: &s, timeout: h.timeout}
}

// Closer closes sessions that the tool began, after the calls that run in them. A session that the caller named is the
// caller's: it loses its browser, and that is all.
func (h *host) Closer(app *electron.Record) func(context.Context, string) error {
	s, attached := h.mode.Apps.sessionOf(app.LaunchID)
	if !attached || !conversation.IsReserved(s.Key.Name) {
		return nil
	}
	return func(ctx context.Context, _ string) error {
		sessions := h.mode.Apps.o.Sessions(s.Backend)
		if !sessions.Owns(s.Key) { // of another branch of the conversation
			if !sessions.End(ctx, s.Key) {
				return errors.New("the session " + s.Key.Name + " could not be closed")
			}
			return nil
		}
		left := h.timeout
		if deadline, ok := ctx.Deadline(); ok {
			left = time.Until(deadline)
		}
		ran := h.mode.within(ctx, &s, left, "", "close")
		if ran.Result.IsError {
			return errors.New(errorOf(ran.Result))
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.closed == nil {
			h.closed = map[string]*contract.SessionDetails{}
		}
		h.closed[app.LaunchID] = &ran.Result.Details.SessionDetails
		return nil
	}
}

// Reattach names the follow-up that attaches to an app.
func (h *host) Reattach(*electron.Record) string {
	return "Attach to it again by reattach-electron-launch."
}

// session is the session of an app. Each command in it is a call of its own.
type session struct {
	mode    *Mode
	where   *Session // nil means that it is made by Attach
	timeout time.Duration
	adopts  bool // what the commands find out of page and refs is the call's result
}

func (s *session) Name() string {
	if s.where == nil {
		return ""
	}
	return s.where.Key.Name
}

// Attach attaches a new managed session. It cannot choose a target.
func (s *session) Attach(ctx context.Context, app *electron.Record, _ string) error {
	ran := s.mode.within(ctx, nil, 0, "", "connect", app.WebSocketDebuggerURL)
	s.mode.out.Session = &ran.Result.Details.SessionDetails
	if ran.Result.IsError {
		return contract.Refuse(ran.Result.Details.FailureCategory, errorOf(ran.Result))
	}
	s.where = &ran.Session
	return nil
}

// Run runs a command line in the session.
func (s *session) Run(ctx context.Context, words ...string) (lifecycle.Answer, error) {
	return s.run(ctx, "", words...)
}

// Eval runs a script, which is given on standard input: it is long for a command line.
func (s *session) Eval(ctx context.Context, script string) (lifecycle.Answer, error) {
	return s.run(ctx, script, "eval", "--stdin")
}

func (s *session) run(ctx context.Context, stdin string, words ...string) (lifecycle.Answer, error) {
	ran := s.mode.within(ctx, s.where, s.timeout, stdin, words...)
	d := ran.Result.Details
	if ran.Result.IsError {
		return lifecycle.Answer{}, contract.Refuse(d.FailureCategory, errorOf(ran.Result))
	}
	if s.adopts {
		out := &s.mode.out
		if out.Session == nil || out.Session.SessionName == "" {
			out.Session = &d.SessionDetails
		}
		if d.SessionTabTarget != nil {
			out.Target = d.SessionTabTarget
		}
		if d.RefSnapshot != nil {
			out.Refs = d.RefSnapshot
		}
	}
	return lifecycle.Answer{Data: ran.Data, Text: ran.Result.Text()}, nil
}

// within runs a command line in a session as every call does; in a new one if s is nil.
func (m *Mode) within(ctx context.Context, s *Session, timeout time.Duration, stdin string, args ...string) Ran {
	line := Line{Backend: m.Backend, Params: contract.Params{Args: args}}
	if s == nil {
		line.Params.SessionMode = contract.Fresh
	} else {
		line.Backend, line.Params.Args = s.Backend, s.Key.In(args...)
	}
	if stdin != "" {
		line.Params.Stdin = &stdin
	}
	if timeout > 0 {
		ms := float64(max(timeout.Milliseconds(), 1))
		line.Params.TimeoutMs = &ms
	}
	return m.Run(ctx, line)
}

// errorOf is the error of a call that failed.
func errorOf(r *contract.Result) string {
	d := r.Details
	return cmp.Or(d.Error, d.ValidationError, d.SpawnError, d.ParseError, r.Text())
}
