package engine

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
)

// highlightFunction outlines an element by an animation that stands still: nothing of the document changes, it works in shadow trees, and it
// can be taken back. (The browser's own overlay is not drawn by the headless shell.)
const highlightFunction = `function() {
	const style = {outline: ['3px solid red', '3px solid red'], outlineOffset: ['2px', '2px']};
	const animation = Element.prototype.animate.call(this, style, {duration: 1e9, fill: 'both'});
	animation.pause();
	(globalThis[Symbol.for('skua.highlights')] ??= []).push(animation);
}`

const clearHighlights = `for (const animation of globalThis[Symbol.for('skua.highlights')]?.splice(0) ?? []) animation.cancel()`

// Highlight outlines the element with the token in the frame's document doc, until ClearHighlights, or until the document goes.
func (f *Frame) Highlight(ctx context.Context, doc string, token int64) error {
	f.page.mu.Lock()
	if !slices.Contains(f.page.highlighted, f) {
		f.page.highlighted = append(f.page.highlighted, f)
	}
	f.page.mu.Unlock()
	_, err := f.onElement(ctx, doc, token, highlightFunction)
	return err
}

// ClearHighlights takes back what Highlight did, in all frames. It succeeds when there is nothing.
func (p *Page) ClearHighlights(ctx context.Context) error {
	p.mu.Lock()
	frames := p.highlighted
	p.highlighted = nil
	p.mu.Unlock()
	for _, f := range frames {
		if f.Gone() {
			continue
		}
		_, _, err := f.inWorld(ctx, func(sess *cdp.Session, w world) (jsonv2.Value, error) {
			return evaluate(ctx, sess, w.params(clearHighlights))
		})
		if err != nil && !f.Gone() && !IsNavigated(err) {
			return err
		}
	}
	return nil
}

// onElement calls a function of ours in the in-page script's world, with the element that has the token in the frame's document doc as `this`,
// and returns its value. When the document or the element is gone, the error is one for which [IsNavigated] holds.
func (f *Frame) onElement(ctx context.Context, doc string, token int64, function string) (jsonv2.Value, error) {
	value, now, err := f.inWorld(ctx, func(sess *cdp.Session, w world) (jsonv2.Value, error) {
		if w.doc != doc {
			return nil, nil
		}
		handle, release, err := w.handle(ctx, sess, inpage.Element(token))
		defer release()
		if err != nil {
			return nil, err
		}
		if handle == "" {
			return nil, errNavigated
		}
		raw, err := sess.CallRaw(ctx, "Runtime.callFunctionOn", map[string]any{
			"objectId": handle, "functionDeclaration": function, "returnByValue": true, "awaitPromise": true,
		})
		if err != nil {
			return nil, contextError(err)
		}
		return evaluated(raw)
	})
	if err == nil && now != doc {
		err = errNavigated
	}
	return value, err
}
