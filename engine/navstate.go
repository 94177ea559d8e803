package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// navState tracks navigations of the main frame, whether we or the page started them.
type navState struct {
	requested time.Time // when the page asked for one that has not started yet; zero: none
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
	leaves := strings.HasSuffix(e.NavigationType, "ifferentDocument") || strings.HasPrefix(e.NavigationType, "reload") || e.NavigationType == "restore"
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

// stoppedLocked ends a navigation that came to nothing: a download, a 204, a stop. A document that was still being parsed is cut off by it,
// and says nothing more.
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

// downloadedLocked ends a navigation that became a download. A page that still loads something is not told to have stopped then.
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

// requestGrace is how long a navigation that the page asked for may take to start. Chromium schedules it as a task of its own; one
// that does not start within this time was dropped.
const requestGrace = 300 * time.Millisecond

// Navigating returns the address that the main frame is on its way to, or "".
func (p *Page) Navigating() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.underWayLocked() {
		return ""
	}
	return p.nav.url
}

func (p *Page) underWayLocked() bool {
	return p.nav.started != "" || !p.nav.requested.IsZero() && time.Since(p.nav.requested) < requestGrace
}

// Settle waits until no navigation of the main frame is in progress and its document is parsed, for at most limit. It returns at
// once if that is the case already. The result is false if the page was still navigating at the limit.
func (p *Page) Settle(ctx context.Context, limit time.Duration) (bool, error) {
	still := false
	if p.mu.Do(func() { still = p.stillLocked() }); still {
		return true, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errSettleLimit)
	defer cancel()
	for {
		grace, stop := context.WithTimeoutCause(ctx, requestGrace, errSettleLimit)
		err := p.mu.Await(grace, "waiting for the page to load", p.stillLocked)
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

// stillLocked: pages that existed before we attached, and about:blank, tell no lifecycle; they count as parsed.
func (p *Page) stillLocked() bool {
	if shown := p.dialogs.OpenNow() != nil; shown || p.underWayLocked() {
		return shown
	}
	l := p.main.loaded
	return l.loader == "" || l.dom || l.load || p.main.commits == 0
}

// AwaitURL waits until the main frame shows an address that match accepts.
func (p *Page) AwaitURL(ctx context.Context, match func(url string) bool) error {
	return p.mu.Await(ctx, "waiting for the address", func() bool {
		url := p.main.url
		if url == "" {
			url = p.told.url
		}
		return match(url)
	})
}

// AwaitLoad waits until the main frame's document has reached the moment; at once when it has.
// For network idleness, Chromium's lifecycle event counts, or the watched requests: Chromium waits forever for a body that a page leaves unread
// and for event streams.
func (p *Page) AwaitLoad(ctx context.Context, until WaitUntil) error {
	if until == WaitNetworkIdle {
		return p.traffic.AwaitIdle(ctx, "waiting for "+string(until), func() (time.Time, bool) {
			switch {
			case p.underWayLocked():
				return time.Time{}, false
			case p.main.loaded.loader == "": // a page that was there before us tells nothing any more
				return time.Time{}, true
			}
			return p.traffic.IdleAt()
		})
	}
	return p.mu.Await(ctx, "waiting for "+string(until), func() bool {
		l := p.main.loaded
		if p.underWayLocked() {
			return false
		}
		if l.loader == "" { // a page that was there before us tells nothing any more
			return true
		}
		if until == WaitDOM {
			return l.dom || l.load
		}
		return l.load
	})
}
