package pointer

import (
	"context"
	"fmt"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/engine/placement"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func touchCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "tap",
				Group:   actions.GroupPointer,
				Summary: "Tap an element with a finger",
				Help:    "Like click, but with touch events. The browser turns them into a click unless a script prevents it.",
				Args:    []actions.Arg{actions.SelectorArg()},
				Flags: []actions.Flag{{
					Name:  "hold",
					Kind:  actions.Duration,
					Value: "ms",
					Help:  "How long to hold the finger there",
				}},
				Examples: []actions.Example{{Line: "tap @e2"}, {Line: "tap @e2 --hold 600", Note: "a long press"}},
			},
			Schedule: actions.Schedule{
				Effect:  actions.InTab | actions.Mutates | actions.Navigates,
				AtLeast: func(in *actions.Input) time.Duration { return in.Duration("hold") },
			},
			Safety: actions.Safety{Families: policy.Does(policy.ActsByPointer), Like: []string{policy.Click}},
			Showing: actions.Showing{
				Traits: trait.Presses | trait.LookAgain,
				Refs:   trait.Refs{Settles: []string{"checkbox", "radio"}},
			},
			Bindings: actions.Bindings{Data: []any{TappedResult{}}},
			Run:      element.OnTarget(tap),
		},
		{
			Spec: actions.Spec{
				Name:    "swipe",
				Group:   actions.GroupPointer,
				Summary: "Swipe with a finger",
				Help: "The content moves with the finger: swiping up shows what is below. The swipe starts in the middle of the " +
					"screen or of the element.",
				Args: []actions.Arg{
					{Name: "direction", OneOf: []string{"up", "down", "left", "right"}, Help: "Which way the finger moves"},
					{
						Name:     "distance",
						Kind:     actions.Int,
						Optional: true,
						Default:  "300",
						Help:     "How far, in CSS pixels",
					},
				},
				Flags: []actions.Flag{
					{
						Name:  "selector",
						Short: "s",
						Kind:  actions.String,
						Value: "selector",
						Help:  "The element to swipe on",
					},
					{Name: "steps", Kind: actions.Int, Help: "The number of pointer moves on the way, 1 to 240"},
				},
				Examples: []actions.Example{{Line: "swipe up"}, {Line: "swipe left 200 -s @e4"}},
				Upstream: []string{"swipe <direction> [distance]"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{SwipedResult{}}},
			Run:      swipe,
		},
	}
}

// viewportSize is the size of what the screen shows of a page.
type viewportSize struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

var (
	opAimTouch     = inpage.Define[element.AimArg, element.Aim]("aimTouch")
	opViewportSize = inpage.Define[inpage.None, viewportSize]("viewportSize")
)

func tap(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	aim, err := element.RunOp(ctx, c, t, opAimTouch, element.AimArg{Checks: "pointer"})
	if err != nil {
		return actions.Result{}, err
	}
	return element.OnPage(func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
		data := &TappedResult{Clicked: t.Label, Tapped: t.Label}
		res := actions.Result{Data: data, Text: "✓ Done"}
		at, err := element.Place(ctx, c, t, aim)
		if err != nil {
			return res, err
		}
		if err := element.Reach(ctx, c, tab, t, at); err != nil {
			return res, err
		}
		if err := input.Tap(ctx, tab.Page, at, c.Duration("hold")); err != nil {
			return res, err
		}
		seen, err := element.OpGestureSeen.In(ctx, t.Frame, element.GestureSeenArg{
			First: "touchstart",
			Click: element.LandedPatience.Milliseconds(),
		})
		if err != nil {
			return res, leftDocument(err)
		}
		if seen.Armed != nil {
			c.Note("the tap was sent; the page did not report in time whether " + t.Label + " received it")
			return res, nil
		}
		if !seen.Hit {
			return res, missedGesture(ctx, c, t, &seen)
		}
		if seen.Count["click"] == 0 {
			data.Clicked = "" // a script took the touch
		}
		return res, nil
	})(ctx, c)
}

// swipeSteps is in how many moves a swipe is made, unless the caller says.
const swipeSteps = 8

func swipe(ctx context.Context, c *actions.Call) (actions.Result, error) {
	n, err := steps(c, swipeSteps)
	if err != nil {
		return actions.Result{}, err
	}
	distance := c.Int("distance")
	if distance < 1 {
		return actions.Result{}, grammar.UsageErrorf("Invalid value for <distance>: %d (expected a number above 0)", distance)
	}
	return element.OnPage(func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
		data := &SwipedResult{Swiped: c.String("direction")}
		res := actions.Result{Data: data, Text: "✓ Done"}
		way, err := findSwipeWay(ctx, c, tab, float64(distance))
		if err != nil {
			return res, err
		}
		went := max(abs(way.end.X-way.begin.X), abs(way.end.Y-way.begin.Y))
		data.Distance = went
		if went < float64(distance) {
			c.Note(fmt.Sprintf("the finger moved %g pixels: there is no more room", went))
		}
		if err := element.WatchAround(ctx, c, way.frame); err != nil {
			return res, err
		}
		if err := input.Swipe(ctx, tab.Page, way.begin, fingerWay(way.begin, way.end, n)); err != nil {
			return res, err
		}
		seen, in, err := element.GestureSeen(ctx, c, way.frame, "touchstart")
		if err != nil || seen.Armed != nil {
			return res, leftDocument(err)
		}
		if way.label != "" && !seen.Hit || seen.Count["touchstart"] == 0 {
			return res, missedGesture(ctx, c, &element.Target{Label: orPage(way.label), Frame: way.frame, Tab: tab}, &seen)
		}
		tellScrolled(ctx, c, tab, in, &data.Movement, seen.Scrolled)
		if seen.Nothing() {
			res.Text = "Nothing moved: nothing scrolls that way there, and no script took the swipe"
		}
		return res, nil
	})(ctx, c)
}

