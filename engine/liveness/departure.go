package liveness

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// From the start of a navigation until its end, Chromium keeps back what is sent to the frame that navigates, if the
// frame is the outermost one of its session: a call is answered when the next document is there or none came, which a
// silent server puts off for minutes. Calls that the browser process answers, such as those of input, Page.navigate and
// Page.stopLoading, are not kept back, nor is Runtime.terminateExecution.
const (
	// heldGrace is how long a call may go unanswered that was sent at about the time at which its page began to leave. One
	// that came to the page before is answered within milliseconds.
	heldGrace = 500 * time.Millisecond

	// certain is how long before a page begins to leave a call must have been sent to have come to the page for certain.
	// It may take its time then.
	certain = 250 * time.Millisecond

	// reserve is what remains of the caller's time when such a call is given up, to say so.
	reserve = 60 * time.Millisecond
)

// Departure is a navigation that is under way.
type Departure struct {
	To    string
	Since time.Time
	id    string
}

// Log follows the departures of a page's sessions, and the calls to them. The zero Log is ready.
type Log struct {
	mu    sync.Mutex
	under map[*cdp.Session]*Departure
	calls map[*call]struct{}
	sign  *Sign  // the last one that was asked for
	given string // id of the last navigation that was given up
}

// call is one to a page that may be on its way to another document.
type call struct {
	on     *cdp.Session
	sent   time.Time
	ends   time.Time // the caller's deadline, or zero
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

// Set records the navigation of a session's frame, by the browser's id; "" means none. It may be called repeatedly.
func (l *Log) Set(on *cdp.Session, id, to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.under[on]
	switch {
	case id == "", id == l.given:
		l.endLocked(on)
		return
	case was != nil && was.id == id:
		return
	case l.under == nil:
		l.under = map[*cdp.Session]*Departure{}
	}
	d := &Departure{To: to, Since: time.Now(), id: id}
	l.under[on] = d
	for c := range l.calls {
		if c.on == on && (c.timer != nil || d.Since.Sub(c.sent) < certain) { // one that was kept back before still is
			l.limitLocked(c, d)
		}
	}
}

// GiveUp notes that the navigation of a session's frame was given up, before the browser tells that it has ended.
func (l *Log) GiveUp(on *cdp.Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.under[on]; d != nil {
		l.given = d.id
		l.endLocked(on)
	}
}

// endLocked ends a departure: what was kept back goes to the page.
func (l *Log) endLocked(on *cdp.Session) {
	delete(l.under, on)
	for c := range l.calls {
		if c.on == on && c.timer != nil {
			c.timer.Stop()
			c.timer = nil
		}
	}
}

// Departing returns the navigation that keeps what is sent on a session from its page, or nil.
func (l *Log) Departing(on *cdp.Session) *Departure {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.under[on]
}

// Call returns a context for one call to a page. It ends, with an error for which [world.IsNavigated] holds, when the
// browser keeps the call back. The caller calls end when the call is over.
func (l *Log) Call(ctx context.Context, on *cdp.Session) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &call{on: on, sent: time.Now(), cancel: cancel}
	c.ends, _ = ctx.Deadline()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls == nil {
		l.calls = map[*call]struct{}{}
	}
	l.calls[c] = struct{}{}
	if d := l.under[on]; d != nil {
		l.limitLocked(c, d)
	}
	return ctx, func() {
		l.mu.Lock()
		delete(l.calls, c)
		if c.timer != nil {
			c.timer.Stop()
		}
		l.mu.Unlock()
		cancel(nil)
	}
}

// limitLocked ends a call that is still unanswered after heldGrace, if the same departure keeps it back then.
func (l *Log) limitLocked(c *call, d *Departure) {
	if c.timer != nil {
		c.timer.Stop()
	}
	grace := heldGrace
	if !c.ends.IsZero() {
		grace = min(grace, time.Until(c.ends)-reserve)
	}
	c.timer = time.AfterFunc(grace, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if _, pending := l.calls[c]; pending && l.under[c.on] == d {
			c.cancel(d.Err())
		}
	})
}

// Err returns the error of a page that cannot answer before its navigation has ended.
func (d *Departure) Err() *fault.Error {
	e := fault.New(fault.Timeout,
		"the page is navigating to %s, which did not arrive within %s; until then, the page can be neither read nor used",
		d.To, readable(time.Since(d.Since))).About(d.To).
		WithHint(
			"`wait --load load` waits on, `reload` gives it up and loads the page of now again, and `open <url>` "+
				"goes elsewhere.").With("navigating", d.To)
	e.Err = world.ErrNavigated
	return e
}

// readable rounds a duration to what a reader wants to know of it.
func readable(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(10 * time.Millisecond)
}
