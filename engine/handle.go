package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/cdp"
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
