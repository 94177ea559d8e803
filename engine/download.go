package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// DownloadState is how far a download is.
type DownloadState string

// The states. The browser does not tell a download that it or the server broke off from one that was canceled.
const (
	DownloadRunning  DownloadState = "inProgress"
	DownloadComplete DownloadState = "completed"
	DownloadCanceled DownloadState = "canceled"
)

// Download is a file that a page of a context began to save.
type Download struct {
	Seq      int    // grows by one with each download of the context
	URL      string // where the bytes come from, after redirects
	Name     string // what the server or the page calls the file
	Page     string // target id of the tab that began it; of a tab that was opened only for it, that one
	State    DownloadState
	Received int64
	Total    int64 // 0: the server did not say
	Taken    bool  // a caller has fetched the file

	// Kept is where the file is among those that are kept, see [Context.KeepDownloads]; empty: it is not.
	Kept string

	id     string
	path   string // where the file is; empty: the browser has put it nowhere yet, or does not say
	toKeep bool   // its file goes where files are kept
	moving bool   // it is on its way there
	told   bool   // see TellDownloads
}

// mostDownloads is how many downloads of a context are remembered, and kept until a caller takes them.
const mostDownloads = 50

// downloads are those of one context. Its pages save into a folder of its own, under names that the browser makes up; who wants a file
// moves it where it belongs.
type downloads struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced when something is new
	dir     string        // empty: none was made yet
	keep    string        // where files go that are complete; empty: they stay
	set     *cdp.Pending  // the call that told the browser of the folder
	list    []*Download
	last    int
	mark    int // the last one when the last action began

	declined map[string]bool // ids of canceled downloads of background pages

	over  bool
	moves sync.WaitGroup // of files on their way to where they are kept
}

// saveParams are Browser.setDownloadBehavior's.
type saveParams struct {
	Behavior  string `json:"behavior"`
	ContextID string `json:"browserContextId,omitzero"`
	Path      string `json:"downloadPath,omitzero"`
	Events    bool   `json:"eventsEnabled"`
}

// catchDownloads tells the browser where the context's downloads go, without waiting for its reply. A foreign browser keeps the folder of
// its user until a download is asked for, see [Context.CatchDownloads].
func (c *Context) catchDownloads() {
	if c.isForeign() {
		return
	}
	d := &c.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.isView() {
		d.dir, d.set = c.browser.shareDownloadsLocked()
		return
	}
	if err := d.makeDirLocked(c.browser); err != nil {
		c.browser.log.Warn("downloads have no folder", "err", err)
		return
	}
	d.set = c.browser.root.Start("Browser.setDownloadBehavior", saveParams{"allowAndName", c.id, d.dir, true})
}

func (d *downloads) makeDirLocked(b *Browser) (err error) {
	if d.dir == "" {
		d.dir, err = b.makeTemp("skua-downloads-")
	}
	return err
}

// CatchDownloads keeps the files that pages save from now on, for [Context.SaveDownload], until stop is called.
func (c *Context) CatchDownloads(ctx context.Context) (stop func(), err error) {
	d := &c.downloads
	d.mu.Lock()
	if !c.isForeign() {
		set := d.set
		d.set = nil
		d.mu.Unlock()
		if set == nil {
			return func() {}, nil
		}
		_, err := set.Wait(ctx)
		return func() {}, err
	}
	err = d.makeDirLocked(c.browser)
	dir := d.dir
	d.mu.Unlock()
	if err != nil {
		return nil, fault.New(fault.File, "there is no folder for downloads: %w", err)
	}
	root := c.browser.root
	if _, err := root.CallRaw(ctx, "Browser.setDownloadBehavior", saveParams{"allowAndName", "", dir, true}); err != nil {
		return nil, err
	}
	return c.letForeignSave, nil
}

// MarkDownloads notes that an action begins and returns the number of the last download so far.
func (c *Context) MarkDownloads() int {
	c.downloads.mu.Lock()
	defer c.downloads.mu.Unlock()
	c.downloads.mark = c.downloads.last
	return c.downloads.last
}

// DownloadMark returns the number of the last download when the last action began.
func (c *Context) DownloadMark() int {
	c.downloads.mu.Lock()
	defer c.downloads.mu.Unlock()
	return c.downloads.mark
}

