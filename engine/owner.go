package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// OwnerToken returns the token that the frame's element has in its parent's document, and that document's id. It needs
// three round trips for each new parent document and none after that.
func (f *Frame) OwnerToken(ctx context.Context) (token int64, doc string, err error) {
	parent := f.Parent()
	sess, w, err := parent.world.enter(ctx)
	if err != nil {
		return 0, "", err
	}
	f.page.mu.Lock()
	owner := f.owner
	f.page.mu.Unlock()
	if owner.doc == w.Doc && owner.token != 0 {
		return owner.token, w.Doc, nil
	}
	var node struct {
		BackendNodeID int64 `json:"backendNodeId"`
	}
	if err := sess.Call(ctx, "DOM.getFrameOwner", map[string]string{"frameId": f.id}, &node); err != nil {
		return 0, "", world.ContextError(err)
	}
	elements, err := w.Elements(ctx, sess, []int64{node.BackendNodeID})
	if err != nil {
		return 0, "", err
	}
	if token = elements[0].Token; token == 0 {
		return 0, "", fault.New(fault.FrameGone, "the frame is not in the page any more")
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
