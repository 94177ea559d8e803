package traffic

import (
	"context"
	"errors"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// idleTime is how long no request may be under way before the network counts as idle, which is Chromium's own time.
const idleTime = 500 * time.Millisecond

// lateStart is how long after the load event a page's network is known well enough by what was heard since: what began
// before that and is not answered by then is a request that the server holds.
const lateStart = 15 * time.Second

// quietSince returns since when the page waits for nothing, which is to come if it waits for something now. Requests
// that began before from do not count.
func (t *Traffic) quietSince(from time.Time) time.Time {
	since := t.changed
	for _, r := range t.underWay {
		if until := r.until(); !r.begun.Before(from) && until.After(since) {
			since = until
		}
	}
	return since
}

// IdleAt returns when the main frame's document reaches the state networkidle, if nothing is asked for until then. It
// is called with the lock held.
func (t *Traffic) IdleAt() (at time.Time, expected bool) {
	d := t.page.Document()
	switch {
	case d.Idle:
		return time.Time{}, true
	case !d.Loaded:
		return time.Time{}, false
	}
	since := t.quietSince(time.Time{})
	if since.Before(d.LoadedAt) {
		since = d.LoadedAt
	}
	at = since.Add(idleTime)
	if t.document != d.Loader && d.LoadedAt.Add(lateStart).After(at) {
		// the browser reports its requests, or began to when some were under way
		at = d.LoadedAt.Add(lateStart)
	}
	return at, t.IsRecorded() || t.page.Told()
}

// AwaitIdle waits for the moment that at returns: the time at which the page will be idle if nothing else happens, and
// whether there is one yet. at is called after each event, with the lock held.
func (t *Traffic) AwaitIdle(ctx context.Context, what string, at func() (time.Time, bool)) error {
	for {
		var next time.Time
		expected := false
		look := func() { next, expected = at() }
		t.page.State.Do(look)
		if expected && !next.After(time.Now()) {
			return nil
		}
		pause, cancel := ctx, context.CancelFunc(func() {})
		if expected {
			pause, cancel = context.WithDeadlineCause(ctx, next, errIdle)
		}
		was, had := next, expected
		err := t.page.State.Await(pause, what, func() bool {
			look()
			return expected != had || !next.Equal(was)
		})
		cancel()
		if err != nil && (ctx.Err() != nil || !errors.Is(context.Cause(pause), errIdle)) {
			return err
		}
	}
}

var errIdle = fault.New(fault.Timeout, "no request was sent")

// Quiet says what a quiet page is.
type Quiet struct {
	For   time.Duration // how long it has requested nothing, and waited for nothing
	Since time.Time     // the earliest moment from which on that counts
	Asked time.Time     // requests that began before do not count
}

// AwaitQuiet waits until the page is quiet. The page's traffic must be recorded, see [Traffic.Record].
func (t *Traffic) AwaitQuiet(ctx context.Context, q Quiet) error {
	return t.AwaitIdle(ctx, "waiting for requests", func() (time.Time, bool) { return t.quietAt(q), true })
}

// IsQuiet reports whether that is so now.
func (t *Traffic) IsQuiet(q Quiet) bool {
	t.page.State.Lock()
	defer t.page.State.Unlock()
	return !t.quietAt(q).After(time.Now())
}

func (t *Traffic) quietAt(q Quiet) time.Time {
	since := t.quietSince(q.Asked)
	if since.Before(q.Since) {
		since = q.Since
	}
	return since.Add(q.For)
}
