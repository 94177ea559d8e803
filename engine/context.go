package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// ContextOptions are what a browser context fixes for all its pages.
type ContextOptions struct {
	Proxy             string // proxy server URL; empty means the browser's own setting
	ProxyBypass       string // comma separated hosts that skip the proxy
	UserAgent         string // empty means the browser's own
	IgnoreHTTPSErrors bool
	ColorScheme       string // "dark", "light" or "no-preference"; empty means the browser's own
	Width, Height     int    // size of new pages in CSS pixels; 0 means the browser's default
}

// Context is one profile's worth of pages: its own cookies, storage and cache.
type Context struct {
	browser *Browser
	id      string // empty for the default context
	key     string // among the browser's contexts: the id, or a name of our own for a view
	opts    ContextOptions

	pages    pageList
	creation creation
	popups   Popups
	policies dialogs.Policies

	downloads *Downloads
	notice    notice
	overrides *Overrides
	network   *NetworkDomain
	requests  *interception.Interception

	areas     stateList // of packages on top of this one
	observers observers

	origins  urls.Origins
	greeting greeting
	closing  atomic.Bool // a caller has asked for its end, and that of its pages
}

// NewContext makes an isolated context, to be ended with Close.
func (b *Browser) NewContext(ctx context.Context, o ContextOptions) (*Context, error) {
	res, err := proto.Call(ctx, b.root, target.CreateBrowserContext, target.CreateBrowserContextParams{
		DisposeOnDetach: new(true),
		ProxyServer:     o.Proxy,
		ProxyBypassList: o.ProxyBypass,
	})
	if err != nil {
		return nil, err
	}
	c := b.addContext(string(res.BrowserContextID), o)
	c.AllowCopying()
	return c, nil
}

// AllowCopying lets pages write text to the clipboard on a click, as browsers with a window allow by default and
// headless ones do not.
func (c *Context) AllowCopying() {
	if c.isForeign() {
		return // its user has a say in that
	}
	c.browser.root.Start("Browser.setPermission", browser.SetPermissionParams{
		Permission:       &browser.PermissionDescriptor{Name: "clipboard-write"},
		Setting:          "granted",
		BrowserContextID: proto.BrowserContextID(c.id),
	})
}

// DefaultContext returns the context that the browser started with. Its pages are those that the browser shows already.
func (b *Browser) DefaultContext(o ContextOptions) *Context { return b.addContext("", o) }

func (b *Browser) addContext(id string, o ContextOptions) *Context { return b.addContextAs(id, id, o) }

func (b *Browser) addContextAs(key, id string, o ContextOptions) *Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.contexts[key]; c != nil {
		return c
	}
	c := &Context{
		browser: b,
		id:      id,
		key:     key,
		opts:    o,
		popups:  Popups{browser: b},
	}
	c.pages.changed = c.notice.tell
	c.overrides = &Overrides{pages: &c.pages, browser: b}
	c.network = &NetworkDomain{overrides: c.overrides}
	c.requests = interception.New(interception.Owner{
		Spawn: b.Spawn,
		Apply: func(ctx context.Context, enable *interception.Enable) error {
			return pauseRequests(ctx, c, nil, enable)
		},
	})
	c.downloads = newDownloads(c)
	b.contexts[key] = c
	c.downloads.setFolder()
	return c
}

// Origins returns the origins of which the context has shown documents.
func (c *Context) Origins() *urls.Origins { return &c.origins }

// ID returns the browser's id of the context; it is empty for the default context and for views.
func (c *Context) ID() string { return c.id }

// Options returns what the context was made with.
func (c *Context) Options() ContextOptions { return c.opts }

// Browser returns the browser that the context belongs to.
func (c *Context) Browser() *Browser { return c.browser }

// Pages returns the open pages in the order in which they came.
func (c *Context) Pages() []*Page { return c.pages.open() }

// NewPage opens a tab on about:blank.
func (c *Context) NewPage(ctx context.Context) (*Page, error) { return c.createAs(ctx, inTab) }

// NewWindow opens a tab on about:blank in a window of its own.
func (c *Context) NewWindow(ctx context.Context) (*Page, error) { return c.createAs(ctx, inWindow) }

// place is where a page is opened.
type place int

const (
	inTab place = iota
	inWindow
	inBackground
	textOnlyPage
)

// createLimit is how long the creation of a background page may take.
const createLimit = 10 * time.Second

func (c *Context) createAs(ctx context.Context, where place) (*Page, error) {
	c.creation.begin()
	params := target.CreateTargetParams{
		URL:              "about:blank",
		BrowserContextID: proto.BrowserContextID(c.id),
		Width:            int64(c.opts.Width),
		Height:           int64(c.opts.Height),
	}
	switch where { // false is more than nothing to Chromium: it then wants a window that is there already
	case inWindow:
		params.NewWindow = new(true)
	case inBackground, textOnlyPage:
		params.Background = new(true)
	}
	asked := ctx
	hidden := where == inBackground || where == textOnlyPage
	if hidden { // a caller that gives up must not leave a tab behind
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), createLimit)
		defer cancel()
	}
	res, err := proto.Call(ctx, c.browser.root, target.CreateTarget, params)
	if fault.Is(err, fault.Protocol) && strings.Contains(err.Error(), "only be set for new windows") {
		params.Width, params.Height = 0, 0 // a full browser's further tabs have the size of their window
		res, err = proto.Call(ctx, c.browser.root, target.CreateTarget, params)
	}
	id := string(res.TargetID)
	for _, info := range c.creation.end(id) {
		c.appeared(info)
	}
	if err != nil {
		return nil, c.browser.cannotOpen(err)
	}
	p, err := c.attach(asked, id, false, origin{background: hidden, textOnly: where == textOnlyPage})
	if err == nil {
		err = c.greeting.ensure(asked, c.requests.Rules(), p)
	}
	if err != nil { // the caller does not get the page, so cannot close it
		c.browser.root.Start(target.CommandCloseTarget, map[string]string{"targetId": id})
		return nil, err
	}
	return p, nil
}

