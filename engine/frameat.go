package engine

import "context"

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
