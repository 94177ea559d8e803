package capture

import (
	"context"
	"encoding/base64"
	"math"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// PictureFormat is how a picture is encoded.
type PictureFormat string

// The formats that browsers write.
const (
	PNG  PictureFormat = "png"
	JPEG PictureFormat = "jpeg"
	WebP PictureFormat = "webp"
)

// ScreenshotOptions say what to capture. The zero value is the viewport as PNG, in the pixels of the screen.
type ScreenshotOptions struct {
	Format  PictureFormat // empty means PNG
	Quality int           // of JPEG and WebP, 1-100; 0 means the browser's default
	Full    bool          // the whole document
	Clip    *engine.Rect  // a part of the document, in document coordinates
	Scale   float64       // pixels of the picture for each CSS pixel; 0 means as many as the screen has
	Clear   bool          // what the page leaves unpainted stays transparent
}

type captureParams struct {
	Format                PictureFormat `json:"format"`
	Quality               int           `json:"quality,omitzero"`
	Clip                  *captureClip  `json:"clip,omitzero"`
	CaptureBeyondViewport bool          `json:"captureBeyondViewport,omitzero"`
	OptimizeForSpeed      bool          `json:"optimizeForSpeed,omitzero"`
	FromSurface           *bool         `json:"fromSurface,omitempty"` // nil means true
}

type captureClip struct {
	engine.Rect
	Scale float64 `json:"scale"`
}

// Screenshot returns the picture as an encoded image file.
func Screenshot(ctx context.Context, p *engine.Page, o ScreenshotOptions) ([]byte, error) {
	params := captureParams{Format: o.Format, OptimizeForSpeed: true}
	switch o.Format {
	case "":
		params.Format = PNG
	case JPEG, WebP:
		params.Quality = o.Quality
	}
	scale := 1.0
	if o.Scale != 0 || o.Full {
		look, err := Measure(ctx, p)
		if err != nil {
			return nil, err
		}
		switch {
		case o.Full:
			o.Clip = &look.Document
		case o.Clip == nil:
			params.Clip = &captureClip{Rect: look.View}
		}
		if o.Scale != 0 {
			scale = o.Scale / look.Ratio
		}
	}
	if o.Clip != nil {
		params.Clip = &captureClip{Rect: *o.Clip}
		params.CaptureBeyondViewport = true
	}
	if params.Clip != nil {
		params.Clip.Scale = scale
	}
	if o.Clear {
		const method = "Emulation.setDefaultBackgroundColorOverride"
		p.Session().Start(method, map[string]map[string]int{"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
		defer p.Session().Start(method, nil)
	}
	// A full browser paints only the tab in front, and lets who asks for a picture of another one wait for ever.
	p.Session().Start("Page.bringToFront", nil)
	raw, err := takePicture(ctx, p, params, o.Clip == nil)
	if err != nil {
		return nil, err
	}
	return decodeData(raw)
}

// unpaintedLimit is how long a picture may take before the page may be in a window that paints nothing.
const unpaintedLimit = 3 * time.Second

// takePicture asks for the picture. A window of an app that is hidden paints nothing, and a picture of it never comes.
// The picture of what the renderer would show comes there, if all of the view is wanted.
func takePicture(ctx context.Context, p *engine.Page, params captureParams, view bool) (jsonv2.Value, error) {
	const method = "Page.captureScreenshot"
	painted := p.Session().Start(method, params)
	if p.Context().Browser().Owned() || !view {
		return painted.Wait(ctx)
	}
	soon, cancel := context.WithTimeout(ctx, unpaintedLimit)
	raw, err := painted.Wait(soon)
	cancel()
	if ctx.Err() != nil || !fault.Is(err, fault.Timeout) {
		return raw, err
	}
	if look, err := Measure(ctx, p); err == nil && isEmpty(look.View) {
		return nil, noPicture(p)
	}
	params.Clip, params.FromSurface = nil, new(bool)
	soon, cancel = context.WithTimeout(ctx, unpaintedLimit)
	defer cancel()
	raw, err = p.Session().CallRaw(soon, method, params)
	if ctx.Err() == nil && fault.Is(err, fault.Timeout) {
		return nil, noPicture(p)
	}
	return raw, err
}

// noPicture is the error of a picture that the browser would never answer with, as of a view of an app that has no size
// until it is shown.
func noPicture(p *engine.Page) error {
	return fault.New(fault.TargetHidden, "the page is not painted: its program does not show it, or gives it no size").
		About(p.URL()).
		WithHint("`snapshot` shows its content. There is a picture of it when its program shows it.")
}

func isEmpty(r engine.Rect) bool { return r.Width <= 0 || r.Height <= 0 }

// decodeData returns the bytes in a reply's or event's field data.
func decodeData(raw jsonv2.Value) ([]byte, error) {
	var res struct {
		Data jsonv2.Value `json:"data"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return nil, err
	}
	if len(res.Data) < 2 {
		return nil, nil
	}
	// Base64 has no character that JSON escapes, so the text between the quotes is the data itself.
	text := res.Data[1 : len(res.Data)-1]
	content := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(content, text)
	return content[:n], err
}

// Look is what pictures of a page are measured by.
type Look struct {
	Document engine.Rect // the whole of it
	View     engine.Rect // what of it is in view, in its coordinates
	Ratio    float64     // pixels of the screen for each CSS pixel
}

// Measure measures the page.
func Measure(ctx context.Context, p *engine.Page) (Look, error) {
	raw, err := p.Session().CallRaw(ctx, "Page.getLayoutMetrics", nil)
	if err != nil {
		return Look{}, err
	}
	type size struct {
		X      float64 `json:"pageX"`
		Y      float64 `json:"pageY"`
		Width  float64 `json:"clientWidth"`
		Height float64 `json:"clientHeight"`
	}
	var m struct {
		CSSContentSize *engine.Rect `json:"cssContentSize"`
		CSSView        *size        `json:"cssVisualViewport"`
		ContentSize    engine.Rect  `json:"contentSize"` // Chromium before 91 knows only these
		View           size         `json:"visualViewport"`
	}
	if err := cdp.Unmarshal(raw, &m); err != nil {
		return Look{}, err
	}
	info, err := InView(ctx, p.Main())
	if err != nil {
		return Look{}, err
	}
	l := Look{Document: m.ContentSize, View: engine.Rect(m.View), Ratio: info.Ratio}
	if m.CSSContentSize != nil && m.CSSView != nil {
		l.Document, l.View = *m.CSSContentSize, engine.Rect(*m.CSSView)
	}
	if !(l.Ratio > 0) || math.IsInf(l.Ratio, 0) {
		l.Ratio = 1
	}
	return l, nil
}
