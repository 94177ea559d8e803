package annotations

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
)

// Commands returns the commands of annotations.
func Commands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "annotations",
				Group:   actions.GroupLive,
				Summary: "List what a person has drawn and written on the page in the dashboard",
				Help: "A person draws boxes, arrows and points on a picture of the page (\"Annotate\" in the dashboard) and " +
					"writes what they mean. Of each mark the reply has its rectangle in the page, the elements below it with their " +
					"refs, and the person's words; of each picture its file, with the marks drawn in, and its id for --shot. It " +
					"says what changed in the page since then. Another command's reply tells once that there is something new.",
				Examples: []actions.Example{{Line: "annotations"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles), PageText: true},
			Showing:  actions.Showing{Brief: actions.OfResult(brief)},
			Bindings: actions.Bindings{Data: []any{Annotations{}}},
			Run:      runList,
		},
		{
			Spec: actions.Spec{
				Name:    "annotations wait",
				Group:   actions.GroupLive,
				Summary: "Wait until a person has annotated the page",
				Help: "Replies at once if there is something that was not read. --timeout is how long to wait; 5 minutes " +
					"when not given. If nothing comes, the reply says so.",
				Examples: []actions.Example{{Line: "annotations wait --timeout 10m"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, AtLeast: run.PersonTime},
			Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles), PageText: true},
			Showing:  actions.Showing{Brief: actions.OfResult(brief)},
			Bindings: actions.Bindings{Data: []any{Annotations{}}},
			Run:      runWait,
		},
		{
			Spec: actions.Spec{
				Name:    "annotations add",
				Group:   actions.GroupLive,
				Summary: "Show a person an element or a place of the page, with words, in the dashboard",
				Help: "The mark is in the dashboard's live view, not in the page, and follows the element. It goes when its " +
					"tab is closed, or with `annotations clear`.",
				Args: []actions.Arg{{Name: "text", Kind: actions.Text, Kept: true, Help: "What to say about it"}},
				Flags: []actions.Flag{
					{Name: "at", Value: "selector", Help: "The element"},
					{
						Name:  "box",
						Kept:  true,
						Value: "x,y,width,height",
						Help:  "A part of the page, in CSS pixels from its top left corner",
					},
				},
				Examples: []actions.Example{{Line: `annotations add "Is this the right plan?" --at @e4`}, {
					Line: `annotations add "Here the total is wrong" --box 20,640,300,80`,
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{Shown{}}},
			Run:      runAdd,
		},
		{
			Spec: actions.Spec{
				Name:    "annotations clear",
				Group:   actions.GroupLive,
				Summary: "Remove annotations, all of them when none is named",
				Args: []actions.Arg{{
					Name:     "ids",
					Kind:     actions.Text,
					Kept:     true,
					Optional: true,
					Help:     "Ids of annotations",
				}},
				Examples: []actions.Example{{Line: "annotations clear"}, {Line: "annotations clear a1 a3"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Cleared{}}},
			Run:      runClear,
		},
	}
}
