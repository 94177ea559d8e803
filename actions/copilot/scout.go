package copilot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	captures "github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/copilot/model"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/copilot/scout"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// rulesChooser is the value of --by for the rules.
const rulesChooser = "rules"

func scoutCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "scout",
			Group:   actions.GroupCopilot,
			Summary: "Find the elements that a goal may mean",
			Help: "For a goal that several elements of the page may meet: prints at most " + fmt.Sprint(scout.MaxBindings) +
				", the best first, each with a confidence from 0 to 1, the risk " +
				"of using it, the reason, and selectors that match only that element. It only looks: at the summary of the page, " +
				"queries of it, details and " +
				"pictures of candidates. What a person does not see is never among them. A goal that is ambiguous is marked: the " +
				"first is not clearly meant.\n\n" +
				"A language model chooses if one is configured (see `chat`), else rules do. Each element that a model names is " +
				"checked against the page: one " +
				"that the page does not have, hides, or has several times is dropped, with the reason. If the model fails, the " +
				"rules choose, and a note " +
				"says so. Rules and model can raise a risk, and a model cannot lower it.",
			Args: []actions.Arg{{Name: "goal", Kind: actions.Text, Help: "The goal, in a sentence or in words"}},
			Flags: []actions.Flag{
				{
					Name:  "by",
					OneOf: []string{rulesChooser, modelPlanner},
					Help:  "What chooses; a model that is named here and fails is an error",
				},
				{Name: "model", Value: "name", Help: "The language model, as its endpoint calls it"},
				{
					Name:  "kind",
					Kind:  actions.List,
					Value: "kind",
					OneOf: []string{pcd.CandidateAction, pcd.CandidateForm, pcd.CandidateCollection, pcd.CandidateField},
					Help:  "Only action, form, collection or field; several with commas",
				},
				{
					Name:    "top",
					Kind:    actions.Int,
					Value:   "n",
					Default: fmt.Sprint(scout.MaxBindings),
					Help:    "How many results at most",
				},
			},
			Examples: []actions.Example{{Line: `scout "download last month's invoice"`}, {
				Line: `scout "email address" --kind field --by rules`,
			}},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
		Safety:   actions.Safety{Families: policy.Does()},
		Bindings: actions.Bindings{
			Data: []any{scout.Bundle{}},
			Tools: []actions.AgentTool{{
				Name:     "browser_scout",
				Title:    "Find what a goal means",
				ReadOnly: true,
				About: "The elements of the page that a goal may mean, at most five, each with selectors, confidence, risk and " +
					"reason. For goals that several elements meet.",
				Params: []actions.Param{{Name: "goal"}, {Name: "kind"}, {Name: "top", Least: 1, Most: scout.MaxBindings}},
			}},
		},
		Run: runScout,
	}
}

func runScout(ctx context.Context, c *actions.Call) (actions.Result, error) {
	top, goal := c.Int("top"), strings.TrimSpace(c.String("goal"))
	switch {
	case goal == "":
		return actions.Result{}, c.Invalid("The goal is empty: say what is looked for.")
	case top < 1 || top > scout.MaxBindings:
		return actions.Result{}, c.Invalid(fmt.Sprintf("--top takes a number from 1 to %d, got %s", scout.MaxBindings,
			c.String("top")))
	}
	s := &scout.Scout{Page: scouted{c}, Must: c.Has("by") || c.Has("model")}
	if !c.Has("by") || c.String("by") == modelPlanner {
		client, err := model.Open(c.Getenv, c.String("model"))
		switch {
		case err == nil:
			defer client.Close()
			s.Chooser = &model.Scout{Model: client}
		case s.Must || !fault.Is(err, fault.ModelFailed): // which says that none is configured
			return actions.Result{}, err
		}
	}
	b, err := s.Find(ctx, scout.Question{Goal: goal, Of: c.Strings("kind"), Top: top})
	if err != nil {
		return actions.Result{}, err
	}
	for _, note := range b.Notes {
		c.Note(note)
	}
	return actions.Result{Data: b, Text: bundleText(b)}, nil
}

