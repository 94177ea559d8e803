package engine

import (
	"context"

	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
)

// A background page is a tab that is opened behind the others for reading. No user sees it, so it must have no effects:
// its dialogs are dismissed, its downloads canceled, its popups closed, and it is closed without a beforeunload dialog.
// [Page.Adopt] ends all of that.

// NewBackgroundPage opens a background page on about:blank.
func (c *Context) NewBackgroundPage(ctx context.Context) (*Page, error) {
	return c.createAs(ctx, inBackground)
}

// Adopt turns a background page into an ordinary tab.
func (p *Page) Adopt() { p.background.Store(false) }

// isBackground reports whether a target is a background page.
func (b *Browser) isBackground(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.pages[id]
	return p != nil && p.background.Load()
}

// shut closes a popup of a background page. [Popups.Await] waits for it, too.
func (c *Context) shut(info target.Info) {
	passed := make(chan struct{})
	c.browser.sessions.release(string(info.TargetID), func() { close(passed) })
	c.popups.during(func(ctx context.Context) {
		select {
		case <-passed:
		case <-ctx.Done():
			return
		}
		if _, err := c.browser.root.CallRaw(ctx, target.CommandCloseTarget, target.CloseTargetParams{
			TargetID: info.TargetID,
		}); err != nil {
			c.browser.log.Debug("popup of a background page not closed", "target", info.TargetID, "err", err)
		}
	})
}

// NewTextOnlyPage opens a background page that is text-only until [LoadEverything], see [interception.TextOnly].
func (c *Context) NewTextOnlyPage(ctx context.Context) (*Page, error) {
	return c.createAs(ctx, textOnlyPage)
}

// setupFor is what a new session of the page is told, by what it is at the other end.
func setupFor(p *Page, kind SessionKind) []cdp.Call {
	return p.tab.TextOnly.SetUp(p.ctxt.overrides.calls(kind))
}

// adapted changes what a session of a text-only page is told.
func adapted(p *Page, kind SessionKind, calls []cdp.Call) []cdp.Call {
	if kind == WorkerSession {
		return calls
	}
	return p.tab.TextOnly.Adapt(calls)
}

// LoadEverything makes a text-only page one like any other. It reports whether something was left out so far: then only
// loading it again makes the page what it would have been.
func LoadEverything(ctx context.Context, p *Page) (incomplete bool, err error) {
	call, was := p.tab.TextOnly.End(p.ctxt.overrides.calls(PageSession))
	if !was {
		return false, nil
	}
	p.mu.Lock()
	pending := p.sess.Start(call.Method, call.Params)
	for sess, kind := range p.sessions.all() {
		if kind == FrameSession {
			sess.Start(call.Method, call.Params)
		}
	}
	p.mu.Unlock()
	_, err = pending.Wait(ctx)
	return p.tab.TextOnly.LeftOut(), err
}
