package engine

import (
	"context"

	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// Downloads has what the pages of the context download.
func (c *Context) Downloads() *downloads.List { return c.downloads }

func newDownloads(c *Context) *downloads.List {
	b := c.browser
	return downloads.New(downloads.Owner{Log: b.log, Changed: c.downloadsChanged, Spawn: b.Spawn, Done: b.Done(), Err: b.Err})
}

// downloadsChanged wakes those who wait for anything in a page.
func (c *Context) downloadsChanged() {
	for _, p := range c.Pages() {
		p.mu.Lock()
		p.mu.Broadcast()
		p.mu.Unlock()
	}
}

// saveParams are Browser.setDownloadBehavior's.
type saveParams struct {
	Behavior  string `json:"behavior"`
	ContextID string `json:"browserContextId,omitzero"`
	Path      string `json:"downloadPath,omitzero"`
	Events    bool   `json:"eventsEnabled"`
}

// catchDownloads tells the browser where the context's downloads go, without waiting for its reply. A foreign browser keeps the folder of
// its user until a download is asked for, see [Context.CatchDownloads]. The caller holds the browser's mu.
func (c *Context) catchDownloads() {
	if c.isForeign() {
		return
	}
	b := c.browser
	dir, err := c.downloadDir()
	if err != nil {
		b.log.Warn("downloads have no folder", "err", err)
	} else if !c.isView() {
		c.saving.Store(b.root.Start("Browser.setDownloadBehavior", saveParams{"allowAndName", c.id, dir, true}))
	}
}

// downloadDir returns the folder of the context's downloads. For a view, the caller holds the browser's mu.
func (c *Context) downloadDir() (string, error) {
	return c.downloads.Dir(func() (string, error) {
		if !c.isView() {
			return c.browser.makeTemp("skua-downloads-")
		}
		dir, set, err := c.browser.shareDownloadsLocked()
		c.saving.Store(set)
		return dir, err
	})
}

// CatchDownloads keeps the files that pages save from now on, for [downloads.List.Save], until stop is called.
func (c *Context) CatchDownloads(ctx context.Context) (stop func(), err error) {
	if !c.isForeign() {
		return func() {}, c.awaitFolder(ctx)
	}
	dir, err := c.downloadDir()
	if err != nil {
		return nil, fault.New(fault.File, "there is no folder for downloads: %w", err)
	}
	root := c.browser.root
	if _, err := root.CallRaw(ctx, "Browser.setDownloadBehavior", saveParams{"allowAndName", "", dir, true}); err != nil {
		return nil, err
	}
	return c.letForeignSave, nil
}

// awaitFolder waits until the browser knows the folder for the context's downloads, and makes sure that it is there.
func (c *Context) awaitFolder(ctx context.Context) error {
	if c.saving.Load() == nil && c.downloads.Folder() == "" { // there was no room for it
		c.browser.mu.Lock()
		c.catchDownloads()
		c.browser.mu.Unlock()
	}
	if set := c.saving.Swap(nil); set != nil {
		if _, err := set.Wait(ctx); err != nil {
			return err
		}
	}
	return c.downloads.Ready()
}

// KeepDownloads has the files that pages save from now on put into a folder, see [downloads.List.Keep]. Of a foreign browser this concerns the
// downloads of its user, too, for as long as the context is there.
func (c *Context) KeepDownloads(dir string) {
	if c.downloads.Keep(dir) && c.isForeign() {
		c.letForeignSave()
	}
}

// letForeignSave has a foreign browser save where it would by itself, or right in the folder that downloads are kept in, where they are not lost
// when we are. It gives them names of its own, since by theirs it would replace files that are there.
func (c *Context) letForeignSave() {
	params := saveParams{"default", "", "", false}
	if dir := c.downloads.KeepsIn(); dir != "" {
		params = saveParams{"allowAndName", "", dir, true}
	}
	c.browser.root.Start("Browser.setDownloadBehavior", params)
}

// removeDownloads deletes the files that no caller took.
func (c *Context) removeDownloads() {
	if c.downloads.End(c.isView()) && c.isForeign() {
		c.letForeignSave()
	}
}

// decline cancels a download.
func (c *Context) decline(id string) {
	if c.downloads.Decline(id) {
		params := c.CallParams()
		params["guid"] = id
		c.browser.root.Start("Browser.cancelDownload", params)
	}
}

func (c *Context) downloadBegan(e downloads.Event, page string) {
	e.URL, e.Name = urls.Public(e.URL), pagetext.Bounded(downloads.Shorten(e.Name, downloads.MaxName), downloads.MaxName)
	c.downloads.Began(&e, page)
}

// onDownload follows downloads on the connection's reader.
func (b *Browser) onDownload(ev cdp.Event) {
	var e downloads.Event
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	if ev.Method == "Browser.downloadWillBegin" {
		if c, page := b.downloader(e.FrameID); c != nil && b.isBackground(page) {
			c.decline(e.GUID)
		} else if c != nil {
			c.downloadBegan(e, page)
			c.closeEmptied(page)
		}
		return
	}
	b.mu.Lock()
	contexts := make([]*Context, 0, len(b.contexts))
	for _, c := range b.contexts {
		contexts = append(contexts, c)
	}
	b.mu.Unlock()
	for _, c := range contexts {
		c.downloads.WentOn(&e)
	}
}

// downloader returns the context and the tab that a frame belongs to.
func (b *Browser) downloader(frame string) (c *Context, page string) {
	b.mu.Lock()
	info, isMain := b.discovered[frame]
	if isMain {
		if page := b.pages[frame]; page != nil {
			c = page.ctxt
		} else {
			c = b.contextOfLocked(info)
		}
	}
	pages := make([]*Page, 0, len(b.pages))
	for _, p := range b.pages {
		pages = append(pages, p)
	}
	b.mu.Unlock()
	if isMain {
		return c, frame
	}
	for _, p := range pages {
		if p.frames.ByID(frame) != nil {
			return p.ctxt, p.id
		}
	}
	b.mu.Lock()
	c = b.contexts[""]
	b.mu.Unlock()
	if c != nil && c.downloads.KeepsIn() != "" { // of a tab that was not used; its user's file shall have its name
		return c, ""
	}
	return nil, ""
}

// closeEmptied closes a tab that was opened for a download and has shown nothing, as browsers with windows do themselves. AwaitPopups waits
// for that, too.
func (c *Context) closeEmptied(id string) {
	b := c.browser
	b.mu.Lock()
	info, page := b.discovered[id], b.pages[id]
	b.mu.Unlock()
	if b.proc == nil || info.OpenerID == "" || !isEmptyAddress(info.URL) || page != nil && !isEmpty(page) {
		return
	}
	c.whilePopup(func(ctx context.Context) {
		_, err := b.root.CallRaw(ctx, "Target.closeTarget", target.CloseTargetParams{TargetID: target.ID(id)})
		if err == nil && page != nil {
			_ = page.mu.Await(ctx, "closing an empty tab", func() bool { return page.gone })
		}
	})
}

// isEmpty reports whether the page has shown no document but the one that every new tab has.
func isEmpty(p *Page) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return isEmptyAddress(p.main.url)
}

// isEmptyAddress reports whether an address is that of a tab which has not gone anywhere; ":" is that of a tab on its first way.
func isEmptyAddress(url string) bool { return url == "" || url == "about:blank" || url == ":" }

// onDownload takes what pages tell of downloads. Those of a foreign browser are followed by it: the browser itself tells only whom it lets choose
// the folder.
func (p *Page) onDownload(ev cdp.Event) {
	began := ev.Method == "Page.downloadWillBegin"
	followed := p.ctxt.isForeign() && p.ctxt.downloads.KeepsIn() == ""
	var e downloads.Event
	if !began && !followed || cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	if began {
		p.mu.Lock()
		p.nav.downloadedLocked(p, e.FrameID, e.URL)
		tellDeparture(p, e.FrameID)
		p.mu.Broadcast()
		p.mu.Unlock()
	}
	switch {
	case !followed:
	case !began:
		p.ctxt.downloads.WentOn(&e)
	case p.background.Load():
		p.ctxt.decline(e.GUID)
	default:
		p.ctxt.downloadBegan(e, p.id)
	}
}