// scouted is the active tab's page as a scout sees it.
type scouted struct{ call *actions.Call }

var _ scout.Page = scouted{}

// Summary returns what the page offers.
func (s scouted) Summary(ctx context.Context) (*pcd.Summary, error) {
	_, page, err := offers(ctx, s.call, false)
	if err != nil {
		return nil, err
	}
	return page.Summary, nil
}

// Query finds what the page offers by words, including what the summary has no room for.
func (s scouted) Query(ctx context.Context, q pcd.Question) ([]pcd.Candidate, error) {
	_, page, err := offers(ctx, s.call, false)
	if err != nil {
		return nil, err
	}
	return pcd.Query(everything(page), q), nil
}

// Alike returns the actions with the given label in all items of a list.
func (s scouted) Alike(ctx context.Context, id string) (scout.Alike, error) {
	tab, page, err := offers(ctx, s.call, false)
	if err != nil {
		return scout.Alike{}, err
	}
	at := slices.IndexFunc(page.Actions, func(a perceive.Action) bool { return a.ID == id })
	if at < 0 || page.Actions[at].Collection < 0 {
		return scout.Alike{}, nil
	}
	one := &page.Actions[at]
	urls := map[string]string{} // by id
	for i := range page.Actions {
		if a := &page.Actions[i]; a.Collection == one.Collection && a.Role == one.Role && a.Label == one.Label && !a.Unseen {
			urls[a.ID] = a.URL
		}
	}
	if len(urls) < 2 {
		return scout.Alike{}, nil
	}
	rows, err := page.Rows(ctx, tab.Page, &page.Collections[one.Collection], perceive.RowsOptions{Limit: mostScouted})
	if err != nil {
		return scout.Alike{}, err
	}
	return scout.AlikeIn(rows, one.Label, func(id string) (string, bool) { url, ok := urls[id]; return url, ok }), nil
}

// mostScouted is how many items of a list are compared with a goal.
const mostScouted = 500

// Details returns how elements are found.
func (s scouted) Details(ctx context.Context, ids ...string) ([]pcd.Detail, error) {
	return detailsOf(ctx, s.call, ids)
}

// Picture returns what is in view, with boxes around the elements.
func (s scouted) Picture(ctx context.Context, ids ...string) (scout.Picture, error) {
	tab, _, err := offers(ctx, s.call, false)
	if err != nil {
		return scout.Picture{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	targets, err := elements(watched, s.call, tab, ids)
	if err != nil {
		return scout.Picture{}, err
	}
	if len(targets) == 0 {
		return scout.Picture{}, errors.New("no ids are given")
	}
	shot := &captures.Shot{}
	shot.Format = capture.PNG
	image, boxes, err := pictureOf(watched, s.call, tab, shot, targets)
	return scout.Picture{Image: image, Type: "image/" + string(capture.PNG), Boxes: boxes}, err
}

// bundleText writes a bundle as lines. What the page wrote is quoted.
func bundleText(b *scout.Bundle) string {
	var text summaryText
	for i := range b.Candidates {
		x := &b.Candidates[i]
		text.line(fmt.Sprintf("- %.2f", x.Confidence), "@"+x.ID, x.Of, wording.Quote(x.Label),
			text.notes(x.Kind, "risk "+string(x.Risk)), wording.OneLine(x.Why))
		for _, selector := range append([]pcd.Selector{x.Selector}, x.AltSelectors...) {
			text.line("   ", selector.String())
		}
	}
	switch {
	case len(b.Candidates) == 0:
		text.line("Nothing on the page is for this goal.")
	case b.Ambiguous:
		text.line("# ambiguous: the first one is not clearly meant")
	}
	for _, why := range b.Dropped {
		text.line("# dropped", wording.OneLine(why))
	}
	if b.By != scout.ByRules {
		text.line("# chosen by " + wording.OneLine(b.By))
	}
	return strings.TrimSuffix(text.String(), "\n")
}
