package engine

import (
	"context"
	"encoding/base64"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// ScreencastOptions say how big the pictures of a screencast are. The zero value is JPEG as large as the viewport.
type ScreencastOptions struct {
	PNG                 bool
	Quality             int // JPEG quality 1-100; 0: the browser's default
	MaxWidth, MaxHeight int // 0: no limit
}

// Screencast is one subscription to the pictures of a page. All those of a page share what the browser sends: it sends in the format, quality
// and size of the most demanding one. What a reader does not fetch in time is dropped in favor of the newest picture.
type Screencast struct {
	page *Page
	opts ScreencastOptions
	wake chan struct{} // holds a token when there is something new

	// Guarded by page.mu.
	latest  *ScreencastPicture
	dropped int
	closed  bool
}

// ScreencastPicture is one picture of a page.
type ScreencastPicture struct {
	Base64   []byte // the encoded image; shared, not to be changed
	Metadata ScreencastMetadata
}

// ScreencastMetadata tells where the page was when the picture was taken, in CSS pixels.
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

// Screencast subscribes to pictures of the page, the first of which is what it shows now and each later one a change. The browser takes them
// only while somebody subscribes. The caller must Close it.
func (p *Page) Screencast(ctx context.Context, o ScreencastOptions) (*Screencast, error) {
	s := &Screencast{page: p, opts: o, wake: make(chan struct{}, 1)}
	p.mu.Lock()
	if err := p.errLocked(); err != nil {
		p.mu.Unlock()
		return nil, err
	}
	p.casts = append(p.casts, s)
	// A full browser paints only the tab in front.
	p.sess.Start("Page.bringToFront", nil)
	begun := p.startCastLocked(len(p.casts) > 1)
	p.oweCastLocked()
	p.mu.Unlock()
	if _, err := begun.Wait(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// startCastLocked has the browser send pictures as the most demanding subscription wants them, beginning with what the page shows. It does
// not take new wishes while it sends them, so that it begins anew when it runs. The caller holds p.mu.
func (p *Page) startCastLocked(runs bool) *cdp.Pending {
	params := struct {
		Format    string `json:"format"`
		Quality   int    `json:"quality,omitzero"`
		MaxWidth  int    `json:"maxWidth,omitzero"`
		MaxHeight int    `json:"maxHeight,omitzero"`
	}{Format: "jpeg"}
	var unlimited struct{ width, height bool }
	for _, s := range p.casts {
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
		p.sess.Start("Page.stopScreencast", nil)
	}
	return p.sess.Start("Page.startScreencast", params)
}

// castQuiet is how long nothing has to come behind a row of pictures before the browser is asked for one more.
const castQuiet = 150 * time.Millisecond

// castTries is how often the browser is asked again for a picture that does not come, after twice the time each time: a page that is not drawn has none.
const castTries = 6

// refreshCast asks for a picture behind a row of them: the browser drops what the page shows while two are on their way, and were that the
// last change, nobody would ever see it.
func (p *Page) refreshCast() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.casts) == 0 || p.gone {
		return
	}
	p.startCastLocked(true)
	p.oweCastLocked()
}

// oweCastLocked begins a row of pictures, the first of which was just asked for. The caller holds p.mu.
func (p *Page) oweCastLocked() {
	p.castRow = 0
	if p.castTries < castTries {
		p.castTries++
		p.castAfterLocked(castQuiet << p.castTries)
	}
}

// castAfterLocked has the browser asked for a picture after a time without any. The caller holds p.mu.
func (p *Page) castAfterLocked(quiet time.Duration) {
	if p.castQuiet == nil {
		p.castQuiet = time.AfterFunc(quiet, p.refreshCast)
	} else {
		p.castQuiet.Reset(quiet)
	}
}

// castDocumentLocked has a picture asked for of a document that has come or been drawn: the one that the browser takes by itself can be lost while the
// page goes over to another process. Pictures that come meanwhile may be of the document before. The caller holds p.mu.
func (p *Page) castDocumentLocked() {
	if len(p.casts) > 0 {
		p.castRow = max(p.castRow, 1)
		p.castAfterLocked(castQuiet)
	}
}

// onScreencast takes a picture on the connection's reader. It is acknowledged at once, so that few are dropped.
func (p *Page) onScreencast(raw jsonv2.Value) {
	var e struct {
		Data      jsonv2.Value       `json:"data"`
		Metadata  ScreencastMetadata `json:"metadata"`
		SessionID int                `json:"sessionId"`
	}
	if cdp.Unmarshal(raw, &e) != nil || len(e.Data) < 2 {
		return
	}
	p.sess.Start("Page.screencastFrameAck", map[string]int{"sessionId": e.SessionID})
	// Base64 has no character that JSON escapes, so the text between the quotes is the data itself.
	picture := &ScreencastPicture{Base64: e.Data[1 : len(e.Data)-1], Metadata: e.Metadata}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.castRow++
	p.castTries = 0
	switch {
	case len(p.casts) == 0:
	case p.castRow > 1:
		p.castAfterLocked(castQuiet)
	case p.castQuiet != nil:
		p.castQuiet.Stop() // what was asked for has come
	}
	for _, s := range p.casts {
		if s.latest != nil {
			s.dropped++
		}
		s.latest = picture
		s.wakeLocked()
	}
}

// Next waits for a picture that is newer than the one before. It ends with the page and with Close.
func (s *Screencast) Next(ctx context.Context) (*ScreencastPicture, error) {
	p := s.page
	for {
		p.mu.Lock()
		picture, closed, err := s.latest, s.closed, p.errLocked()
		s.latest = nil
		p.mu.Unlock()
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
		case <-p.ctxt.browser.Done():
			return nil, p.ctxt.browser.Err()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

var errCastClosed = fault.New(fault.PageGone, "the screencast was closed")

// Dropped returns how many pictures came and were replaced by newer ones before they were fetched.
func (s *Screencast) Dropped() int {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	return s.dropped
}

// Close ends the subscription; the last one's end stops the browser from taking pictures.
func (s *Screencast) Close() {
	p := s.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	s.wakeLocked()
	p.casts = slices.DeleteFunc(p.casts, func(o *Screencast) bool { return o == s })
	if p.gone {
		return
	}
	if len(p.casts) == 0 {
		if p.castQuiet != nil {
			p.castQuiet.Stop()
		}
		p.castRow, p.castTries = 0, 0
		p.sess.Start("Page.stopScreencast", nil)
	} else {
		p.startCastLocked(true) // the others may want less
	}
}

func (s *Screencast) wakeLocked() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
