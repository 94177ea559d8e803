package engine

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// Downloads are what the pages of a context download: the list of them, and the folder that the browser saves them in.
type Downloads struct {
	*downloads.List
	of     *Context
	saving atomic.Pointer[cdp.Pending] // the call that told the browser where to save, until its reply is fetched
}

// Downloads returns the downloads of the context.
func (c *Context) Downloads() *Downloads { return c.downloads }

func newDownloads(c *Context) *Downloads {
	b := c.browser
	wake := func() {
		for _, p := range c.Pages() {
			p.mu.Do(p.mu.Broadcast)
		}
	}
	return &Downloads{
		List: downloads.New(downloads.Owner{
			Log:     b.log,
			Changed: wake,
			Spawn:   b.Spawn,
			Done:    b.Done(),
			Err:     b.Err,
		}),
		of: c,
	}
}

// saveParams are Browser.setDownloadBehavior's.
type saveParams struct {
	Behavior  string `json:"behavior"`
	ContextID string `json:"browserContextId,omitzero"`
	Path      string `json:"downloadPath,omitzero"`
	Events    bool   `json:"eventsEnabled"`
}

// setFolder tells the browser where the context's downloads go, without waiting for its reply. A foreign browser keeps
// the folder of its user until a download is asked for, see [Downloads.Catch]. The caller holds the browser's mu.
func (d *Downloads) setFolder() {
	if d.of.isForeign() {
		return
	}
	b := d.of.browser
	dir, err := d.makeFolder()
	if err != nil {
		b.log.Warn("downloads have no folder", "err", err)
	} else if !d.of.isView() {
		d.saving.Store(b.root.Start("Browser.setDownloadBehavior", saveParams{"allowAndName", d.of.id, dir, true}))
	}
}

// makeFolder returns the folder of the context's downloads, and makes it if it is not there. For a view, the caller
// holds the browser's mu.
func (d *Downloads) makeFolder() (string, error) {
	return d.Dir(func() (string, error) {
		if !d.of.isView() {
			return d.of.browser.makeTemp("skua-downloads-")
		}
		dir, set, err := d.of.browser.shareDownloadsLocked()
		d.saving.Store(set)
		return dir, err
	})
}

// Catch keeps the files that pages save from now on, for [downloads.List.Save], until stop is called.
func (d *Downloads) Catch(ctx context.Context) (stop func(), err error) {
	if !d.of.isForeign() {
		return func() {}, d.awaitFolder(ctx)
	}
	dir, err := d.makeFolder()
	if err != nil {
		return nil, fault.New(fault.File, "there is no folder for downloads: %w", err)
	}
	root := d.of.browser.root
	if _, err := root.CallRaw(ctx, "Browser.setDownloadBehavior", saveParams{"allowAndName", "", dir, true}); err != nil {
		return nil, err
	}
	return d.letForeignSave, nil
}

// awaitFolder waits until the browser knows the folder for the context's downloads, and makes sure that it is there.
func (d *Downloads) awaitFolder(ctx context.Context) error {
	if d.saving.Load() == nil && d.Folder() == "" { // there was no room for it
		d.of.browser.mu.Lock()
		d.setFolder()
		d.of.browser.mu.Unlock()
	}
	if set := d.saving.Swap(nil); set != nil {
		if _, err := set.Wait(ctx); err != nil {
			return err
		}
	}
	return d.Ready()
}

// KeepIn has the files that pages save from now on put into a folder, see [downloads.List.Keep]. Of a foreign browser
// this concerns the downloads of its user, too, for as long as the context is there.
func (d *Downloads) KeepIn(dir string) {
	if d.Keep(dir) && d.of.isForeign() {
		d.letForeignSave()
	}
}

// letForeignSave has a foreign browser save where it would by itself, or right in the folder that downloads are kept
// in, where they are not lost when we are. It gives them names of its own, since by theirs it would replace files that
// are there.
func (d *Downloads) letForeignSave() {
	params := saveParams{"default", "", "", false}
	if dir := d.KeepsIn(); dir != "" {
		params = saveParams{"allowAndName", "", dir, true}
	}
	d.of.browser.root.Start("Browser.setDownloadBehavior", params)
}

// end deletes the files that no caller took.
func (d *Downloads) end() {
	if d.End(d.of.isView()) && d.of.isForeign() {
		d.letForeignSave()
	}
}

// cancel cancels a download of a background page.
func (d *Downloads) cancel(id string) {
	if d.Decline(id) {
		d.of.browser.root.Start("Browser.cancelDownload", browser.CancelDownloadParams{
			GUID:             id,
			BrowserContextID: proto.BrowserContextID(d.of.id),
		})
	}
}

