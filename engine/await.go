package engine

import (
	"context"
	"time"
)

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