// TellDownloads is like Downloads, but returns each download once.
func (c *Context) TellDownloads(after int) []Download {
	c.downloads.mu.Lock()
	defer c.downloads.mu.Unlock()
	var all []Download
	for _, d := range c.downloads.list {
		if d.Seq > after && !d.told {
			d.told = true
			all = append(all, *d)
		}
	}
	return all
}

// Downloads returns the downloads with a number above after, in the order in which they began.
func (c *Context) Downloads(after int) []Download {
	c.downloads.mu.Lock()
	defer c.downloads.mu.Unlock()
	var all []Download
	for _, d := range c.downloads.list {
		if d.Seq > after {
			all = append(all, *d)
		}
	}
	return all
}

// Gone reports whether the file of a complete download was moved away or removed from where it was put, or from where it was saved.
func (d *Download) Gone() bool {
	if d.State != DownloadComplete || d.path == "" {
		return false
	}
	_, err := os.Lstat(d.path)
	return errors.Is(err, fs.ErrNotExist)
}

// File is the last known path of the file, as the browser saved it or a caller moved it; empty if unknown.
func (d *Download) File() string { return d.path }

// SaveDownload moves the file of a complete download to a place that save finds for it, given where it is, and notes that it is taken. save
// returns where it is now.
func (c *Context) SaveDownload(seq int, save func(from string) (to string, err error)) error {
	c.downloads.mu.Lock()
	i := slices.IndexFunc(c.downloads.list, func(d *Download) bool { return d.Seq == seq })
	if i < 0 {
		c.downloads.mu.Unlock()
		return fault.New(fault.DownloadFailed, "the download is not kept any more")
	}
	d := c.downloads.list[i]
	from, url := d.path, d.URL
	c.downloads.mu.Unlock()
	if from == "" {
		return fault.New(fault.DownloadFailed, "the browser has saved %s in a folder of its own", url).
			WithHint("Use `download <selector> <path>`, which names the place before it begins.")
	}
	to, err := save(from)
	if err != nil {
		return err
	}
	c.downloads.mu.Lock()
	defer c.downloads.mu.Unlock()
	d.Taken, d.path = true, to
	return nil
}

// removeDownloads deletes the files that no caller took.
func (c *Context) removeDownloads() {
	c.downloads.mu.Lock()
	dir, left, kept := c.downloads.dir, c.downloads.list, c.downloads.keep != ""
	c.downloads.dir, c.downloads.keep, c.downloads.over = "", "", true
	c.downloads.mu.Unlock()
	if kept && c.isForeign() {
		c.letForeignSave()
	}
	c.downloads.moves.Wait()
	if c.isView() {
		removeUntaken(left)
		return
	}
	if dir == "" {
		return
	}
	if err := os.RemoveAll(dir); err != nil {
		c.browser.log.Debug("downloads not removed", "dir", dir, "err", err)
	}
}

// downloadEvent has the fields of Browser.downloadWillBegin and Browser.downloadProgress, and of those of Page.
type downloadEvent struct {
	FrameID  string  `json:"frameId"`
	GUID     string  `json:"guid"`
	URL      string  `json:"url"`
	Name     string  `json:"suggestedFilename"`
	Total    float64 `json:"totalBytes"`
	Received float64 `json:"receivedBytes"`
	State    string  `json:"state"`
}

// onDownload follows downloads on the connection's reader.
func (b *Browser) onDownload(ev cdp.Event) {
	var e downloadEvent
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
		c.downloadWentOn(e)
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
		if p.Frame(frame) != nil {
			return p.ctxt, p.id
		}
	}
	b.mu.Lock()
	c = b.contexts[""]
	b.mu.Unlock()
	if c != nil && c.keepsDownloads() { // of a tab that was not used; its user's file shall have its name
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
	if b.proc == nil || info.OpenerID == "" || !isEmptyAddress(info.URL) || page != nil && !page.isEmpty() {
		return
	}
	c.whilePopup(func(ctx context.Context) {
		_, err := b.root.CallRaw(ctx, "Target.closeTarget", target.CloseTargetParams{TargetID: target.ID(id)})
		if err == nil && page != nil {
			_ = page.await(ctx, "closing an empty tab", func() bool { return page.gone })
		}
	})
}