// discovered handles a new page target. It runs on the reader goroutine.
func (c *Context) discovered(info target.Info) {
	if !c.creation.holds(info) {
		c.appeared(info)
	}
}

// appeared takes in a page that was not made by us: a popup of one of our pages, or what the user of a foreign browser
// opened.
func (c *Context) appeared(info target.Info) {
	if c.browser.Owned() || c.browser.isAttachedTo(string(info.OpenerID)) {
		c.popup(info)
		return
	}
	p := c.list(info)
	if p == nil {
		return
	}
	c.popups.during(func(context.Context) { c.popups.tell(p) })
}

// popup attaches to a page that one of ours opened, so that its dialogs are seen and it can be named in replies.
func (c *Context) popup(info target.Info) {
	if !isTab(info) {
		c.browser.sessions.release(string(info.TargetID), func() {})
		return
	}
	if c.browser.isBackground(string(info.OpenerID)) {
		c.shut(info)
		return
	}
	cause := c.policies.Cause(string(info.OpenerID))
	c.popups.during(func(ctx context.Context) {
		p, err := c.attach(ctx, string(info.TargetID), true, origin{opener: string(info.OpenerID), cause: cause})
		if err != nil {
			c.browser.log.Info("popup not attached", "target", info.TargetID, "err", err)
			return
		}
		c.popups.tell(p)
	})
}

func (c *Context) attach(ctx context.Context, id string, existing bool, from origin) (*Page, error) {
	b := c.browser
	b.mu.Lock()
	p := b.pages[id]
	if p != nil {
		b.mu.Unlock()
		return p, p.Attach(ctx)
	}
	p = b.newPage(c, id, from)
	p.link.fresh = !existing && b.Owned()
	coming := &arrival{page: p}
	b.attaching[id] = coming
	b.mu.Unlock()
	defer b.sessions.resume(id, nil)
	defer c.pages.opening(p)()
	err := p.link.join(ctx, existing, 0)
	b.mu.Lock()
	delete(b.attaching, id)
	if err == nil && coming.gone {
		err = fault.New(fault.PageGone, "the tab was closed while it was attached to")
	}
	if err != nil {
		b.mu.Unlock()
		p.sess.Detached()
		return nil, err
	}
	b.pages[id] = p
	delete(b.crashedBeforeAttach, id)
	if info, ok := b.discovered[id]; ok {
		p.setInfo(info)
	}
	b.mu.Unlock()
	c.pages.add(p)
	c.observers.attached(ctx, p, existing)
	return p, nil
}

// Close disposes of the context with all its pages and data. A view is closed with its pages, and its data stays. The
// default context is only forgotten.
func (c *Context) Close(ctx context.Context) error {
	c.closing.Store(true)
	c.browser.mu.Lock()
	delete(c.browser.contexts, c.key)
	c.browser.mu.Unlock()
	defer c.downloads.end()
	c.requests.End()
	switch {
	case c.isView():
		return closePages(ctx, c)
	case c.id == "":
		return detachPages(ctx, c)
	}
	_, err := c.browser.root.CallRaw(ctx, "Target.disposeBrowserContext", map[string]string{"browserContextId": c.id})
	return err
}

// detachPages leaves the pages of a foreign browser alone again, in their order: Chromium takes the one that is left
// last for the one that was used last.
func detachPages(ctx context.Context, c *Context) error {
	var calls []cdp.Call
	for _, p := range c.pages.open() {
		if !p.Attached() {
			continue
		}
		p.mu.Lock()
		further := slices.Clone(p.sessions.further)
		p.mu.Unlock()
		for _, session := range further {
			calls = append(calls, cdp.Call{Method: "Target.detachFromTarget", Params: map[string]string{"sessionId": session}})
		}
		calls = append(calls, cdp.Call{
			Method: "Target.detachFromTarget",
			Params: map[string]string{"sessionId": p.sess.ID()},
		})
	}
	var errs []error
	for _, call := range c.browser.root.Batch(calls...) {
		_, err := call.Wait(ctx)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Resume applies the settings of a context whose connection to the browser has ended to this one: headers and routes,
// emulation, init scripts, the dialog policy. Call it before the context has any pages. What was recorded in the other
// context ended with it. Resume returns both in words: what continues, and what ended.
func (c *Context) Resume(from *Context) (continues, ended []string) {
	tell := func(to *[]string, what string) {
		if !slices.Contains(*to, what) {
			*to = append(*to, what)
		}
	}
	for _, what := range c.overrides.resume(from.overrides, c.network.resume(from.network)) {
		tell(&continues, what)
	}
	for _, what := range c.areas.resume(&from.areas) {
		tell(&ended, what)
	}
	c.policies.Set(from.policies.Get())
	c.requests.Resume(from.requests)
	return continues, ended
}
