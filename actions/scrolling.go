package actions

import (
	"context"
)

func scrollingCommands() []Command {
	return []Command{
		{
			Name: "scroll", Group: actionGroup, Summary: "Scroll the page or an element",
			Args: []Arg{
				{Name: "direction", Optional: true, Default: "down", OneOf: []string{"up", "down", "left", "right"}, Help: "Which way"},
				{Name: "pixels", Kind: Int, Optional: true, Default: "300", Help: "How far, in CSS pixels"},
			},
			Flags:  []Flag{{Name: "selector", Short: "s", Kind: String, Value: "selector", Help: "The element to scroll instead of the page"}},
			Effect: Mutates, Run: runScroll,
		},
		{
			Name: "scrollintoview", Aliases: []string{"scrollinto"}, Group: actionGroup, Summary: "Scroll until an element is in view",
			Args: []Arg{selectorArg()}, Effect: Mutates, Run: onTarget((*Call).runScrollIntoView),
		},
	}
}

// scrolled is the result of the in-page ops scroll and scrollIntoView.
type scrolled struct {
	located
	Moved bool `json:"moved"`
}

func runScroll(ctx context.Context, c *Call) (Result, error) {
	dx, dy := 0, c.Int("pixels")
	switch c.String("direction") {
	case "up":
		dy = -dy
	case "left":
		dx, dy = -dy, 0
	case "right":
		dx, dy = dy, 0
	}
	tab, err := c.page(ctx)
	if err != nil {
		return Result{}, err
	}
	var res scrolled
	arg := map[string]any{"dx": dx, "dy": dy}
	if sel := c.String("selector"); sel != "" {
		t, err := c.resolve(ctx, tab, sel)
		if err != nil {
			return Result{}, err
		}
		err = c.run(ctx, t, "scroll", arg, &res)
		if err != nil {
			return Result{}, err
		}
	} else if err := tab.Page.Main().Call(ctx, "scroll", arg, &res); err != nil {
		return Result{}, err
	}
	text := "✓ Done"
	if !res.Moved {
		text = "Nothing moved: there is nothing to scroll " + c.String("direction")
	}
	return Result{Data: map[string]any{"scrolled": res.Moved}, Text: text}, nil
}

func (c *Call) runScrollIntoView(ctx context.Context, _ *Tab, t *target) (Result, error) {
	var res scrolled
	if err := c.run(ctx, t, "scrollIntoView", nil, &res); err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"scrolled": t.label}, Text: "✓ Done"}, nil
}
