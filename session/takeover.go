package session

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
)

// takeover is a person's work in a session: as long as it lasts, commands on its pages wait.
type takeover struct {
	mu    sync.Mutex
	since time.Time
	freed chan struct{} // closed when the session is handed back; nil: nobody has taken it
}

func (t *takeover) take() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.freed == nil {
		t.freed, t.since = make(chan struct{}), time.Now()
	}
}

func (t *takeover) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.freed != nil {
		close(t.freed)
		t.freed = nil
	}
}

// lasts returns a channel that is closed at the end; nil when the session is not taken.
func (t *takeover) lasts() (freed <-chan struct{}, since time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.freed, t.since
}

func (t *takeover) is() bool {
	freed, _ := t.lasts()
	return freed != nil
}

// handedBack waits, for as long as the command itself may take, until no person works in the session. Commands that control the session and
// those that need no browser do not wait.
func (r *runner) handedBack(ctx context.Context, in *actions.Input) error {
	if err := r.unlocked(ctx, in); err != nil {
		return err
	}
	if e := in.Command().Effect; e.Has(actions.Control) || e.Has(actions.NoBrowser) {
		return nil
	}
	freed, since := r.session.taken.lasts()
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
		freed, since = r.session.taken.lasts()
	}
	return nil
}
