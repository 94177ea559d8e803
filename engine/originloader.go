package engine

import (
	"context"
	"sync"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// OriginLoader loads empty documents of any origin without a request to a server: an origin's storage is accessible
// only from a document of that origin. It has a CDP session of its own on a target, and answers all requests itself.
type OriginLoader struct {
	c      *Context
	target string
	tab    *Page // nil means that the target is hidden, and is closed at the end
	sess   *cdp.Session

	mu      sync.Mutex
	shows   string        // loader id of the document that is there
	rests   bool          // it has stopped loading
	changed chan struct{} // closed when that changes
}

// emptyDocument is the document that it loads, in base64. It names an icon so that the browser does not request one.
// <!doctype html><link rel=icon href="data:,">
const emptyDocument = "PCFkb2N0eXBlIGh0bWw+PGxpbmsgcmVsPWljb24gaHJlZj0iZGF0YTosIj4="

// NewOriginLoader opens a hidden page, which is not a tab of the context.
func NewOriginLoader(ctx context.Context, c *Context) (*OriginLoader, error) {
	id, err := createHidden(ctx, c)
	if err != nil {
		return nil, err
	}
	v := &OriginLoader{c: c, target: id, changed: make(chan struct{})}
	if err := v.attach(ctx); err != nil {
		v.Close(ctx)
		return nil, err
	}
	return v, nil
}

// LoadOriginsIn uses an empty tab, since sessionStorage belongs to a tab. Close returns it to about:blank.
func LoadOriginsIn(ctx context.Context, p *Page) (*OriginLoader, error) {
	v := &OriginLoader{c: p.ctxt, target: p.id, tab: p, changed: make(chan struct{})}
	if err := v.attach(ctx); err != nil {
		v.Close(ctx)
		return nil, err
	}
	return v, nil
}

// createHidden creates a page that is not reported as a tab. Browsers without hidden pages get one in the background.
func createHidden(ctx context.Context, c *Context) (id string, err error) {
	c.creation.begin()
	params := target.CreateTargetParams{
		URL:              "about:blank",
		Hidden:           new(true),
		BrowserContextID: proto.BrowserContextID(c.id),
	}
	var res struct {
		TargetID string `json:"targetId"`
	}
	if err = c.browser.root.Call(ctx, target.CommandCreateTarget, params, &res); fault.Is(err, fault.Protocol) {
		params.Hidden, params.Background = nil, new(true)
		err = c.browser.root.Call(ctx, target.CommandCreateTarget, params, &res)
	}
	for _, info := range c.creation.end(res.TargetID) {
		c.appeared(info)
	}
	if err != nil {
		return "", c.browser.cannotOpen(err)
	}
	return res.TargetID, nil
}

func (v *OriginLoader) attach(ctx context.Context) error {
	b := v.c.browser
	session, err := b.sessions.attachTo(ctx, v.target)
	if err != nil {
		return err
	}
	v.sess = b.conn.Session(session)
	v.sess.Tap(v.answer)
	pending := v.sess.Batch(
		asCall("Page.enable", nil),
		asCall("Fetch.enable", interception.Enable{Patterns: []interception.Pattern{{URLPattern: "*"}}}),
		asCall("Network.enable", nil),
		asCall("Network.setBypassServiceWorker", map[string]bool{"bypass": true}),
	)
	if v.tab == nil {
		b.sessions.resume(v.target, nil)
	}
	for _, call := range pending {
		if _, err := call.Wait(ctx); err != nil && !fault.Is(err, fault.Protocol) {
			return err
		}
	}
	return nil
}

// answer serves the document and fails all other requests. It runs on the connection's reader and must not block.
func (v *OriginLoader) answer(ev cdp.Event) {
	switch ev.Method {
	case "Page.frameNavigated":
		v.committed(ev)
		return
	case "Page.frameStoppedLoading":
		v.stopped(ev)
		return
	case "Fetch.requestPaused":
	default:
		return
	}
	var e struct {
		RequestID    string `json:"requestId"`
		ResourceType string `json:"resourceType"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	if e.ResourceType != "Document" {
		v.sess.Start("Fetch.failRequest", map[string]string{"requestId": e.RequestID, "errorReason": "BlockedByClient"})
		return
	}
	v.sess.Start("Fetch.fulfillRequest", interception.FulfillRequest{
		RequestID: e.RequestID,
		Status:    200,
		Body:      new(emptyDocument),
		Headers: []interception.HeaderField{{Name: "Content-Type", Value: "text/html"}, {
			Name:  "Cache-Control",
			Value: "no-store",
		}},
	})
}

// committed records the current document.
func (v *OriginLoader) committed(ev cdp.Event) {
	var e struct {
		Frame struct {
			ID       string `json:"id"`
			LoaderID string `json:"loaderId"`
		} `json:"frame"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil || e.Frame.ID != v.target {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.shows, v.rests = e.Frame.LoaderID, false
	close(v.changed)
	v.changed = make(chan struct{})
}

// stopped records that the document has loaded.
func (v *OriginLoader) stopped(ev cdp.Event) {
	var e struct {
		FrameID string `json:"frameId"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil || e.FrameID != v.target {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rests = true
	close(v.changed)
	v.changed = make(chan struct{})
}

// Load loads an empty document of the origin.
func (v *OriginLoader) Load(ctx context.Context, origin string) error { return v.show(ctx, origin+"/") }

// show navigates to an address and returns when its document is committed, which the browser's reply to the navigation
// does not guarantee.
func (v *OriginLoader) show(ctx context.Context, address string) error {
	var res struct {
		ErrorText string `json:"errorText"`
		LoaderID  string `json:"loaderId"`
	}
	if err := v.sess.Call(ctx, "Page.navigate", map[string]string{"url": address}, &res); err != nil {
		return err
	}
	if res.ErrorText != "" {
		return fault.New(fault.NavigationFailed, "a page of %s cannot be shown: %s", address, res.ErrorText)
	}
	for {
		v.mu.Lock()
		// A late loading event of this document would be taken for that of the tab's next navigation.
		there, changed := v.shows == res.LoaderID && (v.rests || v.tab == nil), v.changed
		v.mu.Unlock()
		if there && v.tab == nil {
			return nil
		}
		if there { // the renderer has said so; the tab's history is the browser's, which says so later
			return v.tab.mu.Await(ctx, "showing a page of "+address, func() bool { return v.tab.told.url == address })
		}
		select {
		case <-changed:
		case <-v.c.browser.Done():
			return v.c.browser.Err()
		case <-ctx.Done():
			return fault.WaitEnded(ctx, "showing a page of "+address)
		}
	}
}

// Run calls a function with an argument, which is JSON, in the document, and decodes what it returns.
func (v *OriginLoader) Run(ctx context.Context, function string, arg []byte, result any) error {
	value, err := world.Evaluate(ctx, v.sess, world.Params{
		Expression:    "(" + function + "\n)(" + string(arg) + ")",
		AwaitPromise:  true,
		ReturnByValue: true,
	})
	if err != nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}

// originLoaderGrace bounds how long Close may take.
const originLoaderGrace = 3 * time.Second

// Close closes the hidden page, or returns the tab to about:blank and resets its history.
func (v *OriginLoader) Close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), originLoaderGrace)
	defer cancel()
	b := v.c.browser
	if v.tab == nil {
		b.root.Start(target.CommandCloseTarget, target.CloseTargetParams{TargetID: target.ID(v.target)})
		return
	}
	if v.sess == nil {
		return
	}
	if err := v.show(ctx, Blank); err == nil {
		pending := v.sess.Batch(asCall("Fetch.disable", nil), asCall("Page.resetNavigationHistory", nil))
		for _, call := range pending {
			_, _ = call.Wait(ctx)
		}
	}
	// Waited for: Chromium aborts a navigation that begins while the session goes.
	_, _ = b.root.CallRaw(ctx, target.CommandDetachFromTarget, map[string]string{"sessionId": v.sess.ID()})
	v.sess.Detached()
}

// Blank is the address of a tab that shows nothing.
const Blank = "about:blank"

// asCall is a call of a session.
func asCall(method string, params any) cdp.Call { return cdp.Call{Method: method, Params: params} }
