package capture

import (
	"context"
	"encoding/base64"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// ScreencastOptions say how big the pictures of a screencast are. The zero value is JPEG as large as the viewport.
type ScreencastOptions struct {
	PNG                 bool
	Quality             int // JPEG quality 1-100; 0 means the browser's default
	MaxWidth, MaxHeight int // 0 means no limit
}

// Screencast is one subscription to the pictures of a page. All those of a page share what the browser sends: it sends
// in the format, quality and size of the most demanding one. What a reader does not fetch in time is dropped in favor
// of the newest picture.
type Screencast struct {
	of   *casts
	opts ScreencastOptions
	wake chan struct{} // holds a token when there is something new

	// Guarded by of.mu.
	latest  *ScreencastPicture
	dropped int
	closed  bool
}

// ScreencastPicture is one picture of a page.
type ScreencastPicture struct {
	Base64   []byte // the encoded image; shared, not to be changed
	Metadata ScreencastMetadata
}

// ScreencastMetadata reports where the page was when the picture was taken, in CSS pixels.
type ScreencastMetadata struct {
	OffsetTop       float64 `json:"offsetTop"`
	PageScaleFactor float64 `json:"pageScaleFactor"`
	DeviceWidth     float64 `json:"deviceWidth"`
	DeviceHeight    float64 `json:"deviceHeight"`
	ScrollOffsetX   float64 `json:"scrollOffsetX"`
	ScrollOffsetY   float64 `json:"scrollOffsetY"`
	Timestamp       float64 `json:"timestamp"` // seconds since the epoch
}

// Image returns the image file.
func (s *ScreencastPicture) Image() ([]byte, error) {
	image := make([]byte, base64.StdEncoding.DecodedLen(len(s.Base64)))
	n, err := base64.StdEncoding.Decode(image, s.Base64)
	return image[:n], err
}

// Time returns when the picture was taken.
func (m ScreencastMetadata) Time() time.Time { return time.UnixMicro(int64(m.Timestamp * 1e6)) }

// casts are the subscriptions to one page.
type casts struct {
	page *engine.Page

	mu    sync.Mutex
	all   []*Screencast
	row   int         // pictures since the browser was asked for one
	quiet *time.Timer // asks for one behind a row of them, and again for one that does not come
	tries int         // how often one was asked for that did not come
}

var casting = engine.NewState(func(p *engine.Page) *casts {
	c := &casts{page: p}
	p.Observe(func(_ *cdp.Session, ev cdp.Event) { c.onEvent(ev) })
	return c
})

// StartScreencast subscribes to pictures of the page, the first of which is what it shows now and each later one a
// change. The browser takes them only while there is a subscription. Where there is another one, a picture that was on
// its way to it may come first, in its format and size. The caller must Close it.
func StartScreencast(ctx context.Context, p *engine.Page, o ScreencastOptions) (*Screencast, error) {
	c := casting.Of(p)
	s := &Screencast{of: c, opts: o, wake: make(chan struct{}, 1)}
	c.mu.Lock()
	if err := p.Err(); err != nil {
		c.mu.Unlock()
		return nil, err
	}
	c.all = append(c.all, s)
	// A full browser paints only the tab in front.
	p.Session().Start("Page.bringToFront", nil)
	begun := c.startLocked(len(c.all) > 1)
	c.oweLocked()
	c.mu.Unlock()
	if _, err := begun.Wait(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// startLocked makes the browser send pictures in the best quality and size of all subscriptions, starting with the
// current one. The browser does not accept new parameters for a running screencast, so it is restarted if runs. The
// caller holds c.mu.
func (c *casts) startLocked(runs bool) *cdp.Pending {
	params := struct {
		Format    string `json:"format"`
		Quality   int    `json:"quality,omitzero"`
		MaxWidth  int    `json:"maxWidth,omitzero"`
		MaxHeight int    `json:"maxHeight,omitzero"`
	}{Format: "jpeg"}
	var unlimited struct{ width, height bool }
	for _, s := range c.all {
		if s.opts.PNG {
			params.Format = "png"
		}
		params.Quality = max(params.Quality, s.opts.Quality)
		params.MaxWidth = max(params.MaxWidth, s.opts.MaxWidth)
		params.MaxHeight = max(params.MaxHeight, s.opts.MaxHeight)
		unlimited.width = unlimited.width || s.opts.MaxWidth == 0
		unlimited.height = unlimited.height || s.opts.MaxHeight == 0
	}
	if unlimited.width {
		params.MaxWidth = 0
	}
	if unlimited.height {
		params.MaxHeight = 0
	}
	if runs {
		c.page.Session().Start("Page.stopScreencast", nil)
	}
	return c.page.Session().Start("Page.startScreencast", params)
}

// quietTime is how long nothing has to come behind a row of pictures before the browser is asked for one more.
const quietTime = 150 * time.Millisecond

// mostTries is how often the browser is asked again for a picture that does not come, after twice the time each time: a
// page that is not drawn has none.
const mostTries = 6

// refresh requests a picture after a sequence of them: the browser drops frames while two are unacknowledged, and the
// dropped one may be the last.
func (c *casts) refresh() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) == 0 || c.isGone() {
		return
	}
	c.startLocked(true)
	c.oweLocked()
}

// oweLocked begins a row of pictures, the first of which was just asked for. The caller holds c.mu.
func (c *casts) oweLocked() {
	c.row = 0
	if c.tries < mostTries {
		c.tries++
		c.afterLocked(quietTime << c.tries)
	}
}

// afterLocked has the browser asked for a picture after a time without any. The caller holds c.mu.
func (c *casts) afterLocked(quiet time.Duration) {
	if c.quiet == nil {
		c.quiet = time.AfterFunc(quiet, c.refresh)
	} else {
		c.quiet.Reset(quiet)
	}
}

// onDocument has a picture asked for of a document of the main frame that has come or been drawn: the one that the
// browser takes by itself can be lost while the page goes over to another process. Pictures that come meanwhile may be
// of the document before.
func (c *casts) onDocument(raw jsonv2.Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) == 0 {
		return
	}
	var e struct {
		FrameID string `json:"frameId"` // of a lifecycle event
		Name    string `json:"name"`
		Frame   struct {
			ID string `json:"id"`
		} `json:"frame"` // of a navigation
	}
	main := c.page.Main().ID()
	if cdp.Unmarshal(raw, &e) != nil ||
		e.Frame.ID != main && (e.FrameID != main || e.Name != "load" && e.Name != "firstPaint") {
		return
	}
	c.row = max(c.row, 1)
	c.afterLocked(quietTime)
}

