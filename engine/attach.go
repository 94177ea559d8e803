package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

const (
	// candidateLimit is how long one of several tabs, any of which would do, may take to answer. A page that does nothing
	// answers within milliseconds, and one that is loading within some tens; a person who connects waits this long for
	// each that is stuck.
	candidateLimit = time.Second

	// candidatePatience is how long the others wait for their turn meanwhile, and one that answers for those that are
	// wanted more.
	candidatePatience = 400 * time.Millisecond

	// askedLimit is the same for a tab that the caller asked for. No other tab can take its place, so one that is only
	// slow on a busy machine gets more time.
	askedLimit = 3 * time.Second
)

// Attach makes the page usable, unless it is already. It fails with TabHung, and leaves the page unchanged, when the
// page does not respond.
//
// How Chromium 156 treats pages that are not running normally:
//   - A frozen page responds while frozen, and resumes when focus is emulated for it, as it does when its user returns
//     to it.
//   - A discarded page has no process, and attaching to it does not wake it. The browser reports it like a crashed
//     page. Attach succeeds on both; [Page.Err] returns the error and [Page.Reload] restores them. (Chromium gives a
//     tab another target when it discards it: the tab that was listed is gone, and there is a new one.)
//   - A page whose dialog opened while no client was attached does not respond, and the dialog can be neither read nor
//     answered. It counts as hung. If the dialog opens while the page is being attached to, the page is usable at once,
//     see [dialogs.Policy].
func (p *Page) Attach(ctx context.Context) error { return p.link.within(ctx, askedLimit) }

// attachment is how a page is attached to.
type attachment struct {
	page  *Page
	turn  chan struct{} // holds a token during attach and detach
	fresh bool          // of a browser of ours, which was asked for the page

	// Guarded by page.mu.
	is          bool
	processless processless
	silent      *fault.Error // why the page was left again when it was last attached to
}

// within attaches to the page unless that has been done, for at most limit.
func (a *attachment) within(ctx context.Context, limit time.Duration) error {
	p := a.page
	if p.Attached() {
		return nil
	}
	if p.IsUnloaded() {
		return fault.New(fault.PageGone, "the tab is not loaded again yet").About(p.URL()).
			WithHint("Switch to it with `tab <id>`.")
	}
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return fault.WaitEnded(ctx, "attaching to the tab")
	}
	if p.Attached() {
		return nil
	}
	if p.life.isGone() {
		return p.Err()
	}
	defer p.ctxt.pages.opening(p)() // what all pages are told meanwhile, this one is told too
	if err := a.join(ctx, true, limit); err != nil {
		return err
	}
	p.ctxt.observers.attached(ctx, p, true)
	p.ctxt.notice.tell()
	return nil
}

// noTarget reports whether the browser says that it has no such target.
func noTarget(err error) bool {
	return fault.Is(err, fault.Protocol) && strings.Contains(err.Error(), "No target with given id")
}

// errNoSign ends the wait for a page that gives no sign of life.
var errNoSign = errors.New("no sign of life")

// join attaches to the page. Without a limit it waits for the page as long as ctx lasts.
func (a *attachment) join(ctx context.Context, existing bool, limit time.Duration) error {
	p := a.page
	b := p.ctxt.browser
	// The browser process answers this, for the tab that it belongs to cannot be blamed when it takes its time.
	session, err := b.sessions.attachTo(ctx, p.id)
	if noTarget(err) {
		b.targetGone(p.id, nil, true) // one that tells nothing unasked has not told this either
		return fault.New(fault.PageGone, "the tab was closed").WithHint("Use `tab list` to see the open tabs.")
	}
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.life.failed = nil // the browser tells it again if it is so
	p.sessions.brought = 0
	clear(p.sessions.exited)
	p.mu.Unlock()
	p.sess.Bind(session)
	if a.fresh {
		a.failIfCrashedBefore()
	}
	limited, began := ctx, time.Now()
	if limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, limit, errNoSign)
		defer cancel()
	}
	err = a.setUp(limited, existing)
	if existing && fault.Is(err, fault.PageCrashed) {
		p.mu.Lock()
		a.processless.is, err = true, nil
		p.mu.Unlock()
	}
	if err != nil && errors.Is(context.Cause(limited), errNoSign) {
		err = fault.New(fault.TabHung, "the tab gives no sign of life: its page did not answer within %s",
			time.Since(began).Round(100*time.Millisecond)).About(p.URL()).
			WithHint(
				"It may be busy, or show a dialog that opened before anybody was attached: answer that in the browser's window, "+
					"and try again; use another tab (`tab list`), or close this one.").
			With("targetId", p.id)
	}
	p.mu.Lock()
	a.is = err == nil
	a.silent, _ = errors.AsType[*fault.Error](err)
	p.mu.Unlock()
	if err != nil {
		a.leave(err)
	}
	return err
}

