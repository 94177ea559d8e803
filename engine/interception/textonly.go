package interception

import (
	"encoding/base64"
	"slices"
	"sync/atomic"

	"github.com/skua-browser/skua/engine/cdp"
)

// TextOnly makes a page text-only: it loads no images, fonts, audio or video. An image request is answered with an
// empty image, so that its element has a box and gets its load event; the others fail. Style sheets, scripts and frames
// load as usual, since they decide which text there is and whether it is visible. The zero value is that of a page that
// loads everything.
type TextOnly struct {
	on      atomic.Bool
	leftOut atomic.Bool // the page wanted what it did not get
}

// Begin makes the page text-only from now on. It is called before the page has a session.
func (t *TextOnly) Begin() { t.on.Store(true) }

// leftOutTypes are the types of requests that a text-only page does not make, in the protocol's words.
var leftOutTypes = []string{typeImage, typeMedia, "Font"}

const (
	typeImage = "Image"
	typeMedia = "Media"
)

// textOnlyPatterns are what the browser has to pause for that.
var textOnlyPatterns = func() []Pattern {
	all := make([]Pattern, len(leftOutTypes))
	for i, t := range leftOutTypes {
		all[i] = Pattern{URLPattern: "*", ResourceType: t}
	}
	return all
}()

// emptyPicture is a transparent GIF of one pixel.
const emptyPicture = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

// SetUp returns the setup calls for a new session of the page or of a frame in it, given those for other pages.
func (t *TextOnly) SetUp(calls []cdp.Call) []cdp.Call {
	if t.on.Load() && !slices.ContainsFunc(calls, func(c cdp.Call) bool { return c.Method == enableMethod }) {
		return append(calls, withTextOnly(nil).Call())
	}
	return t.Adapt(calls)
}

// Adapt changes calls about requests for such a session: what must be paused for a text-only page stays paused.
func (t *TextOnly) Adapt(calls []cdp.Call) []cdp.Call {
	if !t.on.Load() {
		return calls
	}
	calls = slices.Clone(calls)
	for i, c := range calls {
		switch c.Method {
		case enableMethod:
			e, _ := c.Params.(*Enable)
			calls[i].Params = withTextOnly(e)
		case disableMethod:
			calls[i] = withTextOnly(nil).Call()
		}
	}
	return calls
}

// End turns the page into an ordinary one. It returns the call for its sessions and those of its frames, given those
// for other pages, and false if the page was not text-only.
func (t *TextOnly) End(calls []cdp.Call) (call cdp.Call, was bool) {
	if !t.on.Swap(false) {
		return call, false
	}
	call = Disable()
	for _, c := range calls {
		if c.Method == enableMethod {
			call = c
		}
	}
	return call, true
}

// LeftOut reports whether the page wanted something that it did not get.
func (t *TextOnly) LeftOut() bool { return t.leftOut.Load() }

func withTextOnly(e *Enable) *Enable {
	if e == nil {
		return &Enable{Patterns: textOnlyPatterns}
	}
	more := *e
	more.Patterns = slices.Concat(e.Patterns, textOnlyPatterns)
	return &more
}

// leaveOut answers a request that a text-only page does not make, and reports whether it is one.
func (q *pausedRequest) leaveOut() bool {
	if q.tab == nil || !q.tab.TextOnly.on.Load() || !slices.Contains(leftOutTypes, q.ResourceType) {
		return false
	}
	if q.ResourceType == typeMedia && q.header("Range") == "" {
		// the text of a video, which the browser counts as media, too
		return false
	}
	q.tab.TextOnly.leftOut.Store(true)
	if q.ResourceType != typeImage {
		q.fail("BlockedByClient")
		return true
	}
	// no-store: the renderer must not cache it for other pages of the site. The other headers allow cross-origin use, as
	// the real image may.
	headers := []HeaderField{
		{"Content-Type", "image/gif"},
		{"Cache-Control", "no-store"},
		{"Cross-Origin-Resource-Policy", "cross-origin"},
	}
	if origin := q.header("Origin"); origin != "" {
		headers = append(headers, HeaderField{"Access-Control-Allow-Origin", origin},
			HeaderField{"Access-Control-Allow-Credentials", "true"})
	}
	body, _ := base64.StdEncoding.DecodeString(emptyPicture)
	q.fulfill(&Answer{Status: 200, Headers: headers, Body: body})
	return true
}
