package actions

import (
	"context"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
)

func highlightCommand() Command {
	selector := selectorArg()
	selector.Optional = true
	return Command{
		Name:     "highlight",
		Upstream: []string{"highlight <sel>", "highlight <selector>"},
		Group:    GroupDiagnosis, Summary: "Outline an element, so that people and pictures see which it is",
		Help: "The element is scrolled into view. Its attributes and the document are not touched. The outline stays until `highlight --clear` or until " +
			"the page is left.",
		Args:   []Arg{selector},
		Flags:  []Flag{{Name: "clear", Kind: Bool, Help: "Take all highlights of the tab back"}},
		Effect: Reads | Mutates, Refs: trait.Refs{Kept: true}, Run: runHighlight,
		Examples: []Example{{Line: "highlight @e4"}, {Line: "highlight --clear"}},
		Policy:   Policy{Families: policy.Does()},
	}
}

func runHighlight(ctx context.Context, c *Call) (Result, error) {
	selector := c.String("selector")
	switch {
	case c.Bool("clear") && selector != "":
		return Result{}, c.Invalid("--clear takes all highlights of the tab back: leave the selector out.")
	case !c.Bool("clear") && selector == "":
		return Result{}, c.Missing("selector")
	}
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if c.Bool("clear") {
		return Result{Data: map[string]any{"cleared": true}, Text: "✓ Highlights removed"}, tab.Page.ClearHighlights(watched)
	}
	t, err := c.resolve(watched, tab, selector)
	if err != nil {
		return Result{}, err
	}
	var el scrolled
	if err := c.run(watched, t, "scrollIntoView", nil, &el); err != nil {
		return Result{}, err
	}
	err = t.frame.Highlight(watched, t.doc, el.Token)
	if engine.IsNavigated(err) {
		return Result{}, fault.New(fault.SelectorNotFound, "Element '%s' went away before it could be highlighted.", t.label).About(t.label)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"highlighted": selector}, Text: "✓ Done"}, nil
}