// leave detaches from a page that is not to be used, for the reason that is given.
func (a *attachment) leave(why error) {
	p := a.page
	said, _ := errors.AsType[*fault.Error](why)
	session := p.sess.ID()
	p.sess.Unbind(said)
	if session != "" {
		p.ctxt.browser.sessions.detachFrom(session)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	a.is, p.life.failed, a.processless = false, nil, processless{}
	p.loading.navState = navState{}
	tellDeparture(p, p.id)
	p.frames.dropChildren(p.main)
	p.main.world.current, p.main.url, p.main.loader, p.main.started, p.main.loaded = world.World{}, "", "", "", lifecycle{}
	p.sessions.leave()
	p.dialogs.End()
}

// setUp enables what every page needs in one that was just attached to: page and frame events, and news of
// out-of-process frames.
//
// A page that shows a dialog does not answer before that is closed. It is usable as it is: its dialog can be answered.
func (a *attachment) setUp(ctx context.Context, existing bool) error {
	p := a.page
	c, b := p.ctxt, p.ctxt.browser
	calls := slices.Concat(c.sessionSetup(), c.pageSetup(), setupFor(p, PageSession))
	if existing {
		// The browser process answers the first, with news of a page that has no process; such a page answers nothing.
		calls = append([]cdp.Call{{Method: "Inspector.enable"}}, append(calls, cdp.Call{Method: "Page.getFrameTree"})...)
	}
	watched, stop := p.Watch(ctx, true)
	defer stop()
	pending := p.sess.Batch(calls...)
	b.sessions.resume(p.id, func() bool { // one that has no renderer yet answers only when it goes on
		set := c.observers.opening(watched, p)
		return set || len(c.overrides.shared(ForPage)) > 0
	})
	for i, call := range pending {
		raw, err := call.Wait(watched)
		switch {
		case err == nil && calls[i].Method == "Page.getFrameTree":
			p.frames.readTree(p.sess, raw)
		case err == nil:
			tellAnswer(p.sess, calls[i], raw)
		case fault.Is(err, fault.DialogOpen):
			b.Spawn(a.readFrames)
			return nil
		case fault.Is(err, fault.Protocol): // an older browser that lacks one of them still shows pages
			b.log.Debug("page setup call refused", "method", calls[i].Method, "err", err)
		default:
			return err
		}
	}
	return nil
}

// readFrames asks for the frames of a page that could not answer when it was attached to.
func (a *attachment) readFrames(ctx context.Context) {
	p := a.page
	raw, err := p.sess.CallRaw(ctx, "Page.getFrameTree", nil)
	if err != nil {
		p.ctxt.browser.log.Debug("frames not read", "target", p.id, "err", err)
		return
	}
	p.frames.readTree(p.sess, raw)
}

// failIfCrashedBefore fails a page that crashed before it was attached to, since its session gets no event about that.
func (a *attachment) failIfCrashedBefore() {
	p := a.page
	b := p.ctxt.browser
	b.mu.Lock()
	crash := b.crashedBeforeAttach[p.id]
	b.mu.Unlock()
	if crash != nil {
		p.life.crash(crash)
	}
}

// Attached reports whether the page can be asked for anything, see [Page.Attach].
func (p *Page) Attached() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.link.is
}

// Silent returns why the page could not be attached to when that was last tried, or nil.
func (p *Page) Silent() *fault.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.link.silent
}

// processless is the state of a page that had no process when it was attached to. If it was discarded, the commands
// sent then reach its next process. If it had crashed, they are lost; Chromium reports a new process only in that case,
// and the page is set up again.
type processless struct {
	is        bool
	returning bool       // it has a process again, and is being set up
	stopped   *pageEvent // of its stop of loading meanwhile
}

// processCame sets up a page that got a new process after a crash. The caller holds p.mu.
func (a *attachment) processCame() {
	p := a.page
	if !a.processless.is {
		return
	}
	a.processless = processless{returning: true}
	p.life.failed = nil
	p.sess.Fail(nil)
	commits := p.main.commits
	p.ctxt.browser.Spawn(func(ctx context.Context) {
		if err := a.setUp(ctx, true); err != nil {
			p.ctxt.browser.log.Info("page not set up after it got a new process", "target", p.id, "err", err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		stopped := a.processless.stopped
		a.processless = processless{}
		f := p.main
		switch {
		case f.commits == commits && f.loader != "" && f.loader == p.loading.started:
			// the document was committed before its event could arrive
			f.commits++
			p.frames.arrivals++
			p.loading.committedLocked(f)
			p.ctxt.notice.tell()
		case stopped != nil && f.commits == commits:
			p.loading.stoppedLocked(p, stopped)
		}
		tellDeparture(p, p.id)
		p.mu.Broadcast()
	})
}
