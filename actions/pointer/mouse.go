package pointer

import (
	"context"
	"fmt"
	"slices"
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

func mouseCommands() []actions.Command {
	button := actions.Arg{
		Name:     "button",
		Optional: true,
		Default:  "left",
		OneOf:    []string{"left", "right", "middle", "back", "forward"},
		Help:     "Which button",
	}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "mouse move",
				Group:   actions.GroupPointer,
				Summary: "Move the pointer to a point of the viewport",
				Help: "Held buttons and modifier keys stay held: down, move and up make a drag. `mouse down` and `mouse wheel` " +
					"act where the pointer is.",
				Args: []actions.Arg{
					{Name: "x", Kind: actions.Number, Help: "CSS pixels from the left edge"},
					{Name: "y", Kind: actions.Number, Help: "CSS pixels from the top edge"},
				},
				Flags: []actions.Flag{
					{Name: "steps", Kind: actions.Int, Help: "The number of pointer moves on the way, 1 to 240"},
					{Name: "duration", Kind: actions.Duration, Value: "ms", Help: "How long the move takes"},
					element.HumanFlag(),
					{Name: "seed", Kind: actions.Int, Value: "n", Help: "With --human: make the path the same each time"},
				},
				Examples: []actions.Example{{Line: "mouse move 200 150"}, {Line: "mouse move 400 150 --duration 500"}},
				Upstream: []string{"mouse move <x> <y>", "mouse <subcommand> [args]"},
				Heading:  "Mouse:  agent-browser mouse <action> [args]",
			},
			Schedule: actions.Schedule{
				Effect:  actions.InTab | actions.Mutates,
				AtLeast: func(in *actions.Input) time.Duration { return in.Duration("duration") },
			},
			Safety:   actions.Safety{Action: "mousemove", Families: policy.Does(policy.ActsByPointer)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{MovedResult{}}},
			Run:      mouseMove,
		},
		{
			Spec: actions.Spec{
				Name:     "mouse down",
				Group:    actions.GroupPointer,
				Summary:  "Press a mouse button and hold it",
				Args:     []actions.Arg{button},
				Upstream: []string{"mouse down [btn]", "mouse down [button]"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety: actions.Safety{
				Action: "mousedown", Families: policy.Does(policy.ActsByPointer), Like: []string{policy.Click}, Blind: true,
			},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{PressedResult{}}},
			Run:      mouseDown,
		},
		{
			Spec: actions.Spec{
				Name:     "mouse up",
				Group:    actions.GroupPointer,
				Summary:  "Release a mouse button",
				Args:     []actions.Arg{button},
				Upstream: []string{"mouse up [btn]", "mouse up [button]"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety: actions.Safety{
				Action: "mouseup", Families: policy.Does(policy.ActsByPointer), Like: []string{policy.Click}, Blind: true,
			},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{ReleasedResult{}}},
			Run:      mouseUp,
		},
		{
			Spec: actions.Spec{
				Name:    "mouse wheel",
				Group:   actions.GroupPointer,
				Summary: "Turn the wheel where the pointer is",
				Help: "The reply says what it scrolled, or that a script of the page handled it, as on maps and drawings. A " +
					"pointer that was never moved is in the middle of the viewport.",
				Args: []actions.Arg{
					{Name: "dy", Kind: actions.Number, Help: "How far down, in CSS pixels; negative is up"},
					{
						Name:     "dx",
						Kind:     actions.Number,
						Optional: true,
						Default:  "0",
						Help:     "How far to the right",
					},
				},
				Examples: []actions.Example{{Line: "mouse wheel 240"}, {Line: "mouse wheel 0 -100", Note: "to the left"}},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates},
			Safety:   actions.Safety{Action: "wheel", Families: policy.Does(policy.ActsByPointer)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{WheelResult{}}},
			Run:      mouseWheel,
		},
	}
}

// mostSteps is upstream's bound for the moves of one way.
const mostSteps = 240

// steps returns in how many moves to make a way, from --steps, else from --duration.
func steps(c *actions.Call, fallback int) (int, error) {
	over := c.Duration("duration")
	switch n := c.Int("steps"); {
	case c.Has("steps") && (n < 1 || n > mostSteps):
		return 0, grammar.UsageErrorf("Invalid value for --steps: %d (expected 1 to %d)", n, mostSteps)
	case c.Has("steps"):
		return n, nil
	case over > 0:
		return min(max(int(over/element.FrameTime), 1), mostSteps), nil
	}
	return fallback, nil
}

