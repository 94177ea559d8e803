package session

import (
	"context"

	"github.com/skua-browser/skua/actions"
)

// laneOf returns the tab in which a command works alone, so that commands for other tabs may run beside it. It is empty for a command that has the
// session for itself: one whose definition does not say that it works in its tab alone, and any that has to start, restore or replace something
// first. The tab is that of --tab, else the active one at this moment: a tab that becomes active later does not change it.
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
