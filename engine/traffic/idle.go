package traffic

import (
	"context"
	"errors"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// idleTime is how long no request may be under way before the network counts as idle, which is Chromium's own time.
const idleTime = 500 * time.Millisecond

// lateStart is how long after the load event a page's network is known well enough by what was heard since: what began before that and is not
// answered by then is a request that the server holds.
const lateStart = 15 * time.Second

// quietSince returns since when nothing is under way, and false while something is. A fetch whose response has come and whose body does not is
// one that its page leaves unread, which Chromium never calls finished: it counts from the last part that came.
func (t *Traffic) quietSince() (since time.Time, quiet bool) {
	since = t.changed
	for _, r := range t.underWay {
		switch {
		case r.lasts:
		case r.Type != "Fetch" || r.data.IsZero():
			return time.Time{}, false
		case r.data.After(since):
			since = r.data
		}
	}
	return since, true
}

// IdleAt returns when the main frame's document reaches the state networkidle, if nothing is asked for until then. It is called with the lock held.
func (t *Traffic) IdleAt() (at time.Time, expected bool) {
	d := t.page.Document()
	switch {
	case d.Idle:
		return time.Time{}, true
	case !d.Loaded:
		return time.Time{}, false
	}
	since, quiet := t.quietSince()
	if !quiet {
		return time.Time{}, false
	}
	if since.Before(d.LoadedAt) {
		since = d.LoadedAt
	}
	at = since.Add(idleTime)
	if t.document != d.Loader && d.LoadedAt.Add(lateStart).After(at) { // the browser tells of its requests, or began to when some were under way
		at = d.LoadedAt.Add(lateStart)
	}
	return at, t.IsRecorded() || t.page.Told()
}

// AwaitIdle waits for the moment that at returns: the time at which the page will be idle if nothing else happens, and whether there is one yet. at
// is called after each event, with the lock held.
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

var errIdle = fault.New(fault.Timeout, "nothing was asked for")

// AwaitQuiet waits until the page has requested nothing for the duration quiet and no request is pending. Requests before from do not count. The
// page's traffic must be recorded, see [Traffic.Record].
func (t *Traffic) AwaitQuiet(ctx context.Context, from time.Time, quiet time.Duration) error {
	return t.AwaitIdle(ctx, "waiting for requests", func() (time.Time, bool) { return t.quietAt(from, quiet) })
}

// IsQuiet reports whether that is so now.
func (t *Traffic) IsQuiet(from time.Time, quiet time.Duration) bool {
	t.page.State.Lock()
	defer t.page.State.Unlock()
	at, is := t.quietAt(from, quiet)
	return is && !at.After(time.Now())
}

func (t *Traffic) quietAt(from time.Time, quiet time.Duration) (time.Time, bool) {
	since, is := t.quietSince()
	if since.Before(from) {
		since = from
	}
	return since.Add(quiet), is
}
