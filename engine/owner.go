package engine

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
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

// Placement is where a point of a frame lies in the main frame's viewport.
type Placement struct {
	Point
	Covered *Cover // what keeps the pointer from the frame at that point in one of its ancestors; nil: nothing
}

// Cover is what lies over a frame, or hides it.
type Cover struct {
	Code  fault.Code
	Frame *Frame // the ancestor in which it is
	Doc   string // the document there that tokens in Facts belong to
	Facts map[string]any
}

// ToPage translates a point of the frame's viewport into the main frame's, through every ancestor frame.
func (f *Frame) ToPage(ctx context.Context, pt Point) (Placement, error) {
	return f.Reach(ctx, []Point{pt}, 0)
}

// answerTime is what is left of a caller's time for the answer of a page that waits.
const answerTime = 100 * time.Millisecond

// Reach returns the first of the points, which are in the frame's viewport, at which the pointer reaches the frame, in coordinates of the main
// frame's viewport. It waits up to patience for one. If there is none, the placement says where the first point is and which element covers it.
func (f *Frame) Reach(ctx context.Context, points []Point, patience time.Duration) (Placement, error) {
	at := Placement{}
	for f.Parent() != nil {
		token, _, err := f.OwnerToken(ctx)
		if err != nil {
			return at, err
		}
		limits := map[string]any{"token": token, "points": points, "patience": max(0, patience.Milliseconds())}
		if end, ok := ctx.Deadline(); ok && patience > 0 { // what is known to end until then is awaited
			limits["longest"] = max(patience, time.Until(end)-answerTime).Milliseconds()
		}
		arg, err := marshalArg(limits)
		if err != nil {
			return at, err
		}
		parent := f.Parent()
		value, doc, err := parent.CallRaw(ctx, "frameBox", arg)
		if err != nil {
			return at, err
		}
		var box struct {
			Points []Point `json:"points"`
			At     Point   `json:"at"`
			Error  *struct {
				Code  fault.Code     `json:"code"`
				Facts map[string]any `json:"facts"`
			} `json:"error"`
		}
		if err := cdp.Unmarshal(value, &box); err != nil {
			return at, err
		}
		if points = box.Points; box.Error != nil {
			points, patience = []Point{box.At}, 0
			if at.Covered == nil {
				at.Covered = &Cover{Code: box.Error.Code, Frame: parent, Doc: doc, Facts: box.Error.Facts}
			}
		}
		f = parent
	}
	at.Point = points[0]
	return at, nil
}

// At returns the innermost frame that shows something at a point of this frame's viewport, and the point in that frame's own. It needs one round
// trip a level.
func (f *Frame) At(ctx context.Context, at Point) (*Frame, Point, error) {
	for {
		var found struct {
			Token int64   `json:"token"`
			X     float64 `json:"x"`
			Y     float64 `json:"y"`
		}
		if err := f.Call(ctx, "frameAt", map[string]any{"x": at.X, "y": at.Y}, &found); err != nil {
			return nil, at, err
		}
		if found.Token == 0 {
			return f, at, nil
		}
		child, err := f.ChildOf(ctx, found.Token)
		if err != nil || child == nil {
			return f, at, err
		}
		f, at = child, Point{X: found.X, Y: found.Y}
	}
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
