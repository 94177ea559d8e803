package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
)

// handle evaluates an expression in the world and returns a handle of the object that it yields, "" when it yields none. The handle lives until
// release, which may always be called.
func (w world) handle(ctx context.Context, sess *cdp.Session, expression string) (id string, release func(), err error) {
	group := newGroup()
	release = func() { sess.Start("Runtime.releaseObjectGroup", map[string]string{"objectGroup": group}) }
	raw, err := sess.CallRaw(ctx, "Runtime.evaluate", evaluateParams{Expression: expression, ContextID: w.context, ObjectGroup: group})
	if err != nil {
		return "", release, contextError(err)
	}
	var made struct {
		Result remoteObject `json:"result"`
	}
	err = cdp.Unmarshal(raw, &made)
	return made.Result.ObjectID, release, err
}

// ErrElementGone says that an element was removed from its document. It is a case of [IsNavigated].
var ErrElementGone = fmt.Errorf("the element is gone: %w", errNavigated)

// IsElementGone reports whether an element was removed from its document, which the frame still shows.
func IsElementGone(err error) bool { return errors.Is(err, ErrElementGone) }

// OnElement makes a call of the protocol with the remote object of an element, named by its token in the frame's document doc. When the document
// or the element is gone, the error is one for which [IsNavigated] holds. An exception in a function of ours, in the reply, is an error.
func (f *Frame) OnElement(ctx context.Context, doc string, token int64, call func(sess *cdp.Session, object string) (jsonv2.Value, error)) error {
	gone := false
	_, now, err := f.inWorld(ctx, func(sess *cdp.Session, w world) (jsonv2.Value, error) {
		if w.doc != doc {
			return nil, nil
		}
		object, release, err := w.handle(ctx, sess, inpage.Element(token))
		defer release()
		if err != nil {
			return nil, err
		}
		if object == "" {
			gone = true
			return nil, nil
		}
		reply, err := call(sess, object)
		if err != nil || reply == nil {
			return nil, contextError(err)
		}
		return evaluated(reply)
	})
	switch {
	case err != nil:
		return err
	case now != doc:
		return errNavigated
	case gone:
		return ErrElementGone
	}
	return nil
}

// frameShown returns the id of the frame that an element shows, which an expression yields; "" for none.
func (w world) frameShown(ctx context.Context, sess *cdp.Session, expression string) (string, error) {
	handle, release, err := w.handle(ctx, sess, expression)
	defer release()
	if err != nil || handle == "" {
		return "", err
	}
	raw, err := sess.CallRaw(ctx, "DOM.describeNode", map[string]any{"objectId": handle, "depth": 0})
	if err != nil {
		return "", contextError(err)
	}
	var described struct {
		Node struct {
			FrameID string `json:"frameId"`
		} `json:"node"`
	}
	return described.Node.FrameID, cdp.Unmarshal(raw, &described)
}
