package engine

import (
	"context"
	"slices"
	"time"
)

// partTypes are the types of requests by which a page gets more of itself after it has loaded.
var partTypes = []string{"Script", "Fetch", "XHR"}

// arrivingFor is how long after its load event a page is taken to ask for its parts. What it asks for later has a reason of its own.
const arrivingFor = time.Second

// Arriving returns how many requests are pending by which a loaded page gets more content. It makes no call to the browser. A request that
// [Page.AwaitParts] has waited for without success does not count again.
func (p *Page) Arriving() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.partsLocked())
}

func (p *Page) partsLocked() (parts []*pending) {
	l := &p.main.loaded
	for _, r := range p.net.underWay {
		late := l.load && r.begun.Sub(l.loadedAt) > arrivingFor
		if !r.lasts && !r.awaited && !late && slices.Contains(partTypes, r.Type) {
			parts = append(parts, r)
		}
	}
	return parts
}

// PartsGot counts the requests that have ended whole. One that failed, or whose answer the page leaves unread, as one does that only reports to a
// server, brings a page nothing.
func (p *Page) PartsGot() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.net.whole
}

// AwaitParts waits until none of these requests is under way. It returns how many are when ctx ends, which are not waited for again: a server
// that holds an answer back costs a document one wait.
func (p *Page) AwaitParts(ctx context.Context) (left int) {
	if err := p.mu.Await(ctx, "waiting for parts of the page", func() bool { return len(p.partsLocked()) == 0 }); err == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := p.partsLocked()
	for _, r := range parts {
		r.awaited = true
	}
	return len(parts)
}