// onPicture takes a picture on the connection's reader. It is acknowledged at once, so that few are dropped.
func (c *casts) onPicture(raw jsonv2.Value) {
	var e struct {
		Data      jsonv2.Value       `json:"data"`
		Metadata  ScreencastMetadata `json:"metadata"`
		SessionID int                `json:"sessionId"`
	}
	if cdp.Unmarshal(raw, &e) != nil || len(e.Data) < 2 {
		return
	}
	c.page.Session().Start("Page.screencastFrameAck", map[string]int{"sessionId": e.SessionID})
	// Base64 has no character that JSON escapes, so the text between the quotes is the data itself.
	picture := &ScreencastPicture{Base64: e.Data[1 : len(e.Data)-1], Metadata: e.Metadata}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.row++
	c.tries = 0
	switch {
	case len(c.all) == 0:
	case c.row > 1:
		c.afterLocked(quietTime)
	case c.quiet != nil:
		c.quiet.Stop() // what was asked for has come
	}
	for _, s := range c.all {
		if s.latest != nil {
			s.dropped++
		}
		s.latest = picture
		s.wakeLocked()
	}
}

// onEvent takes an event of the page on the connection's reader.
func (c *casts) onEvent(ev cdp.Event) {
	switch ev.Method {
	case "Page.screencastFrame":
		c.onPicture(ev.Params)
	case "Page.frameNavigated", "Page.lifecycleEvent":
		c.onDocument(ev.Params)
	}
}

// isGone reports whether the page has ended.
func (c *casts) isGone() bool {
	select {
	case <-c.page.Done():
		return true
	default:
		return false
	}
}

// Next waits for a picture that is newer than the one before. It ends with the page and with Close.
func (s *Screencast) Next(ctx context.Context) (*ScreencastPicture, error) {
	c, p := s.of, s.of.page
	for {
		err := p.Err()
		c.mu.Lock()
		picture, closed := s.latest, s.closed
		s.latest = nil
		c.mu.Unlock()
		switch {
		case picture != nil:
			return picture, nil
		case closed:
			return nil, errCastClosed
		case err != nil && !fault.Is(err, fault.PageCrashed): // a crashed page may come back
			return nil, err
		}
		select {
		case <-s.wake:
		case <-p.Done():
		case <-p.Context().Browser().Done():
			return nil, p.Context().Browser().Err()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

var errCastClosed = fault.New(fault.PageGone, "the screencast was closed")

// Dropped returns how many pictures came and were replaced by newer ones before they were fetched.
func (s *Screencast) Dropped() int {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	return s.dropped
}

// Close ends the subscription; the last one's end stops the browser from taking pictures.
func (s *Screencast) Close() {
	c := s.of
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	s.wakeLocked()
	c.all = slices.DeleteFunc(c.all, func(o *Screencast) bool { return o == s })
	if c.isGone() {
		return
	}
	if len(c.all) == 0 {
		if c.quiet != nil {
			c.quiet.Stop()
		}
		c.row, c.tries = 0, 0
		c.page.Session().Start("Page.stopScreencast", nil)
	} else {
		c.startLocked(true) // the others may want less
	}
}

func (s *Screencast) wakeLocked() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
