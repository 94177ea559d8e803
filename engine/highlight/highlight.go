package highlight

import (
	"context"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
)

// outlineFunction outlines an element by a paused animation: nothing in the document changes, it works in shadow trees,
// and it can be canceled. (The headless shell does not draw the browser's own overlay.)
const outlineFunction = `function() {
	const style = {outline: ['3px solid red', '3px solid red'], outlineOffset: ['2px', '2px']};
	const animation = Element.prototype.animate.call(this, style, {duration: 1e9, fill: 'both'});
	animation.pause();
	(globalThis[Symbol.for('skua.highlights')] ??= []).push(animation);
}`

const clearScript = `for (const animation of globalThis[Symbol.for('skua.highlights')]?.splice(0) ?? []) animation.cancel()`

// outlined holds the frames of a page with outlined elements.
type outlined struct {
	mu     sync.Mutex
	frames []*engine.Frame
}

var states = engine.NewState(func(*engine.Page) *outlined { return &outlined{} })

// Element outlines the element with the token in the frame's document doc, until [Clear], or until the document is
// replaced.
func Element(ctx context.Context, f *engine.Frame, doc string, token int64) error {
	s := states.Of(f.Page())
	s.mu.Lock()
	if !slices.Contains(s.frames, f) {
		s.frames = append(s.frames, f)
	}
	s.mu.Unlock()
	err := f.OnElement(ctx, doc, token, func(sess *cdp.Session, object string) (jsonv2.Value, error) {
		return sess.CallRaw(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
			ObjectID:            runtime.RemoteObjectID(object),
			FunctionDeclaration: outlineFunction,
			ReturnByValue:       new(true),
			AwaitPromise:        new(true),
		})
	})
	if err != nil {
		return err
	}
	return painted(ctx, f)
}

// Clear removes the outlines in all frames of a page. It succeeds when there are none.
func Clear(ctx context.Context, p *engine.Page) error {
	s := states.Of(p)
	s.mu.Lock()
	frames := s.frames
	s.frames = nil
	s.mu.Unlock()
	for _, f := range frames {
		if f.Gone() {
			continue
		}
		_, err := f.Script(ctx, clearScript)
		if err == nil {
			err = painted(ctx, f)
		}
		if err != nil && !f.Gone() && !engine.IsNavigated(err) {
			return err
		}
	}
	return nil
}

var opPainted = inpage.Define[inpage.None, any]("painted")

// painted waits until a picture of the page would show the frame as it is now. The picture waits for the page's own
// process alone, so that it may show what a frame of another process painted before.
func painted(ctx context.Context, f *engine.Frame) error {
	if !f.Remote() {
		return nil
	}
	_, err := opPainted.In(ctx, f, inpage.None{})
	return err
}
