package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// idleTime is how long no request may be under way before the network counts as idle, which is Chromium's own time.
const idleTime = 500 * time.Millisecond

// lateStart is how long after the load event a page's network is known well enough by what was heard since: what began before that and is not
// answered by then is a request that the server holds.
const lateStart = 15 * time.Second

// lasting are the types of requests that a page keeps open, which do not tell whether it is idle.
var lasting = []string{"EventSource", "WebSocket", "Ping", "Media"}

// network follows the requests of a page that are under way, for as long as the browser tells of requests. Guarded by the page's mu.
type network struct {
	asked    string // loader id of the document that was asked for last
	document string // loader id of the main frame's document, if its own request was seen: all that it asks for is known
	underWay map[string]*pending
	changed  time.Time // when the last one began or ended
	whole    int       // how many have ended whole, see PartsGot
}

// pending is a request that is under way.
type pending struct {
	Request
	loader  string
	lasts   bool
	awaited bool // without success, see AwaitParts
	begun   time.Time
	data    time.Time // when its response, or the last part of its body, came; zero: it has no response yet
}

// maxPending bounds what is kept of a page that never gets an answer.
const maxPending = 1000

// record follows one event of domain Network of the page whose main frame has the id main.
func (n *network) record(main, method string, e *networkEvent) {
	now := time.Now()
	r := n.underWay[e.RequestID]
	switch method {
	case "Network.requestWillBeSent": // again for each redirect
		if r == nil && len(n.underWay) >= maxPending {
			return
		}
		if n.underWay == nil {
			n.underWay = map[string]*pending{}
		}
		r = &pending{loader: e.LoaderID, lasts: slices.Contains(lasting, e.Type), begun: now}
		r.ID, r.FrameID, r.Type, r.Begun = e.RequestID, e.FrameID, e.Type, true
		r.Method, r.URL = e.Request.Method, urls.Public(e.Request.URL+e.Request.Fragment)
		n.underWay[e.RequestID] = r
		if e.RequestID == e.LoaderID && e.FrameID == main {
			n.asked = e.LoaderID
		}
		if !r.lasts {
			n.changed = now
		}
	case "Network.responseReceived":
		if r != nil {
			r.Status, r.data = e.Response.Status, now
			r.lasts = r.lasts || strings.HasPrefix(e.Response.MimeType, "text/event-stream")
		}
	case "Network.dataReceived":
		if r != nil {
			r.data = now
		}
	case "Network.loadingFinished":
		if r != nil {
			n.whole++
		}
		n.endLocked(r)
	case "Network.loadingFailed":
		n.endLocked(r)
	}
}

func (n *network) endLocked(r *pending) {
	if r == nil {
		return
	}
	delete(n.underWay, r.ID)
	if !r.lasts {
		n.changed = time.Now()
	}
}

// leaveLocked forgets what a document asked for that its frame no longer shows. Loader is that of the document that it shows, "" for none.
func (n *network) leaveLocked(f *Frame, loader string) {
	if f.parent == nil && n.asked == loader {
		n.document = loader
	}
	for _, r := range n.underWay {
		if r.loader != loader && r.ID != loader && (f.parent == nil || r.FrameID == f.id) {
			n.endLocked(r)
		}
	}
}

// quietSince returns since when nothing is under way, and false while something is. A fetch whose response has come and whose body does not is
// one that its page leaves unread, which Chromium never calls finished: it counts from the last part that came.
func (n *network) quietSince() (since time.Time, quiet bool) {
	since = n.changed
	for _, r := range n.underWay {
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

// idleLocked returns when the main frame's document reaches the state networkidle, if nothing is asked for until then. The caller holds p.mu.
func (p *Page) idleLocked() (at time.Time, expected bool) {
	l := &p.main.loaded
	switch {
	case l.networkIdle:
		return time.Time{}, true
	case !l.load:
		return time.Time{}, false
	}
	since, quiet := p.net.quietSince()
	if !quiet {
		return time.Time{}, false
	}
	if since.Before(l.loadedAt) {
		since = l.loadedAt
	}
	at = since.Add(idleTime)
	if p.net.document != l.loader && l.loadedAt.Add(lateStart).After(at) { // the browser tells of its requests, or began to when some were under way
		at = l.loadedAt.Add(lateStart)
	}
	return at, len(p.traffic) > 0 || p.ctxt.HasOverride(networkKey)
}

// awaitIdle waits for the moment that at returns: the time at which the page will be idle if nothing else happens, and whether there is one yet. at
// is called after each event, with p.mu held.
func (p *Page) awaitIdle(ctx context.Context, what string, at func() (time.Time, bool)) error {
	for {
		var next time.Time
		expected := false
		look := func() { next, expected = at() }
		p.mu.Do(look)
		if expected && !next.After(time.Now()) {
			return nil
		}
		pause, cancel := ctx, context.CancelFunc(func() {})
		if expected {
			pause, cancel = context.WithDeadlineCause(ctx, next, errIdle)
		}
		was, had := next, expected
		err := p.mu.Await(pause, what, func() bool {
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
// page's traffic must be watched, see WatchTraffic.
func (p *Page) AwaitQuiet(ctx context.Context, from time.Time, quiet time.Duration) error {
	return p.awaitIdle(ctx, "waiting for requests", func() (time.Time, bool) { return p.quietAtLocked(from, quiet) })
}

// Quiet reports whether that is so now.
func (p *Page) Quiet(from time.Time, quiet time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, is := p.quietAtLocked(from, quiet)
	return is && !at.After(time.Now())
}

func (p *Page) quietAtLocked(from time.Time, quiet time.Duration) (time.Time, bool) {
	since, is := p.net.quietSince()
	if since.Before(from) {
		since = from
	}
	return since.Add(quiet), is
}

// UnderWay returns the requests that the page waits for, those first that began first as far as their ids tell.
func (p *Page) UnderWay() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []Request
	for _, r := range p.net.underWay {
		if !r.lasts {
			all = append(all, r.Request)
		}
	}
	slices.SortFunc(all, func(a, b Request) int { return strings.Compare(a.ID, b.ID) })
	return all
}
