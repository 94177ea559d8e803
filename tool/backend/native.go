package backend

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions/batch"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/redact"
)

// Native runs command lines on the sessions of this process.
type Native struct {
	manager *session.Manager
	own     bool
	log     *slog.Logger

	mu     sync.Mutex
	spaces map[string]*session.Manager // by namespace
	closed bool
}

// NewNative returns a backend with sessions of its own, which Close ends. Owner is what its owner has forbidden; nil:
// nothing.
func NewNative(log *slog.Logger, owner *policy.Owner) (*Native, error) {
	m, err := session.New(session.Options{Registry: catalog.Registry(), Log: log, Owner: owner})
	if err != nil {
		return nil, err
	}
	return &Native{manager: m, own: true, log: log}, nil
}

// OnManager returns a backend on sessions that others hold, which Close leaves alone. Those of namespaces are the
// backend's own.
func OnManager(m *session.Manager) *Native { return &Native{manager: m} }

// Name returns NameNative.
func (n *Native) Name() Name { return NameNative }

// Owner returns what the owner of the sessions has forbidden, or nil.
func (n *Native) Owner() *policy.Owner { return n.manager.Owner() }

// Close ends all sessions that are the backend's own.
func (n *Native) Close(ctx context.Context) error {
	n.mu.Lock()
	n.closed = true
	spaces := n.spaces
	n.spaces = nil
	n.mu.Unlock()
	for _, m := range spaces {
		m.Close(ctx)
	}
	if n.own {
		n.manager.Close(ctx)
	}
	return nil
}

// in returns the sessions of a namespace. It is a host of its own, as it is for the command line: it has its own
// sessions, and its own browsers unless those are shared with other managers anyway.
func (n *Native) in(namespace string) (*session.Manager, error) {
	if namespace == "" {
		return n.manager, nil
	}
	if err := daemon.CheckNamespace(namespace); err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, fault.New(fault.HostUnreachable, "the sessions of namespace %s have been closed", namespace).
			About(namespace)
	}
	if m := n.spaces[namespace]; m != nil {
		return m, nil
	}
	m, err := session.New(session.Options{
		Registry: n.manager.Registry(),
		Log:      n.log,
		Browsers: n.manager.SharedBrowsers(),
		Owner:    n.manager.Owner(),
	})
	if err != nil {
		return nil, err
	}
	if n.spaces == nil {
		n.spaces = map[string]*session.Manager{}
	}
	n.spaces[namespace] = m
	return m, nil
}

var errWatchdog error = fault.New(fault.Timeout, "the call's time limit was reached")

// watched bounds a call by its watchdog, which rests while a person is asked: people think longer than a command may
// take.
func watched(
	ctx context.Context, inv Invocation,
) (_ context.Context, approve func(context.Context, string) (bool, error), end func()) {
	switch {
	case inv.Timeout <= 0:
		return ctx, inv.Approve, func() {}
	case inv.Approve == nil:
		ctx, cancel := context.WithTimeoutCause(ctx, inv.Timeout, errWatchdog)
		return ctx, nil, cancel
	}
	ctx, cancel := context.WithCancelCause(ctx)
	watchdog := time.AfterFunc(inv.Timeout, func() { cancel(errWatchdog) })
	approve = func(ctx context.Context, question string) (bool, error) {
		watchdog.Stop()
		defer watchdog.Reset(inv.Timeout)
		return inv.Approve(ctx, question)
	}
	return ctx, approve, func() { watchdog.Stop(); cancel(nil) }
}

// redacted is the data of a command as the caller's own calls of it have it. The redactor learns what the command line
// has of secrets.
func redacted(r *redact.Redactor, line []string, res *actions.Result) any {
	r.Learn(redact.New(line, nil))
	w := argv.Read(line)
	if res.Secret {
		r.Also(w.Typed()...)
		r.Also(strings.Join(w.Typed(), " "))
	}
	return r.Data(w.Name(), res.Data)
}

