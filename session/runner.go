package session

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/lifecycle"
)

// runner runs the commands of one request.
type runner struct {
	manager    *Manager
	req        Request
	session    *callSession
	approved   *actions.Input  // the command that a person has confirmed
	asked      *actions.Input  // the command that the person at the caller has just confirmed
	lifetime   context.Context // of a command with rows: the session's lifetime when it began
	firstRules bool            // the request brought the session's first rules
	queueRows  bool            // each row waits in the session's queue
	fixed      string          // the tab that the command was fixed to while it waited for its turn; empty: the active one, or that of --tab
	deadline   time.Time       // the deadline of the next command, which includes its waits; zero: it starts when the command runs
}

func (r *runner) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(r.req.Cwd, p)
}

// runTop runs the command of the request, and says whether it may be sent again.
func (r *runner) runTop(ctx context.Context, in *actions.Input) (actions.Result, error) {
	ctx, sent := cdp.Track(ctx)
	res, err := r.admit(ctx, in)
	res.Outcome = actions.OutcomeOf(in, &res, err, sent)
	return res, err
}

// admit checks the policy and the launch options, waits in the session's queue, and runs a command.
func (r *runner) admit(ctx context.Context, in *actions.Input) (actions.Result, error) {
	cmd := in.Command()
	if instead, err := r.checkPolicy(ctx, in); err != nil {
		return actions.Result{}, err
	} else if instead != nil {
		return *instead, nil
	}
	r.deadline = time.Now().Add(timeLimit(in) - r.req.waited)
	if err := r.awaitHandBack(ctx, in); err != nil {
		return actions.Result{}, err
	}
	if !cmd.Effect.Has(actions.Control) {
		leave, err := r.enter(ctx, in)
		if err != nil {
			return actions.Result{}, err
		}
		defer leave()
	}
	if !cmd.Effect.Has(actions.NoBrowser) {
		if err := r.checkLaunch(ctx, in); err != nil {
			return actions.Result{}, err
		}
	}
	if cmd.Rows { // each of its rows has its own deadline
		r.deadline = time.Time{}
		r.session.keepsTurn = !cmd.Effect.Has(actions.Control) // the rows behind a `close` still belong to it
		r.lifetime, r.queueRows = r.session.Lifetime.Current(), cmd.Effect.Has(actions.Control)
		return r.run(ctx, in, time.Time{}, 0)
	}
	return r.exec(ctx, in)
}

// timeLimit returns how long a command may take.
func timeLimit(in *actions.Input) time.Duration {
	limit := in.Duration("timeout")
	if d := in.Command().AtLeast; d != nil {
		needs := d(in)
		limit = max(limit, needs+min(needs, maxExtraTime))
	}
	return limit
}

// checkTimeout refuses a command that would have no time at all, as those mean no limit who write 0.
func checkTimeout(in *actions.Input) error {
	if in.Duration("timeout") > 0 {
		return nil
	}
	return actions.UsageErrorf("--timeout 0 leaves `%s` no time: every command has a limit.", in.Name()).
		WithHint("Give milliseconds, such as --timeout 600000 for ten minutes; without --timeout it is 25 seconds.")
}

// maxExtraTime bounds the time that a command gets in addition to a time that its arguments require, such as how long to hold a button. It is at most
// that time again.
const maxExtraTime = 2 * time.Second

// withDeadline ends ctx at the deadline of the next command.
func (r *runner) withDeadline(ctx context.Context, in *actions.Input) (context.Context, context.CancelFunc) {
	if r.deadline.IsZero() {
		return context.WithTimeout(ctx, timeLimit(in))
	}
	return context.WithDeadline(ctx, r.deadline)
}

