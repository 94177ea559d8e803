package traffic

import (
	"context"
	"slices"
	"time"
)

// partTypes are the types of requests by which a page gets more of itself after it has loaded.
var partTypes = []string{"Script", "Fetch", "XHR"}

// arrivingFor is how long after its load event a page is taken to ask for its parts. What it asks for later has a
// reason of its own.
const arrivingFor = time.Second

// Arriving returns how many requests are pending by which a loaded page gets more content. It makes no call to the
// browser. A request that [Traffic.AwaitParts] has waited for without success does not count again.
func (t *Traffic) Arriving() int {
	t.page.State.Lock()
	defer t.page.State.Unlock()
	return len(t.parts())
}

func (t *Traffic) parts() (parts []*pending) {
	d, now := t.page.Document(), time.Now()
	for _, r := range t.underWay {
		late := d.Loaded && r.begun.Sub(d.LoadedAt) > arrivingFor
		if !r.awaited && !late && r.until().After(now) && slices.Contains(partTypes, r.Type) {
			parts = append(parts, r)
		}
	}
	return parts
}

// Got counts the requests that have ended whole. One that failed, or whose answer the page leaves unread, as one does
// that only reports to a server, brings a page nothing.
func (t *Traffic) Got() int {
	t.page.State.Lock()
	defer t.page.State.Unlock()
	return t.whole
}

// AwaitParts waits until none of these requests is under way. It returns how many are when ctx ends, which are not
// waited for again: a server that holds an answer back costs a document one wait.
func (t *Traffic) AwaitParts(ctx context.Context) (left int) {
	if err := t.AwaitIdle(ctx, "waiting for parts of the page", t.partsAt); err == nil {
		return 0
	}
	t.page.State.Lock()
	defer t.page.State.Unlock()
	parts := t.parts()
	for _, r := range parts {
		r.awaited = true
	}
	return len(parts)
}

// partsAt returns when the page stops waiting for its parts, unless more of them comes before.
func (t *Traffic) partsAt() (at time.Time, expected bool) {
	for _, r := range t.parts() {
		if until := r.until(); until.After(at) {
			at = until
		}
	}
	return at, true
}
