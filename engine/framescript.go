package engine

import (
	"context"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/world"
)

// RunScript runs a script that only one command needs in the isolated world of the frame's current document: a function, written as an
// expression, that is called with arg and whose value, or that of the promise that it returns, is decoded into result.
func (f *Frame) RunScript(ctx context.Context, function string, arg, result any) error {
	script, err := asScript(function, arg)
	if err != nil {
		return err
	}
	return f.awaitScript(ctx, result, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		return world.Evaluate(ctx, sess, w.Params(script))
	})
}

// StartScript is RunScript for a script that only reads, for pipelining: if the in-page script is installed already, the script is sent before
// StartScript returns. wait returns its value and is optional. If the document is replaced meanwhile, the value is that of the new document.
func (f *Frame) StartScript(ctx context.Context, function string, arg any) (wait func(result any) error) {
	script, err := asScript(function, arg)
	if err != nil {
		return func(any) error { return err }
	}
	f.page.mu.Lock()
	sess, at := f.sess, f.world
	f.page.mu.Unlock()
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

// CallAfter starts a call of the protocol on a session, and an op of the in-page script right behind it, so that both take one round trip. Start
// gets the frame's session. The op may run before the page has handled the first call, so it must wait for the change that it reports.
func (f *Frame) CallAfter(ctx context.Context, start func(*cdp.Session) (*cdp.Pending, error), op string, arg, result any) error {
	sess, w, err := f.enter(ctx)
	if err != nil {
		return err
	}
	raw, err := marshalArg(arg)
	if err != nil {
		return err
	}
	first, err := start(sess)
	if err != nil {
		return err
	}
	second := sess.Start("Runtime.evaluate", w.CallParams(op, raw))
	if _, err := first.Wait(ctx); err != nil {
		return world.ContextError(err)
	}
	reply, err := second.Wait(ctx)
	if err != nil {
		return world.ContextError(err)
	}
	value, err := world.Evaluated(reply)
	if err != nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}

func asScript(function string, arg any) (string, error) {
	raw, err := marshalArg(arg)
	return "(" + function + "\n)(" + string(raw) + ")", err
}

func (f *Frame) awaitScript(ctx context.Context, result any, run func(context.Context, *cdp.Session, world.World) (jsonv2.Value, error)) error {
	value, _, err := f.inWorld(ctx, run)
	if err != nil || result == nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}

// Script runs a script in the frame's current document, in the in-page script's world, which pages do not see, awaits its value and returns
// that as JSON. When the document is replaced while it runs, the error is one for which [IsNavigated] holds.
func (f *Frame) Script(ctx context.Context, script string) (jsonv2.Value, error) {
	value, _, err := f.inWorld(ctx, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		return world.Evaluate(ctx, sess, w.Params(script))
	})
	return value, err
}

// Shown returns the frame that an element shows, which an expression yields in the in-page script's world; nil for none.
func (f *Frame) Shown(ctx context.Context, expression string) (*Frame, error) {
	var shown string
	_, _, err := f.inWorld(ctx, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		var err error
		shown, err = w.FrameShown(ctx, sess, expression)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	return f.page.frames.ByID(shown), nil
}