// checkLaunch handles launch options that the running browser does not have. A command that opens a page replaces the browser, since it leaves the
// page anyway, and a note reports it. All others keep the browser: they fail if the caller typed the options or they name another browser, and a note
// reports options of the environment.
func (r *runner) checkLaunch(ctx context.Context, in *actions.Input) error {
	s := r.session
	lease := s.Lease()
	if lease == nil || lease.Browser.Err() != nil && (lease.Launch.Connect == nil || s.Launch.Connect == nil) {
		return nil
	}
	differ := s.Launch.NotIn(lease.Launch)
	if len(differ) == 0 {
		return nil
	}
	lost := lease.Browser.Err() != nil // and the call names another browser
	if lost || in.Command().Is(trait.Opens) && in.Has("url") {
		ctx, stop := s.Lifetime.Within(ctx)
		defer stop()
		ctx, cancel := r.withDeadline(ctx, in)
		defer cancel()
		return s.Replace(ctx, differ)
	}
	if err := launch.CheckGated(differ); err != nil && !in.Command().Effect.Has(actions.Control) && !in.Command().Choosing {
		return err
	}
	note, err := s.Launch.Unapplied(differ)
	if note != "" {
		s.addNotice("the session's browser already runs and keeps its options; " + note)
	}
	if in.Command().Choosing {
		return nil
	}
	return err
}

// How much longer than its timeout a command may take to report: answerGrace if the caller set the timeout on the command line, see [Options.Grace];
// otherwise defaultGrace, since the command may have to start a browser first.
const (
	answerGrace  = 80 * time.Millisecond
	defaultGrace = 2 * time.Second
)

// startPatience is the additional time of a command that starts its session's browser, if the caller set no timeout: on an overloaded machine a
// browser takes seconds to start. Only the start may use it.
const startPatience = 10 * time.Second

// startTime returns startPatience if the command may have to start a browser, else 0.
func (r *runner) startTime(in *actions.Input) time.Duration {
	if in.Flagged("timeout") || in.Command().Effect.Has(actions.NoBrowser) || r.session.Running() {
		return 0
	}
	return startPatience
}

func (r *runner) grace(in *actions.Input) time.Duration {
	if in.Flagged("timeout") {
		return r.manager.grace
	}
	return max(r.manager.grace, defaultGrace)
}

// exec runs a command, and says whether it may be sent again.
func (r *runner) exec(ctx context.Context, in *actions.Input) (actions.Result, error) {
	if !in.Changes() {
		return r.execBounded(cdp.Untracked(ctx), in) // a program that ran this, and nothing else, may be sent again
	}
	ctx, sent := cdp.Track(ctx)
	res, err := r.execBounded(ctx, in)
	res.Outcome = actions.OutcomeOf(in, &res, err, sent)
	return res, err
}

// execBounded runs a command under its deadline. It ends when the session closes. A command that closes goes on when its caller is gone.
func (r *runner) execBounded(ctx context.Context, in *actions.Input) (actions.Result, error) {
	if r.lifetime != nil && r.lifetime != r.session.Lifetime.Current() {
		return actions.Result{}, lifecycle.Closed()
	}
	if r.lifetime != nil {
		if instead, err := r.checkPolicy(ctx, in); err != nil {
			return actions.Result{}, err
		} else if instead != nil {
			return *instead, nil
		}
	}
	if err := r.awaitHandBack(ctx, in); err != nil { // a takeover may start during a batch
		return actions.Result{}, err
	}
	if r.queueRows && !in.Command().Effect.Has(actions.Control) {
		leave, err := r.enter(ctx, in)
		if err != nil {
			return actions.Result{}, err
		}
		defer leave()
	}
	end := r.session.record(in, r.fixed)
	r.session.changed()
	res, err := r.execLogged(ctx, in)
	run.BoundError(err)
	end(res, err)
	if err == nil {
		r.session.noteAppEnded()
		return res, nil
	}
	return res, r.session.withAppEnded(err)
}

