package runner

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/tab"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// performer runs the command line of a step, and finds a step's element again when its page has changed meanwhile.
type performer struct {
	view  *tab.View
	files string // the folder for what is downloaded
}

// missed are the faults behind which nothing was done, so that another way to the same element may be tried.
var missed = map[fault.Code]bool{
	fault.RefStale: true, fault.RefUnknown: true, fault.SelectorNotFound: true, fault.SelectorAmbiguous: true,
	fault.TargetCovered: true,
	fault.TargetHidden:  true, fault.TargetDisabled: true, fault.TargetOutside: true, fault.TargetUnstable: true,
	fault.FrameGone: true,
}

// attempt does a step. When its element is missing, it looks at the page again, tries the other selectors in order, and
// then what the page has now under the same name. It never repeats a step that may have taken effect.
func (a *performer) attempt(
	ctx context.Context, tool toolbox.Tool, rec *task.StepRecord, t target, saving bool,
) (toolbox.Reply, error) {
	run := func(selector string) (toolbox.Reply, error) {
		call := *rec.Step.Call
		if selector != "" {
			call.Args = withSelector(call.Args, selector)
			rec.Selector, rec.Tried = selector, rec.Tried+1
		}
		return a.perform(ctx, tool, call, rec.Step.Secret, t, saving)
	}
	reply, err := run(t.selector)
	if err == nil || t.selector == "" || !missed[fault.CodeOf(err)] {
		return reply, err
	}
	first := err
	planned := a.view.Summary
	if err := a.view.Look(ctx); err != nil {
		return toolbox.Reply{}, err
	}
	for _, selector := range rec.Step.AltSelectors {
		if reply, err := run(selector); err == nil || !missed[fault.CodeOf(err)] {
			return reply, err
		}
	}
	selector, err := a.rebind(ctx, planned, t)
	if err != nil {
		return toolbox.Reply{}, err
	}
	if selector == "" || selector == t.selector || slices.Contains(rec.Step.AltSelectors, selector) {
		return toolbox.Reply{}, first
	}
	if reply, err := run(selector); err == nil || !missed[fault.CodeOf(err)] {
		return reply, err
	}
	return toolbox.Reply{}, first
}

// rebind finds what the page has now in place of a step's element: one that people see, of the same role and name.
// Empty means nothing, or several.
func (a *performer) rebind(ctx context.Context, planned *pcd.Summary, t target) (string, error) {
	if t.label == "" {
		return "", nil
	}
	var found []string
	was := actionOf(planned, t.id)
	for _, a := range a.view.Summary.Actions {
		if !a.Unseen && !a.Disabled && phrase.SameLabel(a.Label, t.label) && (was == nil || was.Role == a.Role) {
			found = append(found, a.ID)
		}
	}
	if len(found) == 0 {
		began := time.Now()
		reply, err := a.view.In(ctx, "capabilities", "query", "--kind=action", "--top=3", "--", t.label)
		a.view.Log.Measure(func(m *task.Metrics) {
			m.Searches, m.SearchMS = m.Searches+1, m.SearchMS+task.MillisSince(began)
		})
		if err != nil {
			return "", nil // what the search says is less than why the step failed
		}
		data, err := toolbox.Decode[struct {
			Candidates []pcd.Candidate `json:"candidates"`
		}](reply)
		if err != nil {
			return "", err
		}
		for _, c := range data.Candidates {
			if phrase.SameLabel(c.Label, t.label) {
				found = append(found, c.ID)
			}
		}
	}
	if len(found) != 1 || found[0] == t.id {
		return "", nil
	}
	return "@" + found[0], nil
}

func actionOf(s *pcd.Summary, id string) *pcd.Action {
	if s == nil || id == "" {
		return nil
	}
	for i := range s.Actions {
		if s.Actions[i].ID == id {
			return &s.Actions[i]
		}
	}
	return nil
}

// perform runs the command line of a call.
func (a *performer) perform(
	ctx context.Context, tool toolbox.Tool, call toolbox.Call, secret string, t target, saving bool,
) (toolbox.Reply, error) {
	if secret != "" {
		return a.typeSecret(ctx, tool, call, secret)
	}
	if saving && call.Name == toolbox.ClickTool {
		return a.view.In(ctx, "download", "--", t.or(call), a.files+"/")
	}
	argv, err := tool.Argv(call.Args)
	if err != nil {
		return toolbox.Reply{}, err
	}
	if strings.HasPrefix(tool.Name, "tabs.") {
		return a.view.Do(ctx, argv)
	}
	reply, err := a.view.In(ctx, argv...)
	if err != nil || call.Name != toolbox.ClickTool {
		return reply, err
	}
	return a.savesToo(ctx, reply)
}

// savesToo saves what a click downloaded although the plan did not expect a download.
func (a *performer) savesToo(ctx context.Context, reply toolbox.Reply) (toolbox.Reply, error) {
	began, _ := toolbox.Decode[struct {
		Effect struct {
			Downloads []struct {
				Name string `json:"name"`
			} `json:"downloads"`
		} `json:"effect"`
	}](reply)
	if len(began.Effect.Downloads) == 0 {
		return reply, nil
	}
	saved, err := a.view.In(ctx, "wait", "--download", a.files+"/")
	if err != nil {
		return toolbox.Reply{}, err
	}
	saved.Effect = append(saved.Effect, reply.Effect...)
	return saved, nil
}

// typeSecret types the value of a grant, on a page of its origin only.
func (a *performer) typeSecret(
	ctx context.Context, tool toolbox.Tool, call toolbox.Call, name string,
) (toolbox.Reply, error) {
	var grant *task.Grant
	for i := range a.view.Log.Task.Grants {
		if a.view.Log.Task.Grants[i].Name == name {
			grant = &a.view.Log.Task.Grants[i]
		}
	}
	switch {
	case grant == nil || a.view.Secrets == nil:
		return toolbox.Reply{}, fault.New(fault.CredentialNotFound, "No secret %q was granted to the task.", name).
			About(name).
			WithHint("Begin it with --grant %s=env:VARIABLE.", name)
	case tool.Name != toolbox.TypeTool:
		return toolbox.Reply{}, fault.New(fault.Usage, "A secret is only ever typed into a field: %s does not type.",
			tool.Name).About(name)
	}
	if err := a.view.Look(ctx); err != nil { // the page may have gone elsewhere since the person was asked
		return toolbox.Reply{}, err
	}
	if here := task.Origin(a.view.Summary.URL); grant.Origin == "" || here != strings.ToLower(grant.Origin) {
		return toolbox.Reply{}, fault.New(fault.PolicyBlocked, "The secret %s is for %s, but the page is of %s.", name,
			grant.Origin, here).About(name)
	}
	value, err := a.view.Secrets.Reveal(ctx, *grant)
	if err != nil {
		return toolbox.Reply{}, err
	}
	var args struct {
		Selector json.RawMessage `json:"selector"`
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return toolbox.Reply{}, fault.New(fault.Usage, "The arguments of the step cannot be read: %w", err)
	}
	var selector string
	if json.Unmarshal(args.Selector, &selector) != nil {
		selector = string(args.Selector)
	}
	if isRef(selector) {
		selector = "@" + selector
	}
	reply, err := a.view.Secrets.Type(ctx, *grant, a.view.Log.Task.Tab, selector, value)
	return a.view.Secrets.Clean(reply), err
}
