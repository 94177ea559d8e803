package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

// queue runs a command in its turn: when no other caller has locked the session, no person works in it, and none of the
// commands before it is in its way. The time of the request's command counts from here.
func (r *runner) queue(ctx context.Context, in *actions.Input) (actions.Result, error) {
	e, row := in.Command().Effect, in != r.top
	if !row {
		r.deadline = time.Now().Add(timeLimit(in) - r.req.waited)
	}
	if err := r.awaitHandBack(ctx, in); err != nil {
		return actions.Result{}, err
	}
	if !e.Has(actions.Control) && (!row || r.queueRows) {
		leave, err := r.enter(ctx, in)
		if err != nil {
			return actions.Result{}, err
		}
		defer leave()
		if !in.Command().Rows { // each of its rows asks
			if err := r.awaitHandBack(ctx, in); err != nil { // a takeover may have begun meanwhile
				return actions.Result{}, err
			}
		}
	}
	if !row && !e.Has(actions.NoBrowser) {
		if err := r.checkLaunch(ctx, in); err != nil {
			return actions.Result{}, err
		}
	}
	return r.bounded(ctx, in)
}

// laneOf returns the tab in which a command works alone, so that commands for other tabs may run beside it. It is empty
// for a command that has the session for itself: one whose definition does not say that it works in its tab alone, and
// any that has to start, restore or replace something first. The tab is that of --tab, else the active one at this
// moment: a tab that becomes active later does not change it.
func (s *callSession) laneOf(in *actions.Input) string {
	if !in.Command().Effect.Has(actions.InTab) {
		return ""
	}
	return s.Lane(s.tabOf(in, ""))
}

// enter waits in the session's queue, for at most the command's own time.
func (r *runner) enter(ctx context.Context, in *actions.Input) (leave func(), err error) {
	ctx, stop := r.session.Lifetime.Within(ctx)
	defer stop()
	ctx, cancel := r.withDeadline(ctx, in)
	defer cancel()
	tab := r.session.laneOf(in)
	leave, err = r.session.queue.Enter(ctx, in.Name(), tab)
	if err == nil {
		r.fixed = ""
		if now := r.session.ActiveTab(); tab != "" && !in.Has("tab") && (now == nil || now.ID != tab) {
			r.fixed = tab // another tab became the active one meanwhile
		}
	}
	return leave, err
}

// person returns a channel that is closed when a person's work in the session ends, and what to report about it; nil
// means no person works in it.
func (s *Session) person() (freed <-chan struct{}, err *fault.Error) {
	if freed, since, text := s.handoffs.Ended(); freed != nil {
		return freed, fault.New(fault.TakenOver, "session %s waits for a person, since %s: %q", s.name,
			time.Since(since).Round(time.Second), text).
			WithHint(
				"Wait for the person with `handoff wait`, or take the session back with `handoff cancel`; or use " +
					"another --session.")
	}
	freed, since := s.takeover.Ended()
	if freed == nil {
		return nil, nil
	}
	return freed, fault.New(fault.TakenOver, "a person has taken over session %s, %s ago", s.name,
		time.Since(since).Round(time.Second)).
		WithHint(
			"Wait until they hand it back in the dashboard, then look at the page before going on; or use another --session.")
}

// awaitHandBack waits, for at most the command's own time, until no person works in the session: one who has taken it
// over, or to whom it was handed. Commands that control the session or need no browser do not wait.
func (r *runner) awaitHandBack(ctx context.Context, in *actions.Input) error {
	if err := r.awaitLock(ctx, in); err != nil {
		return err
	}
	if e := in.Command().Effect; e.Has(actions.Control) || e.Has(actions.NoBrowser) {
		return nil
	}
	freed, _ := r.session.person()
	if freed == nil {
		return nil
	}
	ctx, stop := r.session.Lifetime.Within(ctx)
	defer stop()
	ctx, cancel := r.withDeadline(ctx, in)
	defer cancel()
	for freed != nil {
		select {
		case <-freed:
		case <-ctx.Done():
			cause := context.Cause(ctx)
			if fault.CodeOf(cause) != fault.Timeout {
				return cause
			}
			_, err := r.session.person()
			if err == nil { // it has just ended
				return cause
			}
			err.Message += "; `" + in.Name() + "` was not run"
			return err.About(r.session.name)
		}
		freed, _ = r.session.person()
	}
	return nil
}

// withDeadline ends ctx at the deadline of the next command.
func (r *runner) withDeadline(ctx context.Context, in *actions.Input) (context.Context, context.CancelFunc) {
	if r.deadline.IsZero() {
		return context.WithTimeout(ctx, timeLimit(in))
	}
	return context.WithDeadline(ctx, r.deadline)
}
