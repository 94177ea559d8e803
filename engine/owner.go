package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/world"
)

// OwnerToken returns the token that the frame's element has in its parent's document, and that document's id. It needs three round trips for each new
// parent document and none after that.
func (f *Frame) OwnerToken(ctx context.Context) (token int64, doc string, err error) {
	parent := f.Parent()
	sess, w, err := parent.enter(ctx)
	if err != nil {
		return 0, "", err
	}
	f.page.mu.Lock()
	owner := f.owner
	f.page.mu.Unlock()
	if owner.doc == w.Doc && owner.token != 0 {
		return owner.token, w.Doc, nil
	}
	raw, err := sess.CallRaw(ctx, "DOM.getFrameOwner", map[string]string{"frameId": f.id})
	if err != nil {
		return 0, "", world.ContextError(err)
	}
	var node struct {
		BackendNodeID int64 `json:"backendNodeId"`
	}
	if err := cdp.Unmarshal(raw, &node); err != nil {
		return 0, "", err
	}
	raw, err = sess.CallRaw(ctx, "DOM.resolveNode", map[string]any{
		"backendNodeId": node.BackendNodeID, "executionContextId": w.Context,
	})
	if err != nil {
		return 0, "", world.ContextError(err)
	}
	var resolved struct {
		Object struct {
			ObjectID string `json:"objectId"`
		} `json:"object"`
	}
	if err := cdp.Unmarshal(raw, &resolved); err != nil {
		return 0, "", err
	}
	raw, err = sess.CallRaw(ctx, "Runtime.callFunctionOn", map[string]any{
		"objectId": resolved.Object.ObjectID, "functionDeclaration": inpage.TokenFunction, "returnByValue": true,
	})
	sess.Start("Runtime.releaseObject", map[string]string{"objectId": resolved.Object.ObjectID})
	if err != nil {
		return 0, "", world.ContextError(err)
	}
	value, err := world.Evaluated(raw)
	if err != nil {
		return 0, "", err
	}

	if err := cdp.Unmarshal(value, &token); err != nil {
		return 0, "", err
	}
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	f.owner = ownerToken{doc: w.Doc, token: token}
	return token, w.Doc, nil
}

// Rect is a rectangle in CSS pixels.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Point is a position in CSS pixels.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// ChildOf returns the child frame whose element has the token, or nil.
func (f *Frame) ChildOf(ctx context.Context, token int64) (*Frame, error) {
	children, err := f.Children(ctx)
	if err != nil {
		return nil, err
	}
	for _, child := range children {
		own, _, err := child.OwnerToken(ctx)
		if err != nil {
			return nil, err
		}
		if own == token {
			return child, nil
		}
	}
	return nil, nil
}

// SharesInput reports whether two frames of a page get their input in one process, as one tree.
func (f *Frame) SharesInput(g *Frame) bool {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.sess == g.sess
}