func mouseMove(ctx context.Context, c *actions.Call) (actions.Result, error) {
	n, err := steps(c, 1)
	if err != nil {
		return actions.Result{}, err
	}
	to := engine.Point{X: c.Float("x"), Y: c.Float("y")}
	return element.OnPage(func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
		from := input.MouseOf(tab.Page).At
		res := actions.Result{Data: MovedResult{true, to.X, to.Y}, Text: "✓ Done"}
		way, over := element.MousePath(c, from, to, n)
		if len(way) > 1 || over > 0 {
			return res, input.MoveMouse(ctx, tab.Page, way, over)
		}
		behind := element.FlushBehind(c, tab, "mousemove", 1)
		if err := input.MoveMouse(ctx, tab.Page, way, over, behind.Sent); err != nil {
			return res, err
		}
		return res, element.Flush(ctx, c, tab, behind)
	})(ctx, c)
}

func mouseDown(ctx context.Context, c *actions.Call) (actions.Result, error) {
	return element.OnPage(func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
		data := PressedResult{Pressed: true}
		err := input.PressMouse(ctx, tab.Page, c.String("button"))
		data.Held = input.MouseOf(tab.Page).Held
		return actions.Result{Data: data, Text: "✓ Done"}, err
	})(ctx, c)
}

func mouseUp(ctx context.Context, c *actions.Call) (actions.Result, error) {
	return element.OnPage(func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
		button := c.String("button")
		if held := input.MouseOf(tab.Page).Held; !slices.Contains(held, button) {
			c.Note("the " + button + " button was not held")
		}
		return actions.Result{Data: ReleasedResult{true}, Text: "✓ Done"}, input.ReleaseMouse(ctx, tab.Page, button)
	})(ctx, c)
}

func mouseWheel(ctx context.Context, c *actions.Call) (actions.Result, error) {
	return element.OnPage(func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
		dx, dy := c.Float("dx"), c.Float("dy")
		data := &WheelResult{DeltaX: dx, DeltaY: dy}
		res := actions.Result{Data: data, Text: "✓ Done"}
		at, err := pointerPlace(ctx, c, tab)
		if err != nil {
			return res, err
		}
		frame, local, err := placement.At(ctx, tab.Page.Main(), at)
		if err != nil {
			return res, err
		}
		if _, err := element.OpWatchGesture.In(ctx, frame, element.WatchGestureArg{X: local.X, Y: local.Y}); err != nil {
			return res, err
		}
		if err := element.WatchAround(ctx, c, frame); err != nil {
			return res, err
		}
		if err := input.Wheel(ctx, tab.Page, dx, dy); err != nil {
			return res, err
		}
		seen, in, err := element.GestureSeen(ctx, c, frame, "wheel")
		if err != nil || seen.Armed != nil {
			return res, leftDocument(err)
		}
		tellScrolled(ctx, c, tab, in, &data.Movement, seen.Scrolled)
		switch {
		case len(seen.Scrolled) > 0:
		case len(seen.Prevented) > 0:
			data.Taken = seen.On
			res.Text = "✓ Done: a script of <" + seen.On + "> took the wheel"
		case seen.Count["wheel"] == 0:
			return res, fault.New(fault.TargetMissed, "The wheel was turned at %g,%g, but the page did not receive it.", at.X,
				at.Y).
				WithHint("Move the pointer over the element that should scroll with `mouse move` or `hover`.")
		case !seen.Changed:
			res.Text = fmt.Sprintf("Nothing moved: nothing under the pointer at %g,%g scrolls that way", at.X, at.Y)
		}
		return res, nil
	})(ctx, c)
}

// leftDocument forgives an op that the page ended by leaving the document.
func leftDocument(err error) error {
	if engine.IsNavigated(err) || fault.Is(err, fault.FrameGone) {
		return nil
	}
	return err
}

// pointerPlace returns where the pointer is. One that was never moved is put into the middle of the viewport.
func pointerPlace(ctx context.Context, c *actions.Call, tab *actions.Tab) (engine.Point, error) {
	at := input.MouseOf(tab.Page).At
	if at != (engine.Point{}) {
		return at, nil
	}
	size, err := opViewportSize.In(ctx, tab.Page.Main(), inpage.None{})
	if err != nil {
		return at, err
	}
	at = engine.Point{X: size.Width / 2, Y: size.Height / 2}
	return at, input.MoveMouse(ctx, tab.Page, []engine.Point{at}, 0)
}
