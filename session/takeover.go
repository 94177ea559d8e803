package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

// person returns a channel that is closed when a person's work in the session ends, and what to tell of it; nil: no person works in it.
func (s *Session) person() (freed <-chan struct{}, err *fault.Error) {
	if freed, since, text := s.handoffs.Ended(); freed != nil {
		return freed, fault.New(fault.TakenOver, "session %s waits for a person, since %s: %q", s.name, time.Since(since).Round(time.Second), text).
			WithHint("Wait for the person with `handoff wait`, or take the session back with `handoff cancel`; or use another --session.")
	}
	freed, since := s.takeover.Ended()
	if freed == nil {
		return nil, nil
	}
	return freed, fault.New(fault.TakenOver, "a person has taken over session %s, %s ago", s.name, time.Since(since).Round(time.Second)).
		WithHint("Wait until they hand it back in the dashboard, then look at the page before going on; or use another --session.")
}

// awaitHandBack waits, for at most the command's own time, until no person works in the session: one who has taken it over, or to whom it was handed.
// Commands that control the session or need no browser do not wait.
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
