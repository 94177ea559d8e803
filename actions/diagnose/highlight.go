package diagnose

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/highlight"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func highlightCommand() actions.Command {
	selector := actions.SelectorArg()
	selector.Optional = true
	return actions.Command{
		Spec: actions.Spec{
			Name:    "highlight",
			Group:   actions.GroupDiagnosis,
			Summary: "Outline an element, to show it to people and in screenshots",
			Help: "The element is scrolled into view. Its attributes and the document are not touched. The outline stays " +
				"until `highlight --clear` or until the page is left.",
			Args:     []actions.Arg{selector},
			Flags:    []actions.Flag{{Name: "clear", Kind: actions.Bool, Help: "Remove all highlights of the tab"}},
			Examples: []actions.Example{{Line: "highlight @e4"}, {Line: "highlight --clear"}},
			Upstream: []string{"highlight <sel>", "highlight <selector>"},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads | actions.Mutates},
		Safety:   actions.Safety{Families: policy.Does()},
		Showing:  actions.Showing{Refs: trait.Refs{Kept: true}},
		Bindings: actions.Bindings{Data: []any{Highlighted{}, actions.Given("clear", Cleared{})}},
		Run:      runHighlight,
	}
}

func runHighlight(ctx context.Context, c *actions.Call) (actions.Result, error) {
	selector := c.String("selector")
	switch {
	case c.Bool("clear") && selector != "":
		return actions.Result{}, c.Invalid("--clear removes all highlights of the tab: leave out the selector.")
	case !c.Bool("clear") && selector == "":
		return actions.Result{}, c.Missing("selector")
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if c.Bool("clear") {
		return actions.Result{Data: Cleared{true}, Text: "✓ Highlights removed"}, highlight.Clear(watched, tab.Page)
	}
	t, err := element.Resolve(watched, c, tab, selector)
	if err != nil {
		return actions.Result{}, err
	}
	el, err := element.ScrollIntoView(watched, c, t)
	if err != nil {
		return actions.Result{}, err
	}
	err = highlight.Element(watched, t.Frame, t.Doc, el.Token)
	if engine.IsNavigated(err) {
		return actions.Result{}, fault.New(fault.SelectorNotFound, "Element '%s' went away before it could be highlighted.",
			t.Label).About(t.Label)
	}
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: Highlighted{selector}, Text: "✓ Done"}, nil
}
