package engine

import "context"

// FrameAt returns the innermost frame that shows something at a point of the main frame's viewport, and the point in that frame's own. It
// needs one round trip a level.
func (p *Page) FrameAt(ctx context.Context, at Point) (*Frame, Point, error) {
	frame := p.Main()
	for {
		var under struct {
			Token int64   `json:"token"`
			X     float64 `json:"x"`
			Y     float64 `json:"y"`
		}
		if err := frame.Call(ctx, "frameAt", map[string]any{"x": at.X, "y": at.Y}, &under); err != nil {
			return nil, at, err
		}
		if under.Token == 0 {
			return frame, at, nil
		}
		child, err := frame.ChildOf(ctx, under.Token)
		if err != nil || child == nil {
			return frame, at, err
		}
		frame, at = child, Point{X: under.X, Y: under.Y}
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
