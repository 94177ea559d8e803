package pointer

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func pointerCommands() []actions.Command {
	return []actions.Command{
		clickCommand(), doubleClickCommand(),
		{
			Spec: actions.Spec{
				Name: "hover",
				Synonyms: []string{
					"mouse-over",
					"mouseover",
				},
				Group:    actions.GroupActions,
				Summary:  "Move the pointer over an element",
				Args:     []actions.Arg{element.SelectorOrPoint()},
				Flags:    []actions.Flag{element.PositionFlag(), element.AtFlag(), element.ShotFlag(), element.ForceFlag()},
				Upstream: []string{"hover <sel>", "hover <selector>"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{
				Data: []any{HoveredResult{}},
				Tools: []actions.AgentTool{{
					Name:   "browser_hover",
					Title:  "Hover",
					About:  "Move the pointer over an element.",
					Params: []actions.Param{{Name: "selector"}},
				}},
				Playwright: []string{"await {selector}.hover();"},
			},
			Run: element.OnTarget(Hover),
		},
	}
}

// hoverTries is how often the pointer is moved to what was at rest, and did not get it.
const hoverTries = 3

// Hover moves the pointer over an element and checks that it is there.
func Hover(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	position, err := element.ClickPosition(c)
	if err != nil {
		return actions.Result{}, err
	}
	start, patience := time.Now(), c.Patience()
	how := element.AimOptions{Checks: "hover", Events: []string{"mousemove"}, Position: position}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	for tries := 1; ; tries++ {
		aim, err := element.AimAt(ctx, c, t, how)
		if err != nil {
			return actions.Result{}, err
		}
		at, err := element.Place(ctx, c, t, aim)
		if err != nil {
			return actions.Result{}, err
		}
		run.Start(c, tab)
		err = hoverAt(watched, c, tab, t, aim, at)
		// What has moved before the pointer came is followed; what runs away from the pointer is not, for long.
		left := patience - time.Since(start)
		if fault.Is(err, fault.TargetMissed) && !c.Bool("force") && left >= time.Millisecond &&
			(aim.Moving || tries < hoverTries) {
			how.Settle, how.Patience = true, left
			continue
		}
		if err != nil {
			if err := run.Interrupted(c, tab, err); err != nil {
				return actions.Result{}, err
			}
		}
		if err := run.Settle(ctx, c, tab); err != nil {
			return actions.Result{}, err
		}
		data := HoveredResult{Hovered: t.Label, Element: element.AtPoint(c, t, aim)}
		return actions.Result{Data: data, Text: element.DoneAt("the pointer is on", data.Element)}, nil
	}
}

// hoverAt moves the pointer to where the target is, and makes sure that it has come to it.
func hoverAt(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, aim *element.Aim, at engine.Point,
) error {
	if t.Frame.Remote() {
		return element.PointAt(ctx, c, tab, t, aim, at)
	}
	behind := element.PointedBehind(c, t, aim)
	if err := input.Hover(ctx, tab.Page, at, behind.Sent); err != nil {
		return err
	}
	switch seen, err := element.Pointed(ctx, c, t, aim, true, behind); {
	case engine.IsNavigated(err), err == nil && seen.Armed != nil:
		return nil // the page left the document when the pointer came
	case err != nil:
		return err
	case !seen.Pointed && !seen.Came:
		return element.NotPointed(t)
	case !seen.Pointed:
		c.Note("the pointer came to " + t.Label + ", which has moved on since")
	}
	return nil
}
