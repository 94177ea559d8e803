package engine

import (
	"context"
	"errors"
	"os"
	"strconv"

	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
)

// A view is a part of the default context of a browser that we launched: pages of its own, and routes, dialogs and
// console of its own, but cookies, storage and permissions that it shares with the other views. With a profile that is
// kept these outlive the browser.

// NewView makes a view without pages, to be ended with Close. Its options of the network (Proxy, ProxyBypass) have no
// effect: those are the browser's.
func (b *Browser) NewView(o ContextOptions) *Context {
	b.mu.Lock()
	b.lastView++
	key := viewPrefix + strconv.Itoa(b.lastView)
	first := b.lastView == 1
	b.mu.Unlock()
	c := b.addContextAs(key, "", o)
	if first {
		c.AllowCopying()
	}
	return c
}

// viewPrefix begins the key of a view. The browser's own ids have no spaces.
const viewPrefix = "view "

func (c *Context) isView() bool { return c.id == "" && c.key != "" }

// isForeign reports whether the context is that of a browser which we attached to, with a user of its own.
func (c *Context) isForeign() bool { return c.id == "" && c.key == "" }

// contextOfLocked returns the context that a page belongs to, or nil. The page of a view is identified by its opener.
// The caller holds b.mu.
func (b *Browser) contextOfLocked(info target.Info) *Context {
	if c := b.contexts[string(info.BrowserContextID)]; c != nil {
		return c
	}
	if opener := b.pages[string(info.OpenerID)]; opener != nil {
		return opener.ctxt
	}
	return b.contexts[""]
}

// closePages closes all pages of a view.
func closePages(ctx context.Context, c *Context) error {
	var calls []cdp.Call
	for _, p := range c.Pages() {
		calls = append(calls, cdp.Call{
			Method: target.CommandCloseTarget,
			Params: target.CloseTargetParams{TargetID: target.ID(p.id)},
		})
	}
	var errs []error
	for _, call := range c.browser.root.Batch(calls...) {
		_, err := call.Wait(ctx)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// sharedDownloads is where the pages of all views save, since the browser has one folder for its default context.
// Guarded by the browser's mu.
type sharedDownloads struct {
	dir string
}

// shareDownloadsLocked returns the folder for the downloads of views, and the call that tells the browser of it when it
// is the first who asks. The caller holds b.mu.
func (b *Browser) shareDownloadsLocked() (dir string, set *cdp.Pending, err error) {
	if b.shared.dir != "" {
		return b.shared.dir, nil, nil
	}
	dir, err = b.makeTemp("skua-downloads-")
	if err != nil {
		return "", nil, err
	}
	b.shared.dir = dir
	return dir, b.root.Start("Browser.setDownloadBehavior", saveParams{"allowAndName", "", dir, true}), nil
}

// removeShared removes the folder of the views' downloads.
func (b *Browser) removeShared() {
	b.mu.Lock()
	dir := b.shared.dir
	b.shared.dir = ""
	b.mu.Unlock()
	if dir != "" {
		if err := os.RemoveAll(dir); err != nil {
			b.log.Debug("downloads not removed", "dir", dir, "err", err)
		}
	}
}
