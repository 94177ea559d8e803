package engine

import (
	"context"
	"os"

	"github.com/chromedp/cdproto/target"
)

// A page aside is a tab that is opened behind the others to be looked at, by a program. Nobody is there to answer for it, and what it does by
// itself is to reach nobody: its dialogs are dismissed, what it has the browser save is not saved, and what it opens is closed. It is closed without
// being asked. All of that ends with [Page.Adopt].

// NewAside opens a tab aside, on about:blank, behind the tab that its window shows.
func (c *Context) NewAside(ctx context.Context) (*Page, error) { return c.createAs(ctx, aside) }

// Adopt makes a page aside one like any other.
func (p *Page) Adopt() { p.aside.Store(false) }

// dismissing is the dialog policy of pages aside.
var dismissing = DialogPolicy{Answer: DialogDismiss}

// isAside reports whether a target is a page aside.
func (b *Browser) isAside(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.pages[id]
	return p != nil && p.aside.Load()
}

// shut closes what a page aside has opened. Whoever waits for popups waits for that.
func (c *Context) shut(info target.Info) {
	passed := make(chan struct{})
	c.browser.resumeTarget(string(info.TargetID), func() { close(passed) })
	c.whilePopup(func(ctx context.Context) {
		select {
		case <-passed:
		case <-ctx.Done():
			return
		}
		if _, err := c.browser.root.CallRaw(ctx, target.CommandCloseTarget, target.CloseTargetParams{TargetID: info.TargetID}); err != nil {
			c.browser.log.Debug("popup of a page aside not closed", "target", info.TargetID, "err", err)
		}
	})
}

// decline cancels a download, and has its file removed if it comes all the same.
func (c *Context) decline(id string) {
	d := &c.downloads
	d.mu.Lock()
	if d.declined == nil {
		d.declined = map[string]bool{}
	}
	known := d.declined[id]
	d.declined[id] = true
	d.mu.Unlock()
	if !known {
		params := c.CallParams()
		params["guid"] = id
		c.browser.root.Start("Browser.cancelDownload", params)
	}
}

// wasDeclinedLocked is told how a declined download goes on. A small file may be there before the browser has heard that nobody wants it.
func (d *downloads) wasDeclinedLocked(b *Browser, e downloadEvent) {
	switch DownloadState(e.State) {
	case DownloadRunning:
		return
	case DownloadComplete:
		if path := d.placeLocked(e); path != "" {
			b.Spawn(func(context.Context) { _ = os.Remove(path) })
		}
	}
	delete(d.declined, e.GUID)
}
