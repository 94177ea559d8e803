package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// AttachResponsive attaches to the last of the pages that responds, and to as few others as possible: it tries the last
// page; if that is slow, also the two before it, then four, so that hundreds of hung tabs cost seconds. It returns nil
// if none responds, and the pages after the responsive one that did not respond, last first.
func (c *Context) AttachResponsive(ctx context.Context, pages []*Page) (alive *Page, silent []*Page, err error) {
	rank := func(p *Page) int { // what others embed is seen in those
		if p.Type() == pageType {
			return 1
		}
		return 0
	}
	pages = slices.Clone(pages)
	slices.SortStableFunc(pages, func(p, q *Page) int { return cmp.Compare(rank(p), rank(q)) })
	slices.Reverse(pages)
	r := responsiveSearch{left: pages, answers: make(chan *Page, len(pages)), pending: map[*Page]bool{}}
	r.ctx, r.enough = context.WithCancelCause(ctx)
	alive = r.find()
	r.enough(errNoSign)
	r.all.Wait()
	if err := c.browser.Err(); err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, fault.WaitEnded(ctx, "looking for a tab that gives a sign of life")
	}
	behind := true
	for _, p := range r.tried {
		behind = behind && p != alive
		if behind && !p.life.isGone() {
			silent = append(silent, p)
		}
		if p != alive && p.Attached() {
			p.link.leave(nil)
		}
	}
	return alive, silent, nil
}

// responsiveSearch is the search for a page that responds.
type responsiveSearch struct {
	ctx     context.Context
	enough  context.CancelCauseFunc
	all     sync.WaitGroup
	left    []*Page // in the order in which they are wanted, as tried
	tried   []*Page
	answers chan *Page
	pending map[*Page]bool // of those that are tried
}

// more tries some of those that are left: one more than have been tried so far.
func (r *responsiveSearch) more() {
	n := min(len(r.tried)+1, len(r.left))
	for _, p := range r.left[:n] {
		r.pending[p] = true
		r.all.Go(func() {
			_ = p.link.within(r.ctx, candidateLimit) // p keeps the error
			r.answers <- p
		})
	}
	r.tried, r.left = append(r.tried, r.left[:n]...), r.left[n:]
}

// find returns the first page that answers, or nil. One that is wanted more has candidatePatience.
func (r *responsiveSearch) find() *Page {
	for len(r.left) > 0 || len(r.pending) > 0 {
		r.more()
		patience := time.NewTimer(candidatePatience)
		for waiting := true; waiting && len(r.pending) > 0; {
			select {
			case p := <-r.answers:
				delete(r.pending, p)
			case <-patience.C:
				waiting = len(r.left) == 0 && r.best(true) == nil // no page is left to try
			case <-r.ctx.Done():
				return nil
			}
			if p := r.best(!waiting); p != nil {
				patience.Stop()
				return p
			}
		}
		patience.Stop()
	}
	return nil
}

// best returns the most wanted of the pages that have answered; nil if a more wanted one may still answer, unless
// skipPending.
func (r *responsiveSearch) best(skipPending bool) *Page {
	for _, p := range r.tried {
		switch {
		case r.pending[p] && !skipPending:
			return nil
		case !r.pending[p] && p.Attached() && p.Err() == nil:
			return p
		}
	}
	return nil
}
