package tabs

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
)

func frameCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "frame",
			Group:   actions.GroupTabs,
			Summary: "Choose the frame that selectors look in",
			Help: "Selectors and locators of the commands that follow look in this frame of the tab, until another one is " +
				"chosen; `frame main` is the " +
				"page itself. A frame is given by its name or id, by a ref or selector of its element, or by a part of its " +
				"address. It is looked for in the " +
				"frame that is chosen now, so a nested frame takes two steps.\n\n" +
				"Refs work without this command, because each knows its frame. Snapshots without -s show the whole page, and " +
				"scripts (eval, wait --fn) run in the top frame. When " +
				"the chosen frame is removed from the page, selectors fail until you choose another one.",
			Args: []actions.Arg{{
				Name:  "selector",
				Value: "selector|main",
				Kind:  actions.Selector,
				Help:  "A name, id, ref, selector or part of an address; main for the page itself",
			}},
			Examples: []actions.Example{{Line: "frame payment"}, {Line: `frame "iframe[title=Checkout]"`}, {Line: "frame @e7"}, {
				Line: "frame main",
			}},
			Upstream: []string{"frame <selector|main>", "frame <selector>", "frame main"},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads, Steps: true},
		Safety:   actions.Safety{Action: "frame mainframe", Acts: frameAction, Families: policy.Does()},
		Showing:  actions.Showing{Traits: trait.Once},
		Bindings: actions.Bindings{Data: []any{FrameResult{}}},
		Run:      runFrame,
	}
}

// frameAction is agent-browser's word for what a frame command does.
func frameAction(in *actions.Input) string {
	if in.String("selector") == "main" {
		return "mainframe"
	}
	return "frame"
}

func runFrame(ctx context.Context, c *actions.Call) (actions.Result, error) {
	word := c.String("selector")
	if strings.TrimSpace(word) == "" {
		return actions.Result{}, element.InvalidSelector(word, "The selector is empty.")
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if word == "main" {
		element.ChooseFrame(tab, nil)
		return actions.Result{Data: FrameResult{Frame: "main"}, Text: "✓ Done"}, nil
	}
	from := tab.Page.Main()
	if now := element.ChosenFrame(tab); now != nil && now.Frame.Gone() {
		c.Note("the frame " + now.Label + ", which was chosen before, is gone; " + word + " was looked for in the whole page")
	} else if now != nil {
		from = now.Frame
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	frame, err := element.FindFrame(watched, c, tab, from, word)
	if err != nil {
		return actions.Result{}, err
	}
	element.ChooseFrame(tab, &element.FrameChoice{Frame: frame, Label: word})
	name := frame.Name()
	if name == "" {
		name = word
	}
	return actions.Result{Data: FrameResult{name, new(frame.URL())}, Text: "✓ Done"}, nil
}
