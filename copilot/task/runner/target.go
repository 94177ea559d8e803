package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/risk"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/tab"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// target is the element that a step is about, as the page has it.
type target struct {
	selector string // as commands take it; empty means that the step is about none
	id       string // of the summary
	label    string
	kind     string // of an action
	purpose  string // of the form that it submits or belongs to
	role     string
	url      string // where a link leads
	unseen   bool
	others   []string // selectors that find it when the ref does not, or in another browser
}

// or is the selector with which a call is made.
func (t target) or(call toolbox.Call) string {
	var args struct {
		Selector string `json:"selector"`
	}
	if json.Unmarshal(call.Args, &args) == nil && args.Selector != "" {
		return args.Selector
	}
	return t.selector
}

// targetOf finds out what a step would act on. The page is asked only where the summary does not say.
func targetOf(ctx context.Context, v *tab.View, tool toolbox.Tool, step toolbox.Step) (target, error) {
	var args struct {
		Selector json.RawMessage `json:"selector"`
	}
	if json.Unmarshal(step.Call.Args, &args) != nil || len(args.Selector) == 0 {
		return target{}, nil
	}
	t := target{}
	var s pcd.Selector
	if json.Unmarshal(args.Selector, &t.selector) != nil {
		t.selector = string(args.Selector)
	}
	if strings.HasPrefix(t.selector, "{") && json.Unmarshal([]byte(t.selector), &s) == nil {
		t.label, t.role = s.Name+s.Text, s.Role
	}
	if isRef(strings.TrimPrefix(t.selector, "@")) {
		t.id = strings.TrimPrefix(t.selector, "@")
		t.selector = "@" + t.id
	}
	t.describe(v.Summary)
	if tool.Name == toolbox.UploadTool {
		t.unseen = false // behind the button that people press, fields for files are hidden
	}
	t.others = step.AltSelectors
	if t.id != "" && !tool.ReadOnly && (t.label == "" || len(t.others) == 0) {
		t.askPage(ctx, v)
		return t, ctx.Err()
	}
	if t.label != "" || tool.ReadOnly || tool.Name == toolbox.TypeTool {
		return t, nil
	}
	if reply, err := v.In(ctx, "get", "text", "--", t.selector); err == nil {
		t.label = strings.TrimSpace(reply.Text)
	}
	return t, ctx.Err()
}

// askPage asks the page for the name of an element that is known by its ref alone, and for the selectors that find it
// again. A secret goes to the element that was seen, and to nothing that merely has its name.
func (t *target) askPage(ctx context.Context, v *tab.View) {
	list, err := v.Details(ctx, t.id)
	if err != nil || len(list) != 1 {
		return // the step itself says what is wrong with it
	}
	d := list[0]
	if t.label == "" {
		t.label, t.role = cmp.Or(d.Label, d.Selector.Name+d.Selector.Text), cmp.Or(t.role, d.Selector.Role)
	}
	if len(t.others) == 0 {
		for _, s := range append([]pcd.Selector{d.Selector}, d.AltSelectors...) {
			if s.Kind != "" {
				t.others = append(t.others, s.String())
			}
		}
	}
}

func isRef(s string) bool {
	return len(s) > 1 && s[0] == 'e' && strings.Trim(s[1:], "0123456789") == ""
}

// describe takes from the summary what it says of the element.
func (t *target) describe(page *pcd.Summary) {
	var same []*pcd.Action
	for i := range page.Actions {
		a := &page.Actions[i]
		if t.id != "" && a.ID == t.id ||
			t.id == "" && phrase.SameLabel(a.Label, t.label) && (t.role == "" || a.Role == t.role) {
			same = append(same, a)
		}
	}
	for _, a := range same {
		if t.label == "" {
			t.label = a.Label
		}
		t.role, t.url = a.Role, a.URL
		if t.kind == "" || risk.Kind(a.Kind) { // the worst of those that have the name
			t.kind = a.Kind
		}
	}
	t.unseen = len(same) > 0 && !slices.ContainsFunc(same, func(a *pcd.Action) bool { return !a.Unseen })
	for _, f := range page.Forms {
		submits := f.ID == t.id && t.id != "" ||
			f.SubmitID != "" && (f.SubmitID == t.id || t.id == "" && phrase.SameLabel(f.SubmitLabel, t.label))
		field := slices.ContainsFunc(f.Fields, func(x pcd.Field) bool { return x.ID != "" && x.ID == t.id })
		if submits || field {
			t.purpose = f.Purpose
			if t.label == "" && submits {
				t.label = f.SubmitLabel
			}
			t.unseen = t.unseen || f.Unseen
		}
		for _, x := range f.Fields {
			if x.ID != "" && x.ID == t.id {
				t.label, t.unseen = x.Label, t.unseen || x.Unseen
			}
		}
	}
}

// risk says how bad a step is that goes wrong. What the page says can only make it worse than the planner has it.
func (r *Runner) risk(tool toolbox.Tool, step toolbox.Step, t target) toolbox.Risk {
	switch {
	case step.Secret != "" && r.View.Log.Task.Owned(step.Secret) && step.Risk != toolbox.High:
		return toolbox.Medium
	case step.Secret != "" || step.Risk == toolbox.High:
		return toolbox.High
	case tool.Name == toolbox.UploadTool && !derives(r.Planner):
		return toolbox.High // who runs a skill has named the files
	case tool.ReadOnly || strings.HasPrefix(tool.Name, "tabs.") || tool.Name == "dom.scroll":
		return toolbox.Low
	case tool.Name != toolbox.ClickTool && tool.Name != toolbox.SubmitTool:
		return toolbox.Medium // it can be typed over
	case tool.Name == toolbox.SubmitTool && risk.Sends(t.purpose):
		return toolbox.High
	}
	return risk.OfClick(risk.Control{
		Label:   t.label,
		Role:    t.role,
		Kind:    t.kind,
		Purpose: t.purpose,
		URL:     t.url,
	})
}
