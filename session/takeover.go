package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
)

// handedBack waits, for as long as the command itself may take, until no person works in the session. Commands that control the session and
// those that need no browser do not wait.
func (r *runner) handedBack(ctx context.Context, in *actions.Input) error {
	if err := r.unlocked(ctx, in); err != nil {
		return err
	}
	if e := in.Command().Effect; e.Has(actions.Control) || e.Has(actions.NoBrowser) {
		return nil
	}
	freed, since := r.session.taken.Lasts()
	if freed == nil {
		return nil
	}
	ctx, stop := r.session.during(ctx)
	defer stop()
	ctx, cancel := r.within(ctx, in)
	defer cancel()
	for freed != nil {
		select {
		case <-freed:
		case <-ctx.Done():
			if cause := context.Cause(ctx); fault.CodeOf(cause) != fault.Timeout {
				return cause
			}
			return fault.New(fault.TakenOver, "a person has taken over session %s, %s ago; `%s` was not run", r.session.name,
				time.Since(since).Round(time.Second), in.Name()).About(r.session.name).
				WithHint("Wait until they hand it back in the dashboard, then look at the page before going on; or use another --session.")
		}
		freed, since = r.session.taken.Lasts()
	}
	return nil
}
