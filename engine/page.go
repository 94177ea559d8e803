package engine

import (
	"context"
	"path"
	"strings"
	"sync/atomic"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/engine/liveness"
	"github.com/skua-browser/skua/engine/monitor"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/engine/urls"
)

// Page is a tab, or a page that another page embeds as a target of its own. Of a page in a foreign browser only the
// target info is known until [Page.Attach]. Its methods may be called from several goroutines; the caller orders input.
type Page struct {
	ctxt *Context
	id   string       // target id
	sess *cdp.Session // bound while the page is attached to

	areas     stateList    // of packages on top of this one
	alive     liveness.Log // whether it can answer
	observers atomic.Pointer[[]func(*cdp.Session, cdp.Event)]

	background atomic.Bool // see NewBackgroundPage
	tab        interception.Tab
	opener     string // target id of the page that opened this one

	frames   *Frames
	sessions *Sessions
	traffic  *traffic.Traffic
	dialogs  *dialogs.Dialogs
	mu       *monitor.Monitor // of what follows, and of the page's frames
	main     *Frame
	link     *attachment
	told     told
	loading  Loading
	life     lifetime
	watches  watches

	acts int // how often something was sent that acts on the page
}

// told is what the browser reports about the page's target, and what is known about its title.
type told struct {
	kind   string // target type
	parent string // target id of the page that embeds this one
	url    string // as the browser last reported it; the main frame's own is newer during a load
	title  string // of the document that is shown; empty means that it has none, or none is known yet
	asked  int    // navigations that wait for their document, whose title they ask for
}

// origin is how a page was opened.
type origin struct {
	opener     string            // target id
	cause      *dialogs.Override // of the command that opened the page
	background bool              // see NewBackgroundPage
	textOnly   bool              // see NewTextOnlyPage
}

// newPage returns the page of a target, not attached yet.
func (b *Browser) newPage(c *Context, id string, from origin) *Page {
	p := &Page{
		ctxt:    c,
		id:      id,
		told:    told{kind: pageType},
		sess:    b.conn.NewSession(),
		watches: watches{},
		opener:  from.opener,
	}
	p.loading.page = p
	p.life = lifetime{page: p, done: make(chan struct{})}
	p.mu = monitor.New(monitor.Owner{Err: p.life.errLocked, Ended: b.Done(), Cause: b.Err})
	p.traffic = newTraffic(p)
	p.dialogs = newDialogs(p, from.cause)
	p.background.Store(from.background)
	p.tab.ID = id
	p.tab.Refused = func(why error) {
		p.mu.Do(func() {
			p.loading.refused = refusals{p.loading.refused.times + 1, why}
			p.mu.Broadcast()
		})
	}
	if from.textOnly {
		p.tab.TextOnly.Begin()
	}
	// The id of a page target is the id of its main frame.
	p.main = newFrame(p, id, p.sess, nil)
	p.frames = &Frames{page: p, byID: map[string]*Frame{id: p.main}}
	p.sessions = newSessions(p)
	p.link = &attachment{page: p, turn: make(chan struct{}, 1)}
	p.sess.Tap(func(ev cdp.Event) { p.onEvent(p.sess, ev) })
	return p
}

// sessionSetup is what every session, of a page or of an out-of-process frame, needs.
func (c *Context) sessionSetup() []cdp.Call {
	return []cdp.Call{
		{Method: "Page.enable"},
		{Method: "Page.setLifecycleEventsEnabled", Params: map[string]bool{"enabled": true}},
		c.overrides.autoAttach().call(),
	}
}

// pageSetup is what the context's options ask of each page, and focus for pages in the background: without it their
// timers are throttled and document.hasFocus() is false.
func (c *Context) pageSetup() []cdp.Call {
	calls := []cdp.Call{{Method: "Emulation.setFocusEmulationEnabled", Params: map[string]bool{"enabled": true}}}
	if c.opts.UserAgent != "" {
		calls = append(calls, cdp.Call{
			Method: "Emulation.setUserAgentOverride",
			Params: map[string]string{"userAgent": c.opts.UserAgent},
		})
	}
	if c.opts.IgnoreHTTPSErrors {
		calls = append(calls, cdp.Call{
			Method: "Security.setIgnoreCertificateErrors",
			Params: map[string]bool{"ignore": true},
		})
	}
	if c.opts.ColorScheme != "" {
		calls = append(calls, cdp.Call{Method: "Emulation.setEmulatedMedia", Params: emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: c.opts.ColorScheme}},
		}})
	}
	return calls
}

// ID returns the target id, which is unique in the browser.
func (p *Page) ID() string { return p.id }

