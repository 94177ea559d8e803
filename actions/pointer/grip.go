package pointer

import (
	"context"

	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine"
)

// dropAim is the result of the in-page op aimDrop.
type dropAim struct {
	element.Aim
	Later bool `json:"later"` // it is hidden now
}

// droppable is the result of the in-page op dropPlace.
type droppable struct {
	element.Located
	X      float64       `json:"x"`
	Y      float64       `json:"y"`
	InView bool          `json:"inView"`
	Source *engine.Point `json:"source"` // where the source is by now
}

// aim finds the places to take hold and to let go, before anything is pressed.
func (d *dragging) aim(ctx context.Context) (err error) {
	if d.src, err = element.Resolve(ctx, d.Call, d.tab, d.String("source")); err != nil {
		return err
	}
	var grip struct {
		element.Located
		Position *engine.Point `json:"position"`
	}
	if err := element.RunOp(ctx, d.Call, d.src, "grip", nil, &grip); err != nil {
		return err
	}
	if d.from != nil {
		grip.Position = d.from
	}
	switch target := d.String("target"); {
	case target != "":
		if d.dst, err = element.Resolve(ctx, d.Call, d.tab, target); err != nil {
			return err
		}
	case d.by == nil:
		d.dst = d.src
	}
	if d.dst != nil {
		if err := d.aimGoal(ctx, true); err != nil {
			return err
		}
	}
	taken, err := element.AimAt(ctx, d.Call, d.src, element.AimOptions{Checks: "pointer", Events: []string{"mousedown"}, Guard: true, Position: grip.Position})
	if err != nil {
		return err
	}
	d.grip = *taken
	return d.bringTogether(ctx)
}

// aimGoal finds the place to let go. A target that is hidden may be one that shows itself once something is dragged.
func (d *dragging) aimGoal(ctx context.Context, later bool) error {
	checks := "hover"
	if d.Bool("force") {
		checks = "none"
	}
	arg := map[string]any{"checks": checks, "later": later}
	if d.to != nil {
		arg["position"] = d.to
	}
	if d.apart {
		arg["token"] = d.goal.Token
	}
	d.goal = dropAim{}
	return element.RunOp(ctx, d.Call, d.dst, "aimDrop", arg, &d.goal)
}

// withinBox is a point's distance from the corner of the box that was aimed at.
func withinBox(a *element.Aim) engine.Point {
	return engine.Point{X: a.X - a.Rect.X, Y: a.Y - a.Rect.Y}
}

// bringTogether finds the points in the viewport, with both in view where that can be.
func (d *dragging) bringTogether(ctx context.Context) (err error) {
	if d.dst == nil || d.goal.Later {
		d.start, err = element.Place(ctx, d.Call, d.src, &d.grip)
		d.end = d.start
		if d.by != nil {
			d.end = engine.Point{X: d.start.X + d.by.X, Y: d.start.Y + d.by.Y}
		}
		return err
	}
	arg := map[string]any{"position": withinBox(&d.goal.Aim), "patience": 0}
	if d.dst.Frame == d.src.Frame {
		arg["source"] = map[string]any{"token": d.grip.Token, "position": withinBox(&d.grip)}
	}
	var now droppable
	if err := element.RunOp(ctx, d.Call, d.dst, "dropPlace", arg, &now); err != nil {
		return err
	}
	d.apart = !now.InView
	if now.Source != nil {
		d.grip.X, d.grip.Y = now.Source.X, now.Source.Y
	}
	if d.apart {
		d.start, err = element.Place(ctx, d.Call, d.src, &d.grip)
		d.end = d.start
		return err
	}
	// Bringing the one into view may take the other out of it, where they are in frames.
	first, err := d.dst.Frame.ToPage(ctx, engine.Point{X: now.X, Y: now.Y})
	if err != nil {
		return err
	}
	if d.start, err = element.Place(ctx, d.Call, d.src, &d.grip); err != nil {
		return err
	}
	if d.src.Frame.Parent() == nil && d.dst.Frame.Parent() == nil {
		d.end = first.Point
		return nil
	}
	again, err := d.dst.Frame.ToPage(ctx, engine.Point{X: now.X, Y: now.Y})
	if err != nil {
		return err
	}
	d.end = again.Point
	start, err := element.Place(ctx, d.Call, d.src, &d.grip)
	d.apart = start != d.start
	d.start = start
	return err
}