// Run runs one command line.
func (n *Native) Run(ctx context.Context, inv Invocation) Answer {
	ctx, approve, end := watched(ctx, inv)
	defer end()
	manager, err := n.in(inv.Namespace)
	if err != nil {
		return Answer{ExitCode: 1, Error: err.Error(), Code: fault.CodeOf(err)}
	}
	request := session.Request{
		Program: "agent-browser",
		Args:    inv.Args,
		Cwd:     inv.Cwd,
		Stdin:   inv.Stdin,
		Getenv: func(name string) string {
			return inv.Env[name]
		},
		Agent:   !inv.CommandLine,
		Known:   inv.Known,
		Approve: approve,
		Hand:    inv.Hand,
		Report:  inv.Report,
	}
	var learned *redact.Redactor
	if request.Agent {
		learned = redact.New(nil, nil)
		request.Redact = func(line []string, res *actions.Result) any { return redacted(learned, line, res) }
	}
	reply := manager.Do(ctx, request)
	a := Answer{
		Started:  true,
		Text:     reply.Text + reply.Result.Text,
		Warnings: reply.Result.Notes,
		Outcome:  reply.Result.Outcome,
		Secret:   reply.Result.Secret,
		Learned:  learned,
	}
	if reply.Text == "" {
		a.Lifecycle = &reply.Lifecycle
	}
	if p := reply.Page; p != nil {
		a.Page = &contract.PageTarget{TabID: p.Tab, Title: p.Title, URL: p.URL}
	}
	if p := reply.WorkedIn; p != nil {
		a.WorkedIn = &contract.PageTarget{TabID: p.Tab, Title: p.Title, URL: p.URL}
	}
	if ctx.Err() != nil {
		a.TimedOut = errors.Is(context.Cause(ctx), errWatchdog)
		a.Aborted = !a.TimedOut
	}
	if reply.Err != nil {
		a.ExitCode, a.Error, a.Code = 1, reply.Err.Error(), fault.CodeOf(reply.Err)
		if f, ok := errors.AsType[*fault.Error](reply.Err); ok {
			a.Facts = f.Facts
		}
		return a
	}
	if !reply.Result.Failed {
		a.TimedOut, a.Aborted = false, false // it was done before
	}
	if rows, ok := reply.Result.Data.([]batch.BatchRow); ok {
		a.addRows(rows)
	} else {
		a.Data = valueOf(reply.Result.Data)
		result := actions.Result{Data: a.Data, Facts: reply.Result.Facts}
		a.ResultFacts = result.AllFacts()
		if reply.Bare() {
			a.Data = actions.WithoutEnvelope(a.Data)
		}
	}
	a.Success = !reply.Result.Failed
	if !a.Success {
		a.ExitCode = 1
		a.Stderr = reply.Result.ErrText
	}
	return a
}

// Place says where the tool may write a file for a call.
func (n *Native) Place(inv Invocation, file string) (policy.Destination, error) {
	manager, err := n.in(inv.Namespace)
	if err != nil {
		return policy.Destination{}, err
	}
	return manager.Destination(session.Request{Args: inv.Args, Cwd: inv.Cwd, Getenv: func(name string) string {
		return inv.Env[name]
	}}, inv.Session, file)
}

// valueOf returns data that writes its JSON by itself, such as a snapshot, as the type that it is a form of. Reports
// stay beside the data.
func valueOf(data any) any {
	if reported, ok := data.(*actions.Reported); ok {
		return reported
	}
	return fact.Value(data)
}

func (a *Answer) addRows(rows []batch.BatchRow) {
	for _, r := range rows {
		result := actions.Result{Data: valueOf(r.Result), Facts: r.ResultFacts}
		row := Row{
			Command:     r.Command,
			Success:     r.Success,
			Result:      result.Data,
			ResultFacts: result.AllFacts(),
			Shown:       r.Shown,
			Text:        r.Text,
			Code:        fault.Code(r.Code),
			Facts:       r.Facts,
			Warnings:    r.Warnings,
			Secret:      r.Secret,
		}
		if r.Error != nil {
			row.Error = *r.Error
		}
		a.Rows = append(a.Rows, row)
		for _, left := range r.NotRun {
			a.Rows = append(a.Rows, Row{Command: left.Command, Skipped: true})
		}
	}
}
