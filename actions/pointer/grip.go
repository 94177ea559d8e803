package pointer

import (
	"context"

	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/placement"
)

// gripped is the result of the in-page op grip: where to take hold.
type gripped struct {
	element.Located
	Position *engine.Point `json:"position"`
}

// aimDropArg is the argument of the in-page op aimDrop.
type aimDropArg struct {
	element.AimArg
	Later bool  `json:"later"`          // one that is hidden may show itself
	Token int64 `json:"token,omitzero"` // the element that was aimed at before
}

// dropPlaceArg is the argument of the in-page op dropPlace.
type dropPlaceArg struct {
	element.Targeted
	Position engine.Point `json:"position"`
	Token    int64        `json:"token,omitzero"` // the element that was aimed at before
	Source   *dropSource  `json:"source,omitempty"`
}

// dropSource is what is dragged, and where it was taken hold of.
type dropSource struct {
	Token    int64        `json:"token"`
	Position engine.Point `json:"position"`
}

// The in-page ops of a drag.
var (
	opGrip         = inpage.Define[element.Targeted, gripped]("grip")
	opAimDrop      = inpage.Define[aimDropArg, dropAim]("aimDrop")
	opDropPlace    = inpage.Define[dropPlaceArg, droppable]("dropPlace")
	opDragValue    = inpage.Define[dragValueArg, dragValue]("dragValue")
	opDragBegun    = inpage.Define[inpage.None, dragBegun]("dragBegun")
	opDropAccepted = inpage.Define[inpage.None, acceptance]("dropAccepted")
	opDragEnded    = inpage.Define[dragEndedArg, dragEnd]("dragEnded")
)

type dragValueArg struct {
	Token int64 `json:"token"`
}

type dragValue struct {
	Value *string `json:"value"` // nil means that it has none
}

type dragBegun struct {
	Data bool `json:"data"` // the page gave data to drag
}

type dragEndedArg struct {
	Token int64 `json:"token"`         // of what it is to end on
	Wait  int64 `json:"wait,omitzero"` // in ms
}

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
	grip, err := element.RunOp(ctx, d.Call, d.src, opGrip, element.Targeted{})
	if err != nil {
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
	taken, err := element.AimAt(ctx, d.Call, d.src, element.AimOptions{
		Checks:   "pointer",
		Events:   []string{"mousedown"},
		Guard:    true,
		Position: grip.Position,
	})
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
	arg := aimDropArg{AimArg: element.AimArg{Checks: checks, Position: d.to}, Later: later}
	if d.apart {
		arg.Token = d.goal.Token
	}
	goal, err := element.RunOp(ctx, d.Call, d.dst, opAimDrop, arg)
	d.goal = *goal
	return err
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
	arg := dropPlaceArg{Position: withinBox(&d.goal.Aim)}
	if d.dst.Frame == d.src.Frame {
		arg.Source = &dropSource{d.grip.Token, withinBox(&d.grip)}
	}
	now, err := element.RunOp(ctx, d.Call, d.dst, opDropPlace, arg)
	if err != nil {
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
	first, err := placement.InPage(ctx, d.dst.Frame, engine.Point{X: now.X, Y: now.Y})
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
	again, err := placement.InPage(ctx, d.dst.Frame, engine.Point{X: now.X, Y: now.Y})
	if err != nil {
		return err
	}
	d.end = again.Point
	start, err := element.Place(ctx, d.Call, d.src, &d.grip)
	d.apart = start != d.start
	d.start = start
	return err
}
