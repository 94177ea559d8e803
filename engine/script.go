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
