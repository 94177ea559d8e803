package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
)

// awaitHandBack waits, for at most the command's own time, until no person has taken over the session. Commands that control the session or need no
// browser do not wait.
func (r *runner) awaitHandBack(ctx context.Context, in *actions.Input) error {
	if err := r.awaitLock(ctx, in); err != nil {
		return err
	}
	if e := in.Command().Effect; e.Has(actions.Control) || e.Has(actions.NoBrowser) {
		return nil
	}
	freed, since := r.session.takeover.Ended()
	if freed == nil {
		return nil
	}
	ctx, stop := r.session.untilClosed(ctx)
	defer stop()
	ctx, cancel := r.withDeadline(ctx, in)
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
		freed, since = r.session.takeover.Ended()
	}
	return nil
}