// isEmpty reports whether the page has shown no document but the one that every new tab has.
func (p *Page) isEmpty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return isEmptyAddress(p.main.url)
}

// isEmptyAddress reports whether an address is that of a tab which has not gone anywhere; ":" is that of a tab on its first way.
func isEmptyAddress(url string) bool { return url == "" || url == "about:blank" || url == ":" }

func (c *Context) downloadBegan(e downloadEvent, page string) {
	d := &c.downloads
	d.mu.Lock()
	if d.over || slices.ContainsFunc(d.list, func(one *Download) bool { return one.id == e.GUID }) {
		d.mu.Unlock()
		return
	}
	d.last++
	d.list = append(d.list, &Download{Seq: d.last, URL: PublicAddress(e.URL), Name: Bounded(e.Name, maxFileName), Page: page, State: DownloadRunning, id: e.GUID, toKeep: d.keep != ""})
	var dropped string
	if len(d.list) > mostDownloads {
		if old := d.list[0]; !old.Taken && old.Kept == "" && !old.moving {
			dropped = old.path
		}
		d.list = slices.Delete(d.list, 0, 1)
	}
	d.mu.Unlock()
	if dropped != "" {
		c.browser.Spawn(func(context.Context) { _ = os.Remove(dropped) })
	}
	c.tellDownloads()
}

func (c *Context) downloadWentOn(e downloadEvent) {
	d := &c.downloads
	d.mu.Lock()
	if d.declined[e.GUID] {
		d.wasDeclinedLocked(c.browser, e)
		d.mu.Unlock()
		return
	}
	i := slices.IndexFunc(d.list, func(one *Download) bool { return one.id == e.GUID && one.State == DownloadRunning })
	if i < 0 {
		d.mu.Unlock()
		return
	}
	one := d.list[i]
	if one.moving {
		d.mu.Unlock()
		return
	}
	one.Received = max(one.Received, int64(e.Received)) // one that fails is told without what had come
	one.Total = int64(e.Total)
	if DownloadState(e.State) == DownloadComplete {
		one.path = d.placeLocked(e)
		if from, dir := one.path, d.keep; from != "" && one.toKeep && dir != "" && !d.over {
			one.moving = true
			d.moves.Go(func() { c.keepFile(one, from, dir) }) // removeDownloads waits for it
			d.mu.Unlock()
			return
		}
	}
	one.State = DownloadState(e.State)
	d.mu.Unlock()
	c.tellDownloads()
}

// placeLocked is where the file of a complete download is; empty: not to be known.
func (d *downloads) placeLocked(e downloadEvent) string {
	for _, dir := range []string{d.dir, d.keep} {
		if dir == "" {
			continue
		}
		if path := filepath.Join(dir, filepath.Base(e.GUID)); exists(path) {
			return path
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// tellDownloads wakes those who wait for a download, and those who wait for anything in a page.
func (c *Context) tellDownloads() {
	c.downloads.mu.Lock()
	if c.downloads.changed != nil {
		close(c.downloads.changed)
		c.downloads.changed = nil
	}
	c.downloads.mu.Unlock()
	for _, p := range c.Pages() {
		p.mu.Lock()
		p.broadcastLocked()
		p.mu.Unlock()
	}
}

// onDownload takes what pages tell of downloads. Those of a foreign browser are followed by it: the browser itself tells only whom it lets choose
// the folder.
func (p *Page) onDownload(ev cdp.Event) {
	began := ev.Method == "Page.downloadWillBegin"
	followed := p.ctxt.isForeign() && !p.ctxt.keepsDownloads()
	var e downloadEvent
	if !began && !followed || cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	if began {
		p.mu.Lock()
		p.nav.downloadedLocked(p, e.FrameID, e.URL)
		p.broadcastLocked()
		p.mu.Unlock()
	}
	switch {
	case !followed:
	case !began:
		p.ctxt.downloadWentOn(e)
	case p.background.Load():
		p.ctxt.decline(e.GUID)
	default:
		p.ctxt.downloadBegan(e, p.id)
	}
}