func (r *runner) execLogged(ctx context.Context, in *actions.Input) (actions.Result, error) {
	closes, life := in.Command().Effect.Has(actions.Closes), r.session.Lifetime.Current()
	if closes {
		if r.lifetime != nil {
			defer func() { r.lifetime = r.session.Lifetime.Current() }() // the rows after a `close` get a new browser
		}
		ctx = context.WithoutCancel(ctx)
		cdp.Changing(ctx) // what ends may have ended, whatever comes of the rest
	} else {
		var stop func()
		ctx, stop = r.session.Lifetime.Within(ctx)
		defer stop()
	}
	limit, deadline := timeLimit(in), r.deadline
	if deadline.IsZero() {
		deadline = time.Now().Add(limit)
	} else {
		r.deadline = time.Time{} // commands that it runs have their own deadlines
	}
	starting := r.startTime(in)
	limit, deadline = limit+starting, deadline.Add(starting)
	ctx, cancel := context.WithDeadline(ctx, deadline.Add(r.grace(in)))
	defer cancel()
	res, err := r.run(ctx, in, deadline, starting)
	if !closes {
		err = lifecycle.OrClosed(life, err)
	}
	if err != nil && errors.Is(err, context.DeadlineExceeded) && fault.CodeOf(err) == fault.Timeout {
		if _, ok := errors.AsType[*fault.Error](err); !ok {
			err = fault.New(fault.Timeout, "`%s` timed out after %s: %w", in.Name(), (limit - max(0, time.Until(deadline))).Round(time.Millisecond), err)
		}
	}
	return res, err
}

// run runs a command. Of the time until the deadline, starting is reserved for the start of a browser.
func (r *runner) run(ctx context.Context, in *actions.Input, deadline time.Time, starting time.Duration) (actions.Result, error) {
	around := r.session.scope()
	if in.Has("tab") && in.Command().OneTab() {
		around.Tabs = &lifecycle.NamedTab{Use: r.session.Use, Name: in.String("tab")}
	} else if r.fixed != "" && in.Command().Effect.Has(actions.InTab) {
		around.Tabs = &lifecycle.NamedTab{Use: r.session.Use, Name: r.fixed}
	}
	began := time.Now()
	call := &actions.Call{
		Input: in, Scope: around, Deadline: deadline,
		Caller: actions.Caller{
			Cwd: r.req.Cwd, Stdin: r.req.Stdin, Getenv: r.req.Getenv, Terminal: r.req.Terminal, Out: r.req.Out, ErrOut: r.req.ErrOut,
			Attended: r.req.Attended, Report: r.req.Report,
		},
		Person: actions.Person{
			Ask: r.req.Ask, Hand: r.req.Hand, Approve: r.req.Approve,
			Hold: func(ctx context.Context, why string) (*actions.Result, error) { return r.hold(ctx, in, why) },
		},
		Lines: actions.Lines{
			Exec: r.exec, ExecIn: r.execIn, Redact: r.req.Redact,
			Parse: func(argv []string) (*actions.Input, error) {
				row, err := r.manager.registry.Parse(argv, actions.ParseOptions{Program: r.req.Program, Tool: r.req.Agent, Getenv: r.req.Getenv, Within: in})
				if err == nil {
					err = checkTimeout(row)
				}
				return row, err
			},
		},
		Looker: look.Looker{},
		Beside: func(tab *actions.Tab) bool { return r.session.queue.At(tab.ID, began) },
		Brief:  r.manager.brief && r.lifetime == nil,
	}
	r.session.OnTab = func(took time.Duration) {
		call.Deadline, starting = call.Deadline.Add(-max(0, starting-took)), 0
	}
	if cmd := in.Command(); !cmd.Choosing && !cmd.Effect.Has(actions.NoBrowser) && !cmd.Effect.Has(actions.Closes) {
		if err := r.session.Reconnect(cdp.Untracked(ctx)); err != nil {
			return actions.Result{}, err
		}
	}
	if cmd := in.Command(); !cmd.Choosing && !cmd.Effect.Has(actions.NoBrowser) && (!cmd.Effect.Has(actions.Closes) || cmd.OneTab()) {
		r.session.Recovery = lifecycle.Recovery{OpensURL: cmd.Is(trait.Opens) && in.Has("url"), Reloads: cmd.Is(trait.Reloads), Blank: in.Bool("no-restore-tabs")}
		if err := r.session.Recover(cdp.Untracked(ctx)); err != nil {
			return actions.Result{}, err
		}
	}
	res, err := run.Command(ctx, call)
	if how := r.session.Recovery; how.OpensURL || how.Reloads { // no page has loaded the URL, so another browser may
		switch again, failed := r.session.RecoverFrom(cdp.Untracked(ctx), err); {
		case failed != nil:
			return actions.Result{}, failed
		case again:
			return run.Command(ctx, call)
		}
	}
	return res, err
}
