package copilot

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func capabilitiesDetailsCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "capabilities details",
			Group:   actions.GroupCopilot,
			Summary: "Show selectors for actions, forms, fields and collections",
			Help: "Ids are those of `capabilities`; any ref works. For each it prints a selector that every command " +
				"takes, and alternatives: by role and name, by text, by CSS. Each was tried on the page just now and matches " +
				"only that element.",
			Args: []actions.Arg{{
				Name:  "ids",
				Value: "id",
				Kind:  actions.List,
				Kept:  true,
				Help:  "Ids: e12 or @e12",
			}},
			Examples: []actions.Example{{Line: "capabilities details @e12 @e14"}},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
		Safety:   actions.Safety{Families: policy.Does()},
		Bindings: actions.Bindings{Data: []any{DetailsResult{}}},
		Run:      runCapabilitiesDetails,
	}
}

// foundAgain is what the in-page op selectors says of an element.
type foundAgain struct {
	Selectors []pcd.Selector `json:"selectors"`
	Name      string         `json:"name"`
	Role      string         `json:"role"`
	Landmark  pcd.Landmark   `json:"landmark"`
}

func runCapabilitiesDetails(ctx context.Context, c *actions.Call) (actions.Result, error) {
	details, err := detailsOf(ctx, c, c.Strings("ids"))
	if err != nil {
		return actions.Result{}, err
	}
	var b summaryText
	for _, d := range details {
		b.line("-", "@"+d.ID, wording.Quote(d.Label), b.notes(string(d.Landmark), framed(d.FramePath)))
		for _, s := range append([]pcd.Selector{d.Selector}, d.AltSelectors...) {
			b.line("   ", s.String())
		}
	}
	return actions.Result{Data: DetailsResult{details}, Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

// detailsOf returns how the elements with these ids are found in the active tab.
func detailsOf(ctx context.Context, c *actions.Call, ids []string) ([]pcd.Detail, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return nil, err
	}
	targets, err := elements(ctx, c, tab, ids)
	if err != nil {
		return nil, err
	}
	if frame, err := element.LookIn(ctx, c, tab); err == nil && frame != tab.Page.Main() {
		c.Note("selectors look in the frame that `frame` chose, but these start at the page itself: use `frame main` first")
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	paths, err := framePaths(watched, c, tab, targets)
	if err != nil {
		return nil, err
	}
	found, err := selectorsOf(watched, targets)
	if err != nil {
		return nil, err
	}
	details := make([]pcd.Detail, len(targets))
	for i, t := range targets {
		if details[i], err = detailOf(t, found[i], paths[t.Ref.FrameID]); err != nil {
			return nil, err
		}
	}
	return details, nil
}

// elements returns the targets that ids stand for, each once.
func elements(ctx context.Context, c *actions.Call, tab *actions.Tab, ids []string) ([]*element.Target, error) {
	var targets []*element.Target
	for _, word := range ids {
		id, err := bareID(word)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(targets, func(t *element.Target) bool { return t.Ref.ID() == id }) {
			continue
		}
		t, err := element.ResolveRef(ctx, c, tab, "@"+id)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}

func detailOf(t *element.Target, found *foundAgain, path []string) (pcd.Detail, error) {
	switch {
	case found == nil:
		return pcd.Detail{}, fault.New(fault.RefStale, "%s (%s) is gone from the page.", t.Label,
			element.ElementName(&element.Located{Role: t.Ref.Role, Name: t.Ref.Name})).
			About(t.Label).WithHint("Read the capabilities of the page again.")
	case len(found.Selectors) == 0:
		return pcd.Detail{}, fault.New(fault.SelectorAmbiguous,
			"No selector distinguishes %s from other elements of the page.", t.Label).About(t.Label).
			WithHint("Use the ref itself, as long as the page stays open.")
	}
	for i := range found.Selectors {
		found.Selectors[i].FramePath = path
	}
	return pcd.Detail{
		ID:           t.Ref.ID(),
		Selector:     found.Selectors[0],
		AltSelectors: found.Selectors[1:],
		Landmark:     found.Landmark,
		FramePath:    path,
		Label:        found.Name,
	}, nil
}

// selectorsOf asks each frame once, all at the same time.
func selectorsOf(ctx context.Context, targets []*element.Target) ([]*foundAgain, error) {
	found := make([]*foundAgain, len(targets))
	byFrame := map[*engine.Frame][]int{}
	for i, t := range targets {
		byFrame[t.Frame] = append(byFrame[t.Frame], i)
	}
	var mu sync.Mutex
	var asking sync.WaitGroup
	var failed error
	for frame, at := range byFrame {
		asking.Go(func() {
			answers, err := askSelectors(ctx, frame, targets, at)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
				return
			}
			for j, i := range at {
				found[i] = answers[j]
			}
		})
	}
	asking.Wait()
	return found, failed
}

// selectorsArg is the argument of the in-page op selectors.
type selectorsArg struct {
	Tokens []int64 `json:"tokens"`
}

// selectors is its result, in the order of the tokens.
type selectors struct {
	Found []*foundAgain `json:"found"` // nil means that the element is gone
}

var opSelectors = inpage.Define[selectorsArg, selectors]("selectors")

func askSelectors(
	ctx context.Context, frame *engine.Frame, targets []*element.Target, at []int,
) ([]*foundAgain, error) {
	var arg selectorsArg
	for _, i := range at {
		arg.Tokens = append(arg.Tokens, targets[i].Ref.Token)
	}
	value, doc, err := opSelectors.Raw(ctx, frame, arg)
	switch first := targets[at[0]]; {
	case engine.IsNavigated(err), fault.Is(err, fault.FrameGone), err == nil && doc != first.Ref.DocID:
		return nil, first.Ref.Gone(element.URLOf(frame))
	case err != nil:
		return nil, err
	}
	var answer selectors
	if err := opSelectors.Read(value, &answer); err != nil || len(answer.Found) != len(at) {
		return nil, fault.New(fault.Internal, "reading the result of selectors: %w", err)
	}
	return answer.Found, nil
}

// framePaths returns the ways to the frames of the targets, by their ids. That to the main frame is empty.
func framePaths(
	ctx context.Context, c *actions.Call, tab *actions.Tab, targets []*element.Target,
) (map[string][]string, error) {
	paths := map[string][]string{}
	if !slices.ContainsFunc(targets, func(t *element.Target) bool { return t.Frame != tab.Page.Main() }) {
		return paths, nil
	}
	_, page, err := offers(ctx, c, false)
	if err != nil {
		return nil, err
	}
	note := func(e *perceive.Element) { paths[e.FrameID] = e.FramePath }
	for i := range page.Actions {
		note(&page.Actions[i].At)
	}
	for i := range page.Forms {
		note(&page.Forms[i].At)
	}
	for i := range page.Collections {
		note(&page.Collections[i].At)
	}
	for _, t := range targets {
		if _, known := paths[t.Ref.FrameID]; !known && t.Frame != tab.Page.Main() {
			return nil, fault.New(fault.TargetUnsuitable, "%s is in a frame that the page's summary does not cover.", t.Label).
				About(t.Label).
				WithHint("Use the ref itself, as long as the page stays open.")
		}
	}
	return paths, nil
}
