package engine

import (
	"context"
	"encoding/base64"
	"slices"

	"github.com/skua-browser/skua/engine/cdp"
)

// A text-only page is a background page that loads no images, fonts, audio or video. An image request is answered with an empty image, so that its
// element has a box and gets its load event; the others fail. Style sheets, scripts and frames load as usual, since they decide which text there is
// and whether it is visible.

// NewTextOnlyPage opens a background page that is text-only until [Page.LoadEverything].
func (c *Context) NewTextOnlyPage(ctx context.Context) (*Page, error) {
	return c.createAs(ctx, textOnlyPage)
}

// leftOutTypes are the types of requests that a text-only page does not make, in the protocol's words.
var leftOutTypes = []string{typeImage, typeMedia, "Font"}

const (
	typeImage = "Image"
	typeMedia = "Media"
)

// textOnlyPatterns are what the browser has to pause for that.
var textOnlyPatterns = func() []fetchRequestPattern {
	all := make([]fetchRequestPattern, len(leftOutTypes))
	for i, t := range leftOutTypes {
		all[i] = fetchRequestPattern{URLPattern: "*", ResourceType: t}
	}
	return all
}()

// emptyPicture is a transparent GIF of one pixel.
const emptyPicture = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

// setupFor is what a new session of the page is told, by what it is at the other end.
func (p *Page) setupFor(kind SessionKind) []cdp.Call {
	calls := p.ctxt.overridesFor(kind)
	if p.textOnly.Load() && !slices.ContainsFunc(calls, func(c cdp.Call) bool { return c.Method == fetchEnableMethod }) {
		return append(calls, cdp.Call{Method: fetchEnableMethod, Params: withTextOnly(nil)})
	}
	return p.adapted(kind, calls)
}

// adapted changes what a session of a text-only page is told about requests: what has to be paused for that stays paused.
func (p *Page) adapted(kind SessionKind, calls []cdp.Call) []cdp.Call {
	if kind == WorkerSession || !p.textOnly.Load() {
		return calls
	}
	calls = slices.Clone(calls)
	for i, c := range calls {
		switch c.Method {
		case fetchEnableMethod:
			e, _ := c.Params.(*fetchEnable)
			calls[i].Params = withTextOnly(e)
		case fetchDisableMethod:
			calls[i] = cdp.Call{Method: fetchEnableMethod, Params: withTextOnly(nil)}
		}
	}
	return calls
}

func withTextOnly(e *fetchEnable) *fetchEnable {
	if e == nil {
		return &fetchEnable{Patterns: textOnlyPatterns}
	}
	more := *e
	more.Patterns = slices.Concat(e.Patterns, textOnlyPatterns)
	return &more
}

// leaveOut answers a request that a text-only page does not make, and reports whether it is one.
func (q *pausedRequest) leaveOut() bool {
	p := q.page
	if p == nil || !p.textOnly.Load() || !slices.Contains(leftOutTypes, q.ResourceType) {
		return false
	}
	if q.ResourceType == typeMedia && q.header("Range") == "" { // the text of a video, which the browser counts as media, too
		return false
	}
	p.leftOut.Store(true)
	if q.ResourceType != typeImage {
		q.fail("BlockedByClient")
		return true
	}
	// no-store: the renderer must not cache it for other pages of the site. The other headers allow cross-origin use, as the real image may.
	headers := []HeaderField{{"Content-Type", "image/gif"}, {"Cache-Control", "no-store"}, {"Cross-Origin-Resource-Policy", "cross-origin"}}
	if origin := q.header("Origin"); origin != "" {
		headers = append(headers, HeaderField{"Access-Control-Allow-Origin", origin}, HeaderField{"Access-Control-Allow-Credentials", "true"})
	}
	body, _ := base64.StdEncoding.DecodeString(emptyPicture)
	q.fulfill(&Answer{Status: 200, Headers: headers, Body: body})
	return true
}

// LoadEverything makes a text-only page one like any other. It reports whether something was left out so far: then only loading it again makes the page
// what it would have been.
func (p *Page) LoadEverything(ctx context.Context) (incomplete bool, err error) {
	if !p.textOnly.Swap(false) {
		return false, nil
	}
	call := cdp.Call{Method: fetchDisableMethod}
	for _, c := range p.ctxt.overridesFor(PageSession) {
		if c.Method == fetchEnableMethod {
			call = c
		}
	}
	p.mu.Lock()
	pending := p.sess.Start(call.Method, call.Params)
	for sess, kind := range p.sessionsLocked() {
		if kind == FrameSession {
			sess.Start(call.Method, call.Params)
		}
	}
	p.mu.Unlock()
	_, err = pending.Wait(ctx)
	return p.leftOut.Load(), err
}
