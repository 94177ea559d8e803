package interception

import (
	"context"
	"slices"
)

// Watcher is called with each request for a document before it goes out, each step of a redirect included. Service
// workers may answer unseen.
type Watcher struct {
	// Asked returns what the request waits for, or nil if it continues at once. It must neither block nor wait for the
	// browser.
	Asked func(Document) <-chan struct{}
}

// Document is what a tab asks for, to show it in itself or in a frame.
type Document struct {
	Tab, Frame string // a tab has the id of its main frame
	Load       string // the same for all steps of a redirect, and the id of the resulting document
	URL        string
}

// Watch has the watcher called with the documents that the context asks for from now on. A request that was sent before
// goes on unseen.
func (r Requests) Watch(ctx context.Context, w *Watcher) error {
	return r.i.change(ctx, r.apply, func() error {
		r.i.watchers = append(slices.Clone(r.i.watchers), w)
		return nil
	})
}

// Unwatch ends that.
func (r Requests) Unwatch(ctx context.Context, w *Watcher) error {
	return r.i.change(ctx, r.apply, func() error {
		r.i.watchers = slices.DeleteFunc(slices.Clone(r.i.watchers), func(other *Watcher) bool { return other == w })
		return nil
	})
}

// watchedLocked calls the watchers with a request for a document, and reports whether it waits for them. It is treated
// again after that.
func (i *Interception) watchedLocked(q *pausedRequest) (waits bool) {
	if q.watched || q.ResourceType != typeDocument || q.tab == nil {
		return false
	}
	q.watched = true
	var all []<-chan struct{}
	for _, w := range i.watchers {
		if done := w.Asked(Document{Tab: q.tab.ID, Frame: q.FrameID, Load: q.NetworkID, URL: q.Request.URL}); done != nil {
			all = append(all, done)
		}
	}
	if len(all) == 0 {
		return false
	}
	i.owner.Spawn(func(ctx context.Context) {
		for _, done := range all {
			select {
			case <-done:
			case <-ctx.Done():
				return
			}
		}
		i.later(func() { i.paused(q) })
	})
	return true
}
