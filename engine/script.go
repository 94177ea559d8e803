package engine

import (
	"context"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
)

// Script runs a script in the frame's current document, in the in-page script's world, which pages do not see, awaits its value and returns
// that as JSON. When the document is replaced while it runs, the error is one for which [IsNavigated] holds.
func (f *Frame) Script(ctx context.Context, script string) (jsonv2.Value, error) {
	value, _, err := f.inWorld(ctx, func(sess *cdp.Session, w world) (jsonv2.Value, error) {
		return evaluate(ctx, sess, w.params(script))
	})
	return value, err
}

// ListenFromStart has a script run in the page's own world in each document of the page and of its frames in the same process, before the
// page's own, until stop is called.
func (p *Page) ListenFromStart(ctx context.Context, script string) (stop func(), err error) {
	raw, err := p.sess.CallRaw(ctx, "Page.addScriptToEvaluateOnNewDocument", map[string]string{"source": script})
	if err != nil {
		return nil, err
	}
	var added map[string]string
	if err := cdp.Unmarshal(raw, &added); err != nil {
		return nil, err
	}
	return func() { p.sess.Start("Page.removeScriptToEvaluateOnNewDocument", added) }, nil
}

// Shown returns the frame that an element shows, which an expression yields in the in-page script's world; nil for none.
func (f *Frame) Shown(ctx context.Context, expression string) (*Frame, error) {
	var shown string
	_, _, err := f.inWorld(ctx, func(sess *cdp.Session, w world) (jsonv2.Value, error) {
		var err error
		shown, err = w.frameShown(ctx, sess, expression)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	return f.page.Frame(shown), nil
}
