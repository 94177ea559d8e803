package pointer

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/engine/placement"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func dragCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "drag",
				Group:   actions.GroupPointer,
				Summary: "Drag an element onto another, or by a distance",
				Help: "Presses the left button on the source, moves to the target and releases the button there. The target is " +
					"scrolled into view, during the drag if necessary. On draggable elements, links, pictures and selected text " +
					"this is an HTML drag and drop; elsewhere the page sees pointer moves, as for sliders, splitters and sortable " +
					"lists. Fails when the target does not accept the data.",
				Args: []actions.Arg{
					{Name: "source", Kind: actions.Selector, Help: "The element to drag"},
					{
						Name:     "target",
						Kind:     actions.Selector,
						Optional: true,
						Help:     "The element to drop it on; not needed with --by or --to",
					},
				},
				Flags: []actions.Flag{
					{
						Name:  "by",
						Kind:  actions.String,
						Kept:  true,
						Value: "dx,dy",
						Help:  "Drag by this many CSS pixels instead of onto a target",
					},
					{
						Name:  "from",
						Kind:  actions.String,
						Kept:  true,
						Value: "x,y",
						Help:  "Where to press, from the source's top left corner",
					},
					{
						Name:  "to",
						Kind:  actions.String,
						Kept:  true,
						Value: "x,y",
						Help:  "Where to release, from the top left corner of the target, or of the source if there is no target",
					},
					{Name: "steps", Kind: actions.Int, Help: "The number of pointer moves on the way, 1 to 240"},
					{
						Name:  "hold",
						Kind:  actions.Duration,
						Value: "ms",
						Help:  "How long to hold the button before the first move, for pages that begin a drag after a long press",
					},
					element.ForceFlag(), element.HumanFlag(),
				},
				Examples: []actions.Example{
					{Line: "drag @e3 @e9"},
					{Line: "drag @e5 --by 120,0", Note: "a slider or a splitter"},
					{Line: "drag #sheet --from 10,10 --to 200,80", Note: "a line on a canvas"},
				},
				Upstream: []string{"drag <src> <dst>", "drag <source> <target> [--human]"},
			},
			Schedule: actions.Schedule{
				Effect:  actions.InTab | actions.Mutates | actions.Navigates,
				AtLeast: func(in *actions.Input) time.Duration { return in.Duration("hold") },
			},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{DraggedResult{}}, Playwright: []string{"await {source}.dragTo({target});"}},
			Run:      drag,
		},
		dropCommand(),
	}
}

// dragStepsDefault is in how many moves a drag goes its way. Lists that make room for what is dragged look at each of
// them.
const dragStepsDefault = 6

// dragging is one drag in progress.
type dragging struct {
	*actions.Call
	tab   *actions.Tab
	src   *element.Target
	dst   *element.Target // nil means by a distance
	by    *engine.Point   // the distance
	from  *engine.Point   // where to take hold; nil means where the script says
	to    *engine.Point   // where in the target to let go; nil means its middle
	steps int

	grip  element.Aim  // the source
	goal  dropAim      // the target
	apart bool         // both cannot be in view at once
	start engine.Point // in the main frame's viewport
	end   engine.Point
	drag  *input.Drag
}

func drag(ctx context.Context, c *actions.Call) (actions.Result, error) {
	d := &dragging{Call: c}
	var err error
	for _, flag := range []struct {
		name  string
		point **engine.Point
	}{{"by", &d.by}, {"from", &d.from}, {"to", &d.to}} {
		if *flag.point, err = pointFlag(c, flag.name); err != nil {
			return actions.Result{}, err
		}
	}
	switch target := c.String("target"); {
	case d.by != nil && (target != "" || d.to != nil):
		return actions.Result{}, c.Invalid("--by is for drags without a target and without --to")
	case d.by == nil && target == "" && d.to == nil:
		return actions.Result{}, c.Invalid("drag needs a target, or --by dx,dy, or --to x,y")
	}
	if d.steps, err = steps(c, dragStepsDefault); err != nil {
		return actions.Result{}, err
	}
	return element.OnPage(d.run)(ctx, c)
}

// pointFlag reads two numbers such as 120,-5; nil when the flag was not given.
func pointFlag(c *actions.Call, name string) (*engine.Point, error) {
	if !c.Has(name) {
		return nil, nil
	}
	across, down, ok := strings.Cut(c.String(name), ",")
	x, errX := strconv.ParseFloat(strings.TrimSpace(across), 64)
	y, errY := strconv.ParseFloat(strings.TrimSpace(down), 64)
	if bad := math.IsNaN(x+y) || math.IsInf(x+y, 0); !ok || errX != nil || errY != nil || bad {
		return nil, c.Invalid("--" + name + " takes two numbers such as 120,-5, got " + wording.Quote(c.String(name)))
	}
	return &engine.Point{X: x, Y: y}, nil
}

