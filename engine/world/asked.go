package world

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
)

// Asked is an op of the in-page script that was called right after something else: input, which the page must have
// handled before it answers, or another op.
type Asked struct {
	World   World
	sess    *cdp.Session
	pending *cdp.Pending
}

// Ask calls an op behind what was written before, without waiting, so that both take one round trip.
func (w World) Ask(sess *cdp.Session, op string, arg []byte) *Asked {
	return &Asked{w, sess, sess.Start("Runtime.evaluate", w.CallParams(op, arg))}
}

// acknowledgedArg is the argument of the in-page op acknowledged.
type acknowledgedArg struct {
	Dialog bool `json:"dialog,omitzero"`
}

var opAcknowledged = inpage.Define[acknowledgedArg, inpage.None]("acknowledged")

// answerLate is how long after the browser has acknowledged input the answer may take that comes of itself, which it
// does a task later.
const answerLate = 2 * time.Millisecond

// Answer waits for the answer to what was sent with input that the browser has acknowledged. Dialog says that one was
// opened and closed meanwhile, which may have kept input from the page. Answered is false when the op has to be called
// again, without the input.
func (a *Asked) Answer(ctx context.Context, dialog bool) (value jsonv2.Value, answered bool, err error) {
	word, err := opAcknowledged.JSON(acknowledgedArg{dialog})
	if err != nil {
		return nil, false, err
	}
	tell := func() { a.sess.Start("Runtime.evaluate", a.World.CallParams(opAcknowledged.Name(), word)) }
	if dialog {
		tell()
	} else {
		defer time.AfterFunc(answerLate, tell).Stop()
	}
	value, err = a.Value(ctx)
	if errors.Is(err, errUnpierced) { // World.Call can do more then
		return nil, false, nil
	}
	return value, true, err
}

// Value waits for the answer to what was sent behind another op.
func (a *Asked) Value(ctx context.Context) (jsonv2.Value, error) { return yielded(ctx, a.pending) }

// AskedHandle is a handle of an object that was asked for.
type AskedHandle struct {
	sess    *cdp.Session
	group   string
	pending *cdp.Pending
}

// AskHandle asks for a handle of the object that an expression, or its promise, yields, without waiting.
func (w World) AskHandle(sess *cdp.Session, expression string) *AskedHandle {
	group := newGroup()
	return &AskedHandle{sess, group, sess.Start("Runtime.evaluate", Params{
		Expression:   expression,
		ContextID:    w.Context,
		ObjectGroup:  group,
		AwaitPromise: true,
	})}
}

// ID waits for the handle; "" when the expression yields no object.
func (a *AskedHandle) ID(ctx context.Context) (string, error) {
	raw, err := a.pending.Wait(ctx)
	if err != nil {
		return "", ContextError(err)
	}
	var made struct {
		Result remoteObject `json:"result"`
	}
	err = cdp.Unmarshal(raw, &made)
	return made.Result.ObjectID, err
}

// Release ends the handle.
func (a *AskedHandle) Release() {
	a.sess.Start("Runtime.releaseObjectGroup", map[string]string{"objectGroup": a.group})
}

// CallAfter starts a call of the protocol, and an op of the in-page script right after it.
func (w World) CallAfter(
	ctx context.Context, sess *cdp.Session, start func(*cdp.Session) (*cdp.Pending, error), op string, arg any,
) (jsonv2.Value, error) {
	raw, err := Argument(arg)
	if err != nil {
		return nil, err
	}
	first, err := start(sess)
	if err != nil {
		return nil, err
	}
	second := sess.Start("Runtime.evaluate", w.CallParams(op, raw))
	if _, err := first.Wait(ctx); err != nil {
		return nil, ContextError(err)
	}
	reply, err := second.Wait(ctx)
	if err != nil {
		return nil, ContextError(err)
	}
	return Evaluated(reply)
}