func (d *Downloads) began(e downloads.Event, page string) {
	e.URL, e.Name = urls.Public(e.URL), pagetext.Bounded(downloads.Shorten(e.Name, downloads.MaxName), downloads.MaxName)
	d.Began(&e, page)
}

// onDownload follows downloads on the connection's reader.
func (b *Browser) onDownload(ev cdp.Event) {
	var e downloads.Event
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	if ev.Method == "Browser.downloadWillBegin" {
		if c, page := b.downloader(e.FrameID); c != nil && b.isBackground(page) {
			c.downloads.cancel(e.GUID)
		} else if c != nil {
			c.downloads.began(e, page)
			c.downloads.closeEmptied(page)
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

// closeEmptied closes a tab that was opened for a download and has shown nothing, as browsers with windows do
// themselves. [Popups.Await] waits for that, too.
func (d *Downloads) closeEmptied(id string) {
	b := d.of.browser
	b.mu.Lock()
	info, page := b.discovered[id], b.pages[id]
	b.mu.Unlock()
	if b.proc == nil || info.OpenerID == "" || !isEmptyAddress(info.URL) || page != nil && !isEmpty(page) {
		return
	}
	d.of.popups.during(func(ctx context.Context) {
		_, err := b.root.CallRaw(ctx, "Target.closeTarget", target.CloseTargetParams{TargetID: target.ID(id)})
		if err == nil && page != nil {
			_ = page.mu.Await(ctx, "closing an empty tab", func() bool { return page.life.gone })
		}
	})
}

// isEmpty reports whether the page has shown no document but the one that every new tab has.
func isEmpty(p *Page) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return isEmptyAddress(p.main.url)
}

// isEmptyAddress reports whether an address is that of a tab which has not gone anywhere; ":" is that of a tab on its
// first way.
func isEmptyAddress(url string) bool { return url == "" || url == "about:blank" || url == ":" }

// onPageEvent takes what a page reports about downloads. Those of a foreign browser are followed by it: the browser
// itself tells only whom it lets choose the folder.
func (d *Downloads) onPageEvent(p *Page, ev cdp.Event) {
	began := ev.Method == "Page.downloadWillBegin"
	followed := d.of.isForeign() && d.KeepsIn() == ""
	var e downloads.Event
	if !began && !followed || cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	if began {
		p.mu.Lock()
		p.loading.downloadedLocked(p, e.FrameID, e.URL)
		tellDeparture(p, e.FrameID)
		p.mu.Broadcast()
		p.mu.Unlock()
	}
	switch {
	case !followed:
	case !began:
		d.WentOn(&e)
	case p.background.Load():
		d.cancel(e.GUID)
	default:
		d.began(e, p.id)
	}
}

// errQuiet reports that nothing has happened for a while.
var errQuiet = fault.New(fault.DownloadFailed, "no download began")

// AwaitDownloadOf waits for a download that something in the page is to begin, with a number above after and taken by
// accept. It gives up, with begun false, when the page has been quiet for a while: it loads nothing, and no request
// that began since is without an answer. A page that is never quiet has patience of it.
func AwaitDownloadOf(
	ctx context.Context, p *Page, heard *traffic.Recording, accept func(*downloads.Item) bool,
	quiet, patience time.Duration,
) (_ downloads.Item, begun bool, err error) {
	find := func() (downloads.Item, bool) { return p.ctxt.downloads.Find(accept) }
	patient, cancel := context.WithTimeoutCause(ctx, patience, errQuiet)
	defer cancel()
	for {
		var was activity
		p.mu.Do(func() { was = activityOf(p, heard) })
		waiting, stop := patient, func() {}
		if !was.busy {
			waiting, stop = context.WithTimeoutCause(patient, quiet, errQuiet)
		}
		err := p.mu.Await(waiting, "waiting for a download", func() bool {
			_, found := find()
			return found || activityOf(p, heard) != was
		})
		stop()
		if d, found := find(); found {
			return d, true, nil
		}
		switch {
		case err == nil:
		case errors.Is(err, errQuiet) || fault.Is(err, fault.PageGone):
			return downloads.Item{}, false, nil
		default:
			return downloads.Item{}, false, err
		}
	}
}

// activity is what a page has done so far.
type activity struct {
	requests, ended, commits int
	busy                     bool
}

// activityOf counts what a page has done. The caller holds p.mu.
func activityOf(p *Page, recording *traffic.Recording) activity {
	a := activity{commits: p.main.commits}
	a.requests, a.ended = recording.Counts()
	a.busy = p.loading.started != "" || a.ended < a.requests
	return a
}
