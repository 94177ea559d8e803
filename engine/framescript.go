package engine

import (
	"context"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/world"
)

// CallRaw runs an op of the in-page script with arg (JSON) in the frame's current document and returns its result as
// JSON and the id of the document. When the document is replaced before the op ran, it runs in the new one. When it is
// replaced while the op runs, the error is one for which [IsNavigated] holds.
func (f *Frame) CallRaw(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error) {
	return f.world.run(ctx, opCall(op, arg, nil))
}

// CallAnd is [Frame.CallRaw] that calls written each time when the op has been written. What [Frame.AskNext] sends then
// takes no round trip of its own.
func (f *Frame) CallAnd(ctx context.Context, op string, arg []byte, written func()) (jsonv2.Value, string, error) {
	return f.world.run(ctx, opCall(op, arg, written))
}

// CallHere is [Frame.CallRaw] that fails, as when the document was replaced while the op ran, in place of running it in
// the next document.
func (f *Frame) CallHere(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error) {
	value, w, err := f.world.once(ctx, opCall(op, arg, nil))
	return value, w.Doc, err
}

func opCall(
	op string, arg []byte, written func(),
) func(context.Context, *cdp.Session, world.World) (jsonv2.Value, error) {
	return func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		if inpage.Changes(op) {
			cdp.Attempting(ctx)
		}
		return w.Call(ctx, sess, op, arg, written)
	}
}

// Walk runs the in-page op walk with arg (JSON), as [Frame.CallRaw] does, with what page scripts cannot access, see
// [world.World.Walk].
func (f *Frame) Walk(ctx context.Context, arg []byte) (jsonv2.Value, string, error) {
	return f.world.walk(ctx, "walk", arg)
}

// Capabilities runs the in-page op capabilities, which walks as well, as Walk does.
func (f *Frame) Capabilities(ctx context.Context, arg []byte) (jsonv2.Value, string, error) {
	return f.world.walk(ctx, "capabilities", arg)
}

// Call is CallRaw with Go values. A nil result is not decoded.
func (f *Frame) Call(ctx context.Context, op string, arg, result any) error {
	raw, err := world.Argument(arg)
	if err != nil {
		return err
	}
	value, _, err := f.CallRaw(ctx, op, raw)
	if err != nil || result == nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}

// Await runs an op of the in-page script that answers when something happens in the page, and gives the answer to fn on
// a goroutine of the browser's. Fn is not called when the document goes first. The channel is closed when fn has
// returned or will not be called, unless the browser is being closed.
func (f *Frame) Await(op string, arg any, fn func(value []byte, doc string)) (<-chan struct{}, error) {
	raw, err := world.Argument(arg)
	if err != nil {
		return nil, err
	}
	over := make(chan struct{})
	f.page.ctxt.browser.Spawn(func(ctx context.Context) {
		defer close(over)
		ctx, stop := f.page.Watch(ctx, false)
		defer stop()
		if value, doc, err := f.CallRaw(ctx, op, raw); err == nil {
			fn(value, doc)
		}
	})
	return over, nil
}

// Document returns the id of the frame's current document, installing the script when it is new.
func (f *Frame) Document(ctx context.Context) (string, error) {
	for range 5 {
		_, w, err := f.world.enter(ctx)
		if err == nil {
			return w.Doc, nil
		}
		if !IsNavigated(err) {
			return "", err
		}
	}
	return "", world.ErrNavigated
}

// RunScript runs a script that only one command needs in the isolated world of the frame's current document: a
// function, written as an expression, that is called with arg and whose value, or that of the promise that it returns,
// is decoded into result.
func (f *Frame) RunScript(ctx context.Context, function string, arg, result any) error {
	script, err := world.Script(function, arg)
	if err != nil {
		return err
	}
	return f.awaitScript(ctx, result, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		return world.Evaluate(ctx, sess, w.Params(script))
	})
}

