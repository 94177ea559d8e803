package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

const (
	// candidateLimit is how long one of several tabs, any of which would do, may take to answer. A page that does nothing answers within
	// milliseconds, and one that is loading within some tens; a person who connects waits this long for each that is stuck.
	candidateLimit = time.Second

	// candidatePatience is how long the others wait for their turn meanwhile, and one that answers for those that are wanted more.
	candidatePatience = 400 * time.Millisecond

	// askedLimit is the same for a tab that the caller asked for. No other tab can take its place, so one that is only slow on a busy machine gets
	// more time.
	askedLimit = 3 * time.Second
)

// Attach makes the page usable, unless it is already. It fails with TabHung, and leaves the page unchanged, when the page does not respond.
//
// How Chromium 156 treats pages that are not running normally:
//   - A frozen page responds while frozen, and resumes when focus is emulated for it, as it does when its user returns to it.
//   - A discarded page has no process, and attaching to it does not wake it. The browser reports it like a crashed page. Attach succeeds on both;
//     [Page.Err] returns the error and [Page.Reload] restores them. (Chromium gives a tab another target when it discards it: the tab that was
//     listed is gone, and there is a new one.)
//   - A page whose dialog opened while no client was attached does not respond, and the dialog can be neither read nor answered. It counts as hung.
//     If the dialog opens while the page is being attached to, the page is usable at once, see [dialogs.Policy].
func (p *Page) Attach(ctx context.Context) error { return p.attachWithin(ctx, askedLimit) }

func (p *Page) attachWithin(ctx context.Context, limit time.Duration) error {
	if p.Attached() {
		return nil
	}
	if p.IsUnloaded() {
		return fault.New(fault.PageGone, "the tab is not loaded again yet").About(p.URL()).WithHint("Switch to it with `tab <id>`.")
	}
	select {
	case p.attaching <- struct{}{}:
		defer func() { <-p.attaching }()
	case <-ctx.Done():
		return fault.WaitEnded(ctx, "attaching to the tab")
	}
	if p.Attached() {
		return nil
	}
	if p.isGone() {
		return p.Err()
	}
	defer p.ctxt.open(p)() // what all pages are told meanwhile, this one is told too
	if err := p.join(ctx, true, limit); err != nil {
		return err
	}
	p.ctxt.tellAttached(ctx, p, true)
	p.ctxt.notice.tell()
	return nil
}

// errNoSign ends the wait for a page that gives no sign of life.
var errNoSign = errors.New("no sign of life")

// join attaches to the page. Without a limit it waits for the page as long as ctx lasts.
func (p *Page) join(ctx context.Context, existing bool, limit time.Duration) error {
	b := p.ctxt.browser
	// The browser process answers this, for the tab that it belongs to cannot be blamed when it takes its time.
	session, err := b.attachTo(ctx, p.id)
	if noTarget(err) {
		b.targetGone(p.id, nil, true) // one that tells nothing unasked has not told this either
		return fault.New(fault.PageGone, "the tab was closed").WithHint("Use `tab list` to see the open tabs.")
	}
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.failed = nil // the browser tells it again if it is so
	p.sessions.brought = 0
	clear(p.sessions.exited)
	p.mu.Unlock()
	p.sess.Bind(session)
	if p.fresh {
		p.failIfCrashedBeforeAttach()
	}
	limited, began := ctx, time.Now()
	if limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, limit, errNoSign)
		defer cancel()
	}
	err = p.setUp(limited, existing)
	if existing && fault.Is(err, fault.PageCrashed) {
		p.mu.Lock()
		p.processless.is, err = true, nil
		p.mu.Unlock()
	}
	if err != nil && errors.Is(context.Cause(limited), errNoSign) {
		err = fault.New(fault.TabHung, "the tab gives no sign of life: its page did not answer within %s", time.Since(began).Round(100*time.Millisecond)).About(p.URL()).
			WithHint("It may be busy, or show a dialog that opened before anybody was attached: answer that in the browser's window, and try again; "+
				"use another tab (`tab list`), or close this one.").
			With("targetId", p.id)
	}
	p.mu.Lock()
	p.attached = err == nil
	p.silent, _ = errors.AsType[*fault.Error](err)
	p.mu.Unlock()
	if err != nil {
		p.leave(err)
	}
	return err
}

// leave detaches from a page that is not to be used, for the reason that is given.
func (p *Page) leave(why error) {
	said, _ := errors.AsType[*fault.Error](why)
	session := p.sess.ID()
	p.sess.Unbind(said)
	if session != "" {
		p.ctxt.browser.detachFrom(session)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.attached, p.failed, p.processless = false, nil, processless{}
	p.nav = navState{}
	tellDeparture(p, p.id)
	p.frames.dropChildren(p.main)
	p.main.world, p.main.url, p.main.loader, p.main.started, p.main.loaded = world.World{}, "", "", "", lifecycle{}
	p.sessions.leave()
	p.dialogs.End()
}

// Attached reports whether the page can be asked for anything, see [Page.Attach].
func (p *Page) Attached() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.attached
}

// Silent returns why the page could not be attached to when that was last tried, or nil.
func (p *Page) Silent() *fault.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.silent
}

// AttachResponsive attaches to the last of the pages that responds, and to as few others as possible: it tries the last page; if that is slow, also
// the two before it, then four, so that hundreds of hung tabs cost seconds. It returns nil if none responds, and the pages after the responsive
// one that did not respond, last first.
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
		if behind && !p.isGone() {
			silent = append(silent, p)
		}
		if p != alive && p.Attached() {
			p.leave(nil)
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
			_ = p.attachWithin(r.ctx, candidateLimit) // p keeps the error
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

// best returns the most wanted of the pages that have answered; nil if a more wanted one may still answer, unless skipPending.
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