func (d *dragging) run(ctx context.Context, _ *actions.Call, tab *actions.Tab) (actions.Result, error) {
	d.tab = tab
	data := &DraggedResult{}
	res := actions.Result{Data: data, Text: "✓ Done"}
	if err := d.aim(ctx); err != nil {
		return res, err
	}
	data.Dragged, data.Source = true, d.src.Label
	if d.by != nil {
		data.By = d.by
	} else {
		data.Target = d.dst.Label
	}
	was := d.value(ctx)
	if err := d.pickUp(ctx); err != nil {
		return res, err
	}
	defer func() { d.drag.Close(ctx) }()
	if err := d.carry(ctx, data); err != nil {
		return res, err
	}
	if is := d.value(ctx); was != nil && is != nil {
		data.Value = &ValueChange{*was, *is}
	}
	d.nameHold(data)
	return res, nil
}

// nameHold has the reply name --hold if nothing comes of a drag: some pages begin one only after the button has rested
// for a while, which nothing about them shows. The effects that are seen do not include what is drawn on a canvas.
func (d *dragging) nameHold(data *DraggedResult) {
	moved := data.Value != nil && data.Value.From != data.Value.To
	if data.Mode == "pointer" && !d.Has("hold") && !moved && d.grip.Tag != "canvas" {
		run.Of(
			d.Call).IfNone = "nothing on the page was seen to change: if a drag begins there only after a long press, " +
			"add --hold 500"
	}
}

// value is what a slider says of itself; nil for what has no value.
func (d *dragging) value(ctx context.Context) *string {
	if d.grip.Role != "slider" && d.grip.Role != "separator" && d.grip.Role != "scrollbar" {
		return nil
	}
	now, err := opDragValue.In(ctx, d.src.Frame, dragValueArg{d.grip.Token})
	if err != nil {
		return nil
	}
	return now.Value
}

// pickUpMoves are how far the pointer goes at first, in pixels: browsers and libraries take less for a click.
var pickUpMoves = []float64{3, 8}

// pickUp presses on the source and moves until the page takes that for a drag.
func (d *dragging) pickUp(ctx context.Context) error {
	if err := element.PointAt(ctx, d.Call, d.tab, d.src, &d.grip, d.start); err != nil {
		return err
	}
	drag, err := input.BeginDrag(ctx, d.tab.Page, d.src.Frame, d.start)
	d.drag = drag
	if err == nil {
		err = d.afterPress(ctx)
	}
	if err != nil {
		drag.Close(ctx)
	}
	return err
}

func (d *dragging) afterPress(ctx context.Context) error {
	run.SetArmed(d.Call, nil)
	if err := input.Pause(ctx, d.Duration("hold")); err != nil {
		return err
	}
	if err := d.drag.Move(ctx, firstMoves(d.start, d.end)); err != nil {
		return err
	}
	seen, err := element.Landed(ctx, d.Call, d.src, &d.grip, false)
	if err != nil {
		return err
	}
	if seen == nil {
		return fault.New(fault.FrameGone, "The page left its document when '%s' was pressed.", d.src.Label).About(d.src.Label)
	}
	if !seen.Hit {
		return element.Missed(ctx, d.Call, d.src, seen)
	}
	if begun, err := opDragBegun.In(ctx, d.src.Frame, inpage.None{}); err != nil || !begun.Data {
		return err
	}
	return d.drag.TakeData(ctx)
}

// firstMoves returns the moves that make a drag different from a click: towards the end, or down if there is no end
// yet.
func firstMoves(from, to engine.Point) []engine.Point {
	dx, dy := to.X-from.X, to.Y-from.Y
	far := math.Hypot(dx, dy)
	if far == 0 {
		dx, dy, far = 0, 1, math.Inf(1)
	}
	var moves []engine.Point
	for _, step := range pickUpMoves {
		part := min(step, far)
		if !math.IsInf(far, 1) {
			part /= far
		}
		moves = append(moves, engine.Point{X: from.X + dx*part, Y: from.Y + dy*part})
	}
	return moves
}

// carry takes what was picked up to the end, and lets go.
func (d *dragging) carry(ctx context.Context, data *DraggedResult) error {
	if err := d.findEnd(ctx); err != nil {
		return err
	}
	if d.drag.Data() != nil {
		data.Mode = "data"
		return d.deliver(ctx, data)
	}
	data.Mode = "pointer"
	if err := d.travel(ctx, d.drag.Move); err != nil {
		return err
	}
	if err := d.drag.Release(ctx); err != nil {
		return err
	}
	ended, err := opDragEnded.In(ctx, d.src.Frame, dragEndedArg{Token: d.grip.Token})
	if err != nil {
		return leftDocument(err)
	}
	if !ended.Up && ended.Armed == nil && d.dst != nil && d.dst.Frame != d.src.Frame {
		if ended, err = opDragEnded.In(ctx, d.dst.Frame, dragEndedArg{Token: d.goal.Token}); err != nil {
			return leftDocument(err)
		}
	}
	if !ended.Up && ended.Armed == nil {
		d.Note("the button was released over something that hides the event from the page")
	}
	return nil
}