// StartScript is RunScript for a script that only reads, for pipelining: if the in-page script is installed already,
// the script is sent before StartScript returns. wait returns its value and is optional. If the document is replaced
// meanwhile, the value is that of the new document.
func (f *Frame) StartScript(ctx context.Context, function string, arg any) (wait func(result any) error) {
	script, err := world.Script(function, arg)
	if err != nil {
		return func(any) error { return err }
	}
	sess, at := f.world.now()
	var started *cdp.Pending
	if at.Doc != "" && ctx.Err() == nil {
		started = sess.Start("Runtime.evaluate", at.Params(script))
	}
	return func(result any) error {
		return f.awaitScript(ctx, result, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
			pending := started
			if pending == nil || w != at {
				return world.Evaluate(ctx, sess, w.Params(script))
			}
			started = nil
			raw, err := pending.Wait(ctx)
			if err != nil {
				return nil, world.ContextError(err)
			}
			return world.Evaluated(raw)
		})
	}
}

// CallAfter starts a call of the protocol on a session, and an op of the in-page script right after it, so that both
// take one round trip. Start gets the frame's session. The op may run before the page has handled the first call, so it
// must wait for the change that it reports.
func (f *Frame) CallAfter(
	ctx context.Context, start func(*cdp.Session) (*cdp.Pending, error), op string, arg, result any,
) error {
	sess, w, err := f.world.enter(ctx)
	if err != nil {
		return err
	}
	value, err := w.CallAfter(ctx, sess, start, op, arg)
	if err != nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}

// Ask calls an op right after input that was written, see [world.World.Ask]. It returns nil where the op has to be
// called after the input: the document has no script yet, or Chromium puts off tasks after input, which the op would
// wait for.
func (f *Frame) Ask(op string, arg []byte) *world.Asked {
	if !f.page.ctxt.browser.Owned() {
		return nil
	}
	return f.AskNext(op, arg)
}

// AskNext calls an op right after another one, see [Frame.CallAnd]. It returns nil where the document has no script.
func (f *Frame) AskNext(op string, arg []byte) *world.Asked {
	if sess, w := f.world.now(); w.Doc != "" {
		return w.Ask(sess, op, arg)
	}
	return nil
}

// AskHandleNext asks for a handle of what an op yields, right after another op as [Frame.AskNext] does.
func (f *Frame) AskHandleNext(op string) *world.AskedHandle {
	if sess, w := f.world.now(); w.Doc != "" {
		return w.AskHandle(sess, inpage.Call(op, nil))
	}
	return nil
}

// Next waits for the answer to what [Frame.AskNext] has asked.
func (f *Frame) Next(ctx context.Context, asked *world.Asked) (jsonv2.Value, error) {
	ctx, end := f.page.alive.Call(ctx, f.Session())
	defer end()
	value, err := asked.Value(ctx)
	return value, f.world.ended(asked.World, err)
}

// Answer is [world.Asked.Answer].
func (f *Frame) Answer(
	ctx context.Context, asked *world.Asked, dialog bool,
) (value jsonv2.Value, answered bool, err error) {
	ctx, end := f.page.alive.Call(ctx, f.Session())
	defer end()
	value, answered, err = asked.Answer(ctx, dialog)
	return value, answered, f.world.ended(asked.World, err)
}

func (f *Frame) awaitScript(
	ctx context.Context, result any, run func(context.Context, *cdp.Session, world.World) (jsonv2.Value, error),
) error {
	value, _, err := f.world.run(ctx, run)
	if err != nil || result == nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}

// Script runs a script in the frame's current document, in the in-page script's world, which pages do not see, awaits
// its value and returns that as JSON. When the document is replaced while it runs, the error is one for which
// [IsNavigated] holds.
func (f *Frame) Script(ctx context.Context, script string) (jsonv2.Value, error) {
	value, _, err := f.world.run(ctx, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		return world.Evaluate(ctx, sess, w.Params(script))
	})
	return value, err
}

// Shown returns the frame that an element shows, which an expression yields in the in-page script's world; nil for
// none.
func (f *Frame) Shown(ctx context.Context, expression string) (*Frame, error) {
	var shown string
	_, _, err := f.world.run(ctx, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		var err error
		shown, err = w.FrameShown(ctx, sess, expression)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	return f.page.frames.ByID(shown), nil
}
