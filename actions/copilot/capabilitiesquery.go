package copilot

import (
	"context"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

func capabilitiesQueryCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "capabilities query",
			Group:   actions.GroupCopilot,
			Summary: "Find what the page offers by words",
			Help: "Prints the best matches first, with a score from 0 to 1 and ids for other commands, and includes what the " +
				"summary has no room for. It searches labels, addresses, fields and kinds, and tolerates misspellings. A word " +
				"for a kind, in any of several languages, finds everything of that kind. Separate several texts with a bar to " +
				"search for all of them. What a person does not see comes last.",
			Args: []actions.Arg{{
				Name:     "text",
				Kind:     actions.Text,
				Optional: true,
				Kept:     true,
				Help:     "The text to search for; without it the most relevant items come first",
			}},
			Flags: []actions.Flag{
				{
					Name:  "kind",
					Kind:  actions.List,
					Value: "kind",
					OneOf: []string{pcd.CandidateAction, pcd.CandidateForm, pcd.CandidateCollection, pcd.CandidateField},
					Help:  "Only action, form, collection or field; several with commas. Fields are searched when named here",
				},
				{
					Name:    "top",
					Kind:    actions.Int,
					Value:   "n",
					Default: "20",
					Help:    "How many results at most",
				},
			},
			Examples: []actions.Example{{Line: "capabilities query invoices"}, {
				Line: `capabilities query "invoice|billing|statement" --kind action,form --top 5`,
			}},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
		Safety:   actions.Safety{Families: policy.Does()},
		Bindings: actions.Bindings{Data: []any{QueryResult{}}},
		Run:      runCapabilitiesQuery,
	}
}

func runCapabilitiesQuery(ctx context.Context, c *actions.Call) (actions.Result, error) {
	top := c.Int("top")
	if top < 1 {
		return actions.Result{}, c.Invalid("--top takes a number above 0, got " + c.String("top"))
	}
	_, page, err := offers(ctx, c, false)
	if err != nil {
		return actions.Result{}, err
	}
	found := pcd.Query(everything(page), pcd.Question{Text: c.String("text"), Of: c.Strings("kind"), Top: top})
	lines := make([]string, len(found))
	for i, f := range found {
		var b summaryText
		b.line(fmt.Sprintf("- %.2f", f.Score), "@"+f.ID, f.Of, wording.Quote(f.Label),
			b.notes(f.Kind, string(f.Landmark), flagged(f.Unseen, "unseen")))
		lines[i] = strings.TrimSuffix(b.String(), "\n")
	}
	if len(lines) == 0 {
		lines = []string{"Nothing on the page matches."}
	}
	return actions.Result{Data: QueryResult{found}, Text: strings.Join(lines, "\n")}, nil
}

// everything is what a page offers, without the caps of its summary. What several items of a collection have under one
// label is there once.
func everything(page *perceive.Page) *pcd.Summary {
	s := &pcd.Summary{
		Actions:     make([]pcd.Action, 0, len(page.Actions)),
		Forms:       make([]pcd.Form, len(page.Forms)),
		Collections: make([]pcd.Collection, len(page.Collections)),
	}
	type repeated struct {
		collection  int
		role, label string
	}
	seen := map[repeated]bool{}
	for i := range page.Actions {
		a := &page.Actions[i]
		if key := (repeated{a.Collection, a.Role, a.Label}); a.Collection >= 0 {
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		s.Actions = append(s.Actions, a.Action)
	}
	for i := range page.Forms {
		s.Forms[i] = page.Forms[i].Form
	}
	for i := range page.Collections {
		s.Collections[i] = page.Collections[i].Collection
	}
	return s
}
