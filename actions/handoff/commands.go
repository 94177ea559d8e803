package handoff

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
)

// Commands returns the commands that hand a session to a person.
func Commands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "handoff",
				Group:   actions.GroupLive,
				Summary: "Ask a person to do something in the page, and wait for it",
				Help: "Prints a secret address on standard error. It shows the live page to a person, who can click and type " +
					"there and says \"Done\" or " +
					"\"I cannot\". Other commands on the session's pages wait meanwhile. The reply says what the person did: which " +
					"fields were changed, " +
					"without their values, and the address and the title if they changed.\n\n" +
					"--timeout is how long the person may take; 5 minutes when not given. MCP clients that can ask their user show " +
					"the request and the " +
					"address. Where no person can be told while the command waits, it replies at once, as with --detach: tell the " +
					"address to a person, then run " +
					"`handoff wait`.",
				Args: []actions.Arg{{Name: "text", Kind: actions.Text, Kept: true, Help: "What the person is to do"}},
				Flags: []actions.Flag{
					{
						Name:  "at",
						Value: "selector",
						Help:  "The element that is meant: it gets an outline, and the person is told its name",
					},
					{
						Name: "detach",
						Kind: actions.Bool,
						Help: "Reply at once with the address; wait for the person later with `handoff wait`",
					},
				},
				Examples: []actions.Example{{Line: `handoff "Enter the code from your phone" --at @e3 --timeout 10m`}, {
					Line: `handoff "Solve the check" --detach`,
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Mutates | actions.Navigates, AtLeast: run.PersonTime},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing: actions.Showing{
				Traits: trait.LookAgain | trait.Once,
				Brief:  actions.OfResult(brief),
				Next:   actions.OfResult(next),
			},
			Bindings: actions.Bindings{Data: []any{Handoff{}}},
			Run:      runHandoff,
		},
		{
			Spec: actions.Spec{
				Name:    "handoff wait",
				Group:   actions.GroupLive,
				Summary: "Wait for the person to whom the session was handed",
				Help: "Says how the handoff ended, also if that was before. If the person still has time when --timeout is " +
					"over, the reply says \"waiting\".",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, AtLeast: run.PersonTime},
			Safety:   actions.Safety{Families: policy.Does(), PageText: true},
			Showing:  actions.Showing{Brief: actions.OfResult(brief), Next: actions.OfResult(next)},
			Bindings: actions.Bindings{Data: []any{Handoff{}, None{}}},
			Run:      runWait,
		},
		{
			Spec: actions.Spec{
				Name: "handoff status", Group: actions.GroupLive,
				Summary: "Print whether the session waits for a person, and where",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does(), PageText: true},
			Showing:  actions.Showing{Brief: actions.OfResult(brief)},
			Bindings: actions.Bindings{Data: []any{Handoff{}, None{}}},
			Run: func(_ context.Context, c *actions.Call) (actions.Result, error) {
				return result(c.Live.Handoffs().Current()), nil
			},
		},
		{
			Spec: actions.Spec{
				Name:    "handoff cancel",
				Group:   actions.GroupLive,
				Summary: "Take the session back from the person",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does(), PageText: true},
			Showing:  actions.Showing{Traits: trait.Sets, Brief: actions.OfResult(brief)},
			Bindings: actions.Bindings{Data: []any{Handoff{}, None{}}},
			Run:      runCancel,
		},
	}
}
