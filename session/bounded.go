package session

import (
	"context"
	"errors"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/lifecycle"
)

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
	return grammar.UsageErrorf("--timeout 0 leaves `%s` no time: every command has a limit.", in.Name()).
		WithHint("Give milliseconds, such as --timeout 600000 for ten minutes; without --timeout it is 25 seconds.")
}

// maxExtraTime bounds the time that a command gets in addition to a time that its arguments require, such as how long
// to hold a button. It is at most that time again.
const maxExtraTime = 2 * time.Second

// How much longer than its timeout a command may take to report: answerGrace if the caller set the timeout on the
// command line, see [Options.Grace]; otherwise defaultGrace, since the command may have to start a browser first.
const (
	answerGrace  = 80 * time.Millisecond
	defaultGrace = 2 * time.Second
)

// startPatience is the additional time of a command that starts its session's browser, if the caller set no timeout: on
// an overloaded machine a browser takes seconds to start. Only the start may use it.
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

// bounded runs a command within its time, and writes it into the journal. It ends when the session closes. A command
// that closes goes on when its caller is gone. A command with rows has no time of its own: each row has.
func (r *runner) bounded(ctx context.Context, in *actions.Input) (actions.Result, error) {
	cmd, life := in.Command(), r.session.Lifetime.Current()
	if cmd.Rows && in == r.top {
		r.deadline = time.Time{}
		r.session.keepsTurn = !cmd.Effect.Has(actions.Control) // the rows behind a `close` still belong to it
		r.lifetime, r.queueRows = life, cmd.Effect.Has(actions.Control)
		return r.command(ctx, in, time.Time{}, 0)
	}
	if cmd.Effect.Has(actions.Closes) {
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
	limit, deadline, starting := r.times(in)
	ctx, cancel := context.WithDeadline(ctx, deadline.Add(r.grace(in)))
	defer cancel()
	end := r.session.record(in, r.fixed)
	r.session.changed()
	res, err := r.command(ctx, in, deadline, starting)
	if !cmd.Effect.Has(actions.Closes) {
		err = lifecycle.OrClosed(life, err)
	}
	if _, known := errors.AsType[*fault.Error](err); !known && errors.Is(err, context.DeadlineExceeded) &&
		fault.CodeOf(err) == fault.Timeout {
		err = fault.New(fault.Timeout, "`%s` timed out after %s: %w", in.Name(),
			(limit - max(0, time.Until(deadline))).Round(time.Millisecond), err)
	}
	run.BoundError(err)
	end(res, err)
	if err != nil {
		return res, r.session.withAppEnded(err)
	}
	r.session.noteAppEnded()
	return res, nil
}

// times returns how long a command may take and until when. Of that, starting is reserved for the start of a browser.
func (r *runner) times(in *actions.Input) (limit time.Duration, deadline time.Time, starting time.Duration) {
	limit, deadline, starting = timeLimit(in), r.deadline, r.startTime(in)
	if r.deadline = (time.Time{}); deadline.IsZero() { // commands that it runs have their own deadlines
		deadline = time.Now().Add(limit)
	}
	return limit + starting, deadline.Add(starting), starting
}

// command runs a command once the session's browser is there. Of the time until the deadline, starting is reserved for
// the start of a browser.
func (r *runner) command(
	ctx context.Context, in *actions.Input, deadline time.Time, starting time.Duration,
) (actions.Result, error) {
	call := r.call(in, deadline)
	r.session.OnTab = func(took time.Duration) {
		call.Deadline, starting = call.Deadline.Add(-max(0, starting-took)), 0
	}
	if cmd := in.Command(); !cmd.Choosing && !cmd.Effect.Has(actions.NoBrowser) && !cmd.Effect.Has(actions.Closes) {
		if err := r.session.followApp(ctx); err != nil {
			return actions.Result{}, err
		}
		if err := r.session.Reconnect(cdp.Untracked(ctx)); err != nil {
			return actions.Result{}, err
		}
	}
	if cmd := in.Command(); !cmd.Choosing && !cmd.Effect.Has(actions.NoBrowser) &&
		(!cmd.Effect.Has(actions.Closes) || cmd.OneTab()) {
		r.session.Recovery = lifecycle.Recovery{Blank: in.Bool("no-restore-tabs")}
		if cmd.Renews != nil && cmd.Renews(in) {
			r.session.Recovery.OpensURL, r.session.Recovery.Reloads = cmd.Loads(), !cmd.Loads()
		}
		if err := r.session.Recover(cdp.Untracked(ctx)); err != nil {
			return actions.Result{}, err
		}
	}
	res, err := run.Command(ctx, call)
	if e := in.Command().Effect; e.Has(actions.Reads) && !e.Has(actions.Mutates) && !e.Has(actions.Navigates) &&
		r.session.restartedUnder(ctx, err) {
		return run.Command(ctx, r.call(in, deadline)) // it has only read
	}
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

// call returns what a command works with.
func (r *runner) call(in *actions.Input, deadline time.Time) *actions.Call {
	around := r.session.scope()
	if in.Has("tab") && in.Command().OneTab() {
		around.Tabs = &lifecycle.NamedTab{Use: r.session.Use, Name: in.String("tab")}
	} else if r.fixed != "" && in.Command().Effect.Has(actions.InTab) {
		around.Tabs = &lifecycle.NamedTab{Use: r.session.Use, Name: r.fixed}
	}
	began := time.Now()
	return &actions.Call{
		Input:    in,
		Scope:    around,
		Deadline: deadline,
		Caller: actions.Caller{
			Cwd:      r.req.Cwd,
			Stdin:    r.req.Stdin,
			Getenv:   r.req.Getenv,
			Terminal: r.req.Terminal,
			Out:      r.req.Out,
			ErrOut:   r.req.ErrOut,
			Attended: r.req.Attended,
			Report:   r.req.Report,
		},
		Person: actions.Person{
			Ask: r.req.Ask, Hand: r.req.Hand, Approve: r.req.Approve,
			Hold: func(ctx context.Context, why string) (*actions.Result, error) { return r.hold(ctx, in, why) },
		},
		Lines: actions.Lines{
			Exec:   r.gate,
			ExecIn: r.execIn,
			Redact: r.req.Redact,
			Parse: func(argv []string) (*actions.Input, error) {
				row, err := r.manager.registry.Parse(argv, actions.ParseOptions{
					Program: r.req.Program,
					Tool:    r.req.Agent,
					Getenv:  r.req.Getenv,
					Within:  in.Parsed,
				})
				if err == nil {
					err = checkTimeout(row)
				}
				return row, err
			},
		},
		Looker: look.Looker{},
		Beside: func(tab *actions.Tab) bool { return r.session.queue.At(tab.ID, began) },
		Brief:  r.manager.options.Brief && r.lifetime == nil,
	}
}
