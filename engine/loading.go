package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// Loading is where a page's main frame is on its way to, whether we or the page started that, and how far its document
// has come. A method whose name ends in Locked is called with the page's lock held.
type Loading struct {
	page *Page
	navState
	refused refusals
}

// Loading returns how far the page is with the document that it shows, or goes to.
func (p *Page) Loading() *Loading { return &p.loading }

// refusals are what the tab was not to show, by the rules.
type refusals struct {
	times int
	why   error // the last time
}

// navState is a navigation of the main frame.
type navState struct {
	requested time.Time // when the page asked for one that has not started yet, or zero
	started   string    // loader id of the one under way; "" when none
	url       string
	dropped   string // loader id of the last one that came to nothing
}

func (n *navState) requestedLocked(p *Page, e *pageEvent) {
	if e.FrameID != p.id || e.Disposition != "" && e.Disposition != "currentTab" {
		return
	}
	// A javascript: address runs as a script and commits nothing; a change of the fragment alone starts no load.
	if strings.HasPrefix(e.URL, "javascript:") || sameDocument(p.main.url, e.URL) {
		return
	}
	n.requested, n.url = time.Now(), e.URL
}

func sameDocument(from, to string) bool {
	a, _, _ := strings.Cut(from, "#")
	b, _, fragment := strings.Cut(to, "#")
	return fragment && a == b
}

func (n *navState) startedLocked(p *Page, e *pageEvent) {
	leaves := strings.HasSuffix(e.NavigationType, "ifferentDocument") || strings.HasPrefix(e.NavigationType, "reload") ||
		e.NavigationType == "restore"
	if e.FrameID != p.id {
		if f := p.frames.byID[e.FrameID]; f != nil && leaves {
			f.started = e.LoaderID
		}
		return
	}
	n.requested = time.Time{}
	if leaves {
		n.started, n.url = e.LoaderID, e.URL
	}
}

// stoppedLocked ends a navigation that came to nothing: a download, a 204, a stop. A document that was still being
// parsed is cut off by it, and says nothing more.
func (n *navState) stoppedLocked(p *Page, e *pageEvent) {
	f := p.frames.byID[e.FrameID]
	if e.FrameID == p.id {
		*n = navState{dropped: n.started}
		f = p.main
	}
	if f == nil {
		return
	}
	f.started = ""
	if f.loader != "" && f.loader == f.loaded.loader {
		f.loaded.dom, f.loaded.load = true, true
	}
}

// downloadedLocked ends a navigation that became a download. A page that still loads something is not told to have
// stopped then.
func (n *navState) downloadedLocked(p *Page, frame, url string) {
	if frame == p.id && n.started != "" && n.url == url {
		*n = navState{dropped: n.started}
	} else if f := p.frames.byID[frame]; f != nil && f != p.main {
		f.started = ""
	}
}

func (n *navState) committedLocked(f *Frame) {
	if n.started == "" || n.started == f.loader || n.url == f.url {
		*n = navState{}
	}
}

// requestGrace is how long a navigation that the page asked for may take to start. Chromium schedules it as a task of
// its own; one that does not start within this time was dropped.
const requestGrace = 300 * time.Millisecond

// To returns the address that the main frame is on its way to, or "".
func (l *Loading) To() string {
	l.page.mu.Lock()
	defer l.page.mu.Unlock()
	if !l.underWayLocked() {
		return ""
	}
	return l.url
}

func (n *navState) underWayLocked() bool {
	return n.started != "" || !n.requested.IsZero() && time.Since(n.requested) < requestGrace
}

// Settle waits until no navigation of the main frame is in progress and its document is parsed, for at most limit. It
// returns at once if that is the case already. The result is false if the page was still navigating at the limit.
func (l *Loading) Settle(ctx context.Context, limit time.Duration) (bool, error) {
	still := false
	if l.page.mu.Do(func() { still = l.settledLocked() }); still {
		return true, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errSettleLimit)
	defer cancel()
	for {
		grace, stop := context.WithTimeoutCause(ctx, requestGrace, errSettleLimit)
		err := l.page.mu.Await(grace, "waiting for the page to load", l.settledLocked)
		stop()
		switch {
		case err == nil:
			return true, nil
		case !errors.Is(err, errSettleLimit):
			return false, err
		case ctx.Err() != nil:
			return false, nil
		}
	}
}

var errSettleLimit = fault.New(fault.Timeout, "the page is still loading")

// settledLocked reports whether the page is at rest. Pages that existed before we attached, and about:blank, tell no
// lifecycle; they count as parsed.
func (l *Loading) settledLocked() bool {
	if shown := l.page.dialogs.OpenNow() != nil; shown || l.underWayLocked() {
		return shown
	}
	main := l.page.main
	return main.loaded.loader == "" || main.loaded.dom || main.loaded.load || main.commits == 0
}

// AwaitURL waits until the main frame shows an address that match accepts.
func (l *Loading) AwaitURL(ctx context.Context, match func(url string) bool) error {
	p := l.page
	return p.mu.Await(ctx, "waiting for the address", func() bool {
		url := p.main.url
		if url == "" {
			url = p.told.url
		}
		return match(url)
	})
}

// Await waits until the main frame's document has reached the moment; at once when it has. For network idleness,
// Chromium's lifecycle event counts, or the watched requests: Chromium waits forever for a body that a page leaves
// unread and for event streams.
func (l *Loading) Await(ctx context.Context, until WaitUntil) error {
	p := l.page
	if until == WaitNetworkIdle {
		return p.traffic.AwaitIdle(ctx, "waiting for "+string(until), func() (time.Time, bool) {
			switch {
			case l.underWayLocked():
				return time.Time{}, false
			case p.main.loaded.loader == "": // a page that was there before us tells nothing any longer
				return time.Time{}, true
			}
			return p.traffic.IdleAt()
		})
	}
	return p.mu.Await(ctx, "waiting for "+string(until), func() bool {
		document := p.main.loaded
		if l.underWayLocked() {
			return false
		}
		if document.loader == "" { // a page that was there before us tells nothing any longer
			return true
		}
		if until == WaitDOM {
			return document.dom || document.load
		}
		return document.load
	})
}