// missedGesture makes the error for a finger that reached something else than it was sent to.
func missedGesture(ctx context.Context, c *actions.Call, t *element.Target, seen *element.GestureResult) error {
	doc, err := t.Frame.Document(ctx)
	if err != nil {
		return err
	}
	return element.Failure(ctx, c, t, element.NewFailure(fault.TargetMissed, element.Missing{
		Met: seen.Met,
	}).In(t.Frame, doc))
}

func orPage(label string) string {
	if label == "" {
		return "the page"
	}
	return label
}

func abs(f float64) float64 { return max(f, -f) }

// swipeWay is where a finger begins and ends, and the frame that it begins in.
type swipeWay struct {
	frame      *engine.Frame
	begin, end engine.Point
	label      string // of the element; empty means that the swipe is about none
}

// findSwipeWay finds the way of the finger. The frame watches from then on.
func findSwipeWay(ctx context.Context, c *actions.Call, tab *actions.Tab, distance float64) (way swipeWay, err error) {
	size, err := opViewportSize.In(ctx, tab.Page.Main(), inpage.None{})
	if err != nil {
		return way, err
	}
	middle := engine.Point{X: size.Width / 2, Y: size.Height / 2}
	room := engine.Rect{Width: size.Width, Height: size.Height} // where the finger may begin
	if sel := c.String("selector"); sel != "" {
		t, err := element.Resolve(ctx, c, tab, sel)
		if err != nil {
			return way, err
		}
		aim, err := element.RunOp(ctx, c, t, opAimTouch, element.AimArg{Checks: "hover"})
		if err != nil {
			return way, err
		}
		if middle, err = element.Place(ctx, c, t, aim); err != nil {
			return way, err
		}
		if err := element.Reach(ctx, c, tab, t, middle); err != nil {
			return way, err
		}
		room = engine.Rect{
			X:      middle.X - (aim.X - aim.Rect.X),
			Y:      middle.Y - (aim.Y - aim.Rect.Y),
			Width:  aim.Rect.Width,
			Height: aim.Rect.Height,
		}
		way.frame, way.label = t.Frame, t.Label
	}
	way.begin, way.end = alongWay(c.String("direction"), distance, middle, room, size.Width, size.Height)
	if way.frame != nil {
		return way, nil
	}
	frame, local, err := placement.At(ctx, tab.Page.Main(), way.begin)
	if err != nil {
		return way, err
	}
	_, err = element.OpWatchGesture.In(ctx, frame, element.WatchGestureArg{X: local.X, Y: local.Y})
	way.frame = frame
	return way, err
}

// touchSlop is a little more than what a finger must move before a browser takes that for scrolling. The first move
// counts for nothing else.
const touchSlop = 16

// fingerWay is the way of a finger in n moves, the first of which is no longer than it must be.
func fingerWay(begin, end engine.Point, n int) []engine.Point {
	far := max(abs(end.X-begin.X), abs(end.Y-begin.Y))
	if n < 2 || far/float64(n) < touchSlop {
		return input.Line(begin, end, n)
	}
	part := touchSlop / far
	first := engine.Point{X: begin.X + (end.X-begin.X)*part, Y: begin.Y + (end.Y-begin.Y)*part}
	return append([]engine.Point{first}, input.Line(first, end, n-1)...)
}

// edge is how near a finger comes to the edge of the viewport.
const edge = 2

// alongWay lays a way of a length around the middle so that it begins in the room and both ends are in the viewport,
// shorter if need be.
func alongWay(
	direction string, length float64, middle engine.Point, room engine.Rect, width, height float64,
) (begin, end engine.Point) {
	begin, end = middle, middle
	switch direction {
	case "up":
		begin.Y, end.Y = along(middle.Y, -length, room.Y, room.Y+room.Height, height)
	case "down":
		begin.Y, end.Y = along(middle.Y, length, room.Y, room.Y+room.Height, height)
	case "left":
		begin.X, end.X = along(middle.X, -length, room.X, room.X+room.Width, width)
	case "right":
		begin.X, end.X = along(middle.X, length, room.X, room.X+room.Width, width)
	}
	return begin, end
}

func along(middle, length, from, to, limit float64) (begin, end float64) {
	low, high := max(from+edge, edge), min(to-edge, limit-edge)
	begin = clamp(middle-length/2, low, high)
	if room := begin + length; room < edge || room > limit-edge {
		begin = clamp(begin-(room-clamp(room, edge, limit-edge)), low, high)
	}
	return begin, clamp(begin+length, edge, limit-edge)
}

func clamp(v, low, high float64) float64 {
	if high < low {
		return (low + high) / 2
	}
	return min(max(v, low), high)
}