// findEnd looks once more where the target is: the page may have made room, shown places to drop on, or scrolled.
func (d *dragging) findEnd(ctx context.Context) error {
	if d.dst == nil {
		return nil
	}
	if !d.goal.Later && !d.apart {
		if inView, err := d.lookAgain(ctx); inView || err != nil {
			return err
		}
	}
	if err := d.aimGoal(ctx, false); err != nil {
		return err
	}
	at, err := placement.InPage(ctx, d.dst.Frame, engine.Point{X: d.goal.X, Y: d.goal.Y})
	d.end = d.offMiddle(at.Point)
	return err
}

// offMiddle is a whole pixel just before a point, as a mouse has it: lists that ask on which side of an item's middle
// the pointer is make nothing of the middle itself.
func (d *dragging) offMiddle(at engine.Point) engine.Point {
	if d.to != nil {
		return at
	}
	return engine.Point{X: math.Ceil(at.X) - 1, Y: math.Ceil(at.Y) - 1}
}

// travel goes to the end. It looks once more where that is when it has come near: lists make room for what is dragged
// over them.
func (d *dragging) travel(ctx context.Context, move func(context.Context, []engine.Point) error) error {
	from, steps := d.drag.At(), d.steps
	if part := d.outside(from); part > 0 {
		near := engine.Point{X: from.X + (d.end.X-from.X)*part, Y: from.Y + (d.end.Y-from.Y)*part}
		before := min(max(int(float64(steps)*part), 1), max(steps-1, 1))
		if err := move(ctx, d.points(from, near, before)); err != nil {
			return err
		}
		from, steps = near, max(steps-before, 1)
		if _, err := d.lookAgain(ctx); err != nil {
			return err
		}
	}
	// Some libraries measure when the pointer comes over a target, and act on the move after that.
	return move(ctx, append(d.points(from, d.end, steps), d.end))
}

// nearTarget is how far from the target the pointer is when it looks once more, in pixels.
const nearTarget = 4

// outside is how much of the way to the end lies before the target; 0 when it begins there, or goes into another frame.
func (d *dragging) outside(from engine.Point) (part float64) {
	if d.dst == nil || d.dst.Frame != d.src.Frame || d.dst == d.src {
		return 0
	}
	box, corner := d.goal.Rect, withinBox(&d.goal.Aim)
	left, top := d.end.X-corner.X-nearTarget, d.end.Y-corner.Y-nearTarget
	const parts = 64
	for i := 1; i < parts; i++ {
		t := float64(i) / parts
		x, y := from.X+(d.end.X-from.X)*t, from.Y+(d.end.Y-from.Y)*t
		if x > left && x < left+box.Width+2*nearTarget && y > top && y < top+box.Height+2*nearTarget {
			break
		}
		part = t
	}
	return part
}

// lookAgain finds the end again where the target is in view.
func (d *dragging) lookAgain(ctx context.Context) (inView bool, err error) {
	now, err := element.RunOp(ctx, d.Call, d.dst, opDropPlace, dropPlaceArg{
		Position: withinBox(&d.goal.Aim),
		Token:    d.goal.Token,
	})
	if err != nil {
		return false, err
	}
	if !now.InView {
		return false, nil
	}
	at, err := placement.InPage(ctx, d.dst.Frame, engine.Point{X: now.X, Y: now.Y})
	d.end = d.offMiddle(at.Point)
	return true, err
}

// deliver takes data to the end and drops it there, when it is taken there.
func (d *dragging) deliver(ctx context.Context, data *DraggedResult) error {
	over, label, token := d.src.Frame, d.src.Label, int64(0)
	if d.dst != nil {
		over, label, token = d.dst.Frame, d.dst.Label, d.goal.Token
	} else if frame, _, err := placement.At(ctx, d.tab.Page.Main(), d.end); err == nil {
		over = frame
	}
	carry := func(ctx context.Context, way []engine.Point) error { return d.drag.Carry(ctx, over, way) }
	if err := d.travel(ctx, carry); err != nil {
		return err
	}
	if err := dropOn(ctx, d.Call, d.drag, d.tab, over, label, token, &data.Drop); err != nil {
		return err
	}
	if !over.SharesInput(d.src.Frame) {
		d.Note("source and target are in frames of different processes: the source knows that the drag ended, but not how")
	}
	return nil
}

// points is the way of a drag, whose pace is that of the page.
func (d *dragging) points(from, to engine.Point, n int) []engine.Point {
	points, _ := element.MousePath(d.Call, from, to, n)
	return points
}
