package engine

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/engine/liveness"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// How long a page that a caller leaves may owe a sign of life before the script that keeps it busy is ended: a third of
// the time that there is.
const (
	busyPatience = 3 * time.Second
	leastBusy    = 500 * time.Millisecond
)

// busySilence is from when on a page that owes a sign of life is called busy in an error.
const busySilence = 300 * time.Millisecond

// departing is a navigation that a caller asks for.
type departing struct {
	page   *Page
	began  time.Time
	from   string
	gaveUp string         // the address that the page was on its way to
	sign   *liveness.Sign // of the page that is left; nil means that it was not asked
	timer  *time.Timer
	freed  atomic.Bool
}

// depart is called before a navigation is asked for. One that is under way is given up: it would keep back what is sent
// to the page. A page whose script keeps its process busy cannot be left for another one of the same process before
// that script ends, so depart ends it.
func depart(ctx context.Context, p *Page) *departing {
	d := &departing{page: p, began: time.Now(), from: p.URL()}
	if p.Err() != nil || p.Dialogs().Open() != nil || !p.Attached() {
		return d
	}
	if under := p.alive.Departing(p.sess); under != nil {
		if time.Since(under.Since) > gaveUpAfter {
			d.gaveUp = under.To
		}
		stopLoading(p)
		return d // whether the page lives is not known before that is done
	}
	patience := busyPatience
	if end, ok := ctx.Deadline(); ok {
		patience = min(patience, max(leastBusy, time.Until(end)/3))
	}
	d.sign = p.alive.Ask(p.sess, p.ctxt.browser.Spawn)
	d.timer = time.AfterFunc(patience, func() {
		if d.busy() && ctx.Err() == nil && p.Dialogs().Open() == nil && !p.ctxt.policies.Shown() {
			d.freed.Store(true)
			p.sess.Start("Runtime.terminateExecution", nil) // which is not kept back by the navigation
		}
	})
	return d
}

// gaveUpAfter is how long a navigation must have been under way for its end to be told. One that has failed is under
// way to the page that says so.
const gaveUpAfter = time.Second

// stopLoading gives up the navigation of the main frame that is under way. The browser process answers it.
func stopLoading(p *Page) {
	p.sess.Start("Page.stopLoading", nil)
	p.alive.GiveUp(p.sess)
}

func (d *departing) busy() bool { return d.sign != nil && !d.sign.Came() }

// end is called when the navigation is over, with its outcome. One that the caller waits for no longer is given up, so
// that the tab can be used.
func (d *departing) end(nav *Navigation, err error, doing string) error {
	if d.timer != nil {
		d.timer.Stop()
	}
	if err == nil {
		nav.Freed, nav.GaveUp = d.freed.Load(), d.gaveUp
		return nil
	}
	p := d.page
	arriving := p.alive.Departing(p.sess) != nil
	if arriving && (fault.Is(err, fault.Timeout) || fault.Is(err, fault.Canceled)) {
		stopLoading(p)
	}
	if !fault.Is(err, fault.Timeout) {
		return err
	}
	took := time.Since(d.began).Round(10 * time.Millisecond)
	var e *fault.Error
	switch silence := p.alive.Silence(); {
	case arriving && d.busy():
		e = fault.New(fault.Timeout,
			"%s: the page that the tab shows keeps its process busy, and could not be left within %s", doing, took).
			With("waitsFor", "page").
			WithHint("`tab new <url>` opens an address beside it, and `tab close` ends it.")
	case arriving:
		e = fault.New(fault.Timeout, "%s: no answer came within %s; the request was given up, and the tab stays on %s", doing,
			took, d.from).With("waitsFor", "server").
			WithHint("The server is slow or silent; raise --timeout to wait longer.")
	case silence >= busySilence:
		e = fault.New(fault.Timeout, "%s: the page has come, and its script keeps it busy: it was not ready within %s", doing,
			took).With("waitsFor", "page").
			WithHint("`open <url>` ends the script and goes elsewhere; raise --timeout if it only takes its time.")
	default:
		e = fault.New(fault.Timeout,
			"%s: the page arrived, but did not finish loading within %s; the tab shows what has loaded", doing,
			took).With("waitsFor", "server").
			WithHint(
				"The server is slow with the rest; `wait --load load` waits on, and --wait-until none does not wait for it.")
	}
	e.Err = err
	return e
}

// Departing returns the navigation of the main frame that keeps the page from answering; nil means that none does.
func Departing(p *Page) *liveness.Departure { return p.alive.Departing(p.sess) }

// AskForSign asks the page for a sign of life, unless something is known to keep it from giving one. [Silence] tells
// for how long it has owed that.
func AskForSign(p *Page) *liveness.Sign {
	if p.Err() != nil || p.Dialogs().Open() != nil || !p.Attached() {
		return nil
	}
	return p.alive.Ask(p.sess, p.ctxt.browser.Spawn)
}

// HandledInput records that the main thread of the page has handled input, which is a sign of life.
func HandledInput(p *Page) { p.alive.HandledInput() }

// Silence returns for how long the page has owed a sign of life, if nothing else than its own scripts is known to keep
// it from giving one.
func Silence(p *Page) time.Duration {
	if p.Err() != nil || p.Dialogs().Open() != nil || Departing(p) != nil {
		return 0
	}
	return p.alive.Silence()
}

// BlockingNavigation returns the navigation of the main frame that keeps the page from answering, after it was seen not
// to answer; nil means that it does.
func BlockingNavigation(ctx context.Context, p *Page) *liveness.Departure {
	d := Departing(p)
	if d == nil || p.Err() != nil || p.Dialogs().Open() != nil {
		return nil
	}
	called, end := p.alive.Call(ctx, p.sess)
	defer end()
	if _, err := p.sess.CallRaw(called, "Runtime.evaluate", world.Params{
		Expression: "0",
	}); err == nil || Departing(p) == nil {
		return nil
	}
	return d
}

// UnderWayFor returns for how long the page has been on its way to a document, or that document has been coming.
func UnderWayFor(p *Page) time.Duration {
	if d := Departing(p); d != nil {
		return time.Since(d.Since)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if came := p.main.loaded.came; !p.loading.underWayLocked() && !came.IsZero() {
		return time.Since(came)
	}
	return 0
}

// tellDeparture tells the page's log whether a frame is on its way, if that keeps a session from answering. The caller
// holds p.mu.
func tellDeparture(p *Page, frame string) {
	switch f := p.frames.byID[frame]; {
	case f == nil:
	case f == p.main:
		p.alive.Set(p.sess, p.loading.started, urls.Public(p.loading.url))
	case f.parent != nil && f.sess != f.parent.sess:
		p.alive.Set(f.sess, f.started, urls.Public(f.url))
	}
}