// Context returns the browser context that the page belongs to.
func (p *Page) Context() *Context { return p.ctxt }

// Opener returns the target id of the page that opened this one, or "".
func (p *Page) Opener() string { return p.opener }

// Type returns the browser's word for what the page is: "page", or "webview" for one that another page embeds.
func (p *Page) Type() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.told.kind
}

// Parent returns the target id of the page that embeds this one, or "".
func (p *Page) Parent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.told.parent
}

// URL returns the address of the main frame's document as it may be told, see [urls.Public], and as the browser last
// reported it, without asking the page.
func (p *Page) URL() string { return urls.Public(p.Address()) }

// Address is the whole address of the main frame's document, with what may be secret in it: for those who go there
// again.
func (p *Page) Address() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.main.url != "" {
		return p.main.url
	}
	return p.told.url
}

// Title returns the title that the browser last reported, without asking the page.
func (p *Page) Title() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.told.title
}

// SawTitle tells the page which title the main frame's document of a loader had when something in it was looked at: the
// browser reports no changes of it by itself. It reports whether the page shows that document still. The title of one
// that it has left is not its own.
func (p *Page) SawTitle(loader, title string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if loader != p.main.loader {
		return false
	}
	if title = pagetext.Title(p.told.title, title); p.told.title != title {
		p.told.title = title
		p.ctxt.notice.tell()
	}
	return true
}

// Main returns the main frame.
func (p *Page) Main() *Frame { return p.main }

// Session returns the page's protocol session, on which the packages on top of this one work. It ends with the page.
func (p *Page) Session() *cdp.Session { return p.sess }

// Close closes the tab and returns when the browser has confirmed it. A page that asks whether it may be left is closed
// when the policy accepts its dialog; else the error says that it stays.
func (p *Page) Close(ctx context.Context) error {
	p.mu.Lock()
	p.life.closing = true
	declined := p.dialogs.Declined()
	p.mu.Unlock()
	asked, err := askToClose(ctx, p)
	if err != nil && !p.life.isGone() {
		return err
	}
	var asks *dialogs.Dialog
	var stays, crashed bool
	err = p.mu.AwaitUnless(ctx, "closing the tab", p.life.endedLocked, func() bool {
		if d := p.dialogs.OpenNow(); d != nil && d.Type == "beforeunload" {
			asks = d
		}
		stays = p.dialogs.Declined() > declined
		crashed = asked && p.life.failed != nil
		return p.life.gone || asks != nil || stays || crashed
	})
	if err == nil && crashed && !p.life.isGone() { // it cannot say any longer whether it may be closed
		if err = closeTarget(ctx, p); err == nil {
			err = p.mu.AwaitUnless(ctx, "closing the tab", p.life.endedLocked, func() bool { return p.life.gone })
		}
	}
	switch {
	case p.life.isGone():
		return nil
	case err != nil:
		return err
	case asks != nil:
		return asks.Err()
	case stays:
		return stayed("closing the tab")
	}
	return nil
}

// askToClose closes the target without asking its page, which may be stuck, unless the policy has a say in what the
// page is told. It reports whether the page was asked.
func askToClose(ctx context.Context, p *Page) (asked bool, err error) {
	answer := p.dialogs.Policy().Answer
	if (answer == dialogs.Dismiss || answer == dialogs.Keep) && !p.background.Load() && p.Attach(ctx) == nil &&
		p.Err() == nil {
		p.sess.Start("Page.close", nil) // the reply comes when the page has been told, and maybe not at all
		return true, nil
	}
	return false, closeTarget(ctx, p)
}

func closeTarget(ctx context.Context, p *Page) error {
	_, err := p.ctxt.browser.root.CallRaw(ctx, "Target.closeTarget", map[string]string{"targetId": p.id})
	return err
}

func (p *Page) setInfo(info target.Info) {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := [2]string{p.told.url, p.told.title}
	if !p.link.is && p.told.url != info.URL {
		p.life.failed = nil // its state may have changed; the next attach finds out
	}
	p.told.url = info.URL
	if info.Type != "" {
		p.told.kind = info.Type
	}
	if info.ParentID != "" {
		p.told.parent = string(info.ParentID)
	}
	url, title := info.URL, info.Title
	// Chromium reports the address in place of a title until something else makes it look again, of a file its name.
	if title != "" && title != url && !strings.HasSuffix(url, "://"+title) &&
		!(strings.HasPrefix(url, "file:") && path.Base(url) == title) {
		p.told.title = pagetext.Title(p.told.title, title)
	}
	p.mu.Broadcast()
	if was != [2]string{p.told.url, p.told.title} {
		p.ctxt.notice.tell()
	}
}
