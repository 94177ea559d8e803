package engine

import (
	"context"
	"encoding/base64"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
)

// Rect is a rectangle in CSS pixels.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// ScreenshotOptions say what to capture. The zero value is the viewport as PNG.
type ScreenshotOptions struct {
	JPEG    bool
	Quality int   // JPEG quality 0-100; 0: the browser's default
	Full    bool  // the whole document
	Clip    *Rect // a part of the document, in document coordinates
}

// Screenshot returns the picture as an encoded image file.
func (p *Page) Screenshot(ctx context.Context, o ScreenshotOptions) ([]byte, error) {
	type clip struct {
		Rect
		Scale float64 `json:"scale"`
	}
	params := struct {
		Format                string `json:"format"`
		Quality               int    `json:"quality,omitzero"`
		Clip                  *clip  `json:"clip,omitzero"`
		CaptureBeyondViewport bool   `json:"captureBeyondViewport,omitzero"`
		OptimizeForSpeed      bool   `json:"optimizeForSpeed,omitzero"`
	}{Format: "png", OptimizeForSpeed: true}
	if o.JPEG {
		params.Format, params.Quality = "jpeg", o.Quality
	}
	if o.Full {
		size, err := p.DocumentSize(ctx)
		if err != nil {
			return nil, err
		}
		o.Clip = &size
	}
	if o.Clip != nil {
		params.Clip = &clip{Rect: *o.Clip, Scale: 1}
		params.CaptureBeyondViewport = true
	}
	// A full browser paints only the tab in front, and lets who asks for a picture of another one wait for ever.
	p.sess.Start("Page.bringToFront", nil)
	raw, err := p.sess.CallRaw(ctx, "Page.captureScreenshot", params)
	if err != nil {
		return nil, err
	}
	var res struct {
		Data jsonv2.Value `json:"data"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return nil, err
	}
	// Base64 has no character that JSON escapes, so the text between the quotes is the data itself.
	text := res.Data[1 : len(res.Data)-1]
	image := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(image, text)
	return image[:n], err
}

// DocumentSize returns the size of the whole document in CSS pixels.
func (p *Page) DocumentSize(ctx context.Context) (Rect, error) {
	raw, err := p.sess.CallRaw(ctx, "Page.getLayoutMetrics", nil)
	if err != nil {
		return Rect{}, err
	}
	var m struct {
		CSSContentSize Rect `json:"cssContentSize"`
	}
	err = cdp.Unmarshal(raw, &m)
	return m.CSSContentSize, err
}
