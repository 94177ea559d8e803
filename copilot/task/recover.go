package task

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// missed are the faults behind which nothing was done, so that another way to the same element may be tried.
var missed = map[fault.Code]bool{
	fault.RefStale: true, fault.RefUnknown: true, fault.SelectorNotFound: true, fault.SelectorAmbiguous: true, fault.TargetCovered: true,
	fault.TargetHidden: true, fault.TargetDisabled: true, fault.TargetOutside: true, fault.TargetUnstable: true, fault.FrameGone: true,
}

// attempt does a step. When its element is missing, it looks at the page again, tries the other selectors in order, and then what the
// page has now under the same name. It never repeats a step that may have taken effect.
func (r *Runner) attempt(ctx context.Context, tool toolbox.Tool, rec *StepRecord, t target, saving bool) (toolbox.Reply, error) {
	run := func(selector string) (toolbox.Reply, error) {
		call := *rec.Step.Call
		if selector != "" {
			call.Args = withSelector(call.Args, selector)
			rec.Selector, rec.Tried = selector, rec.Tried+1
		}
		return r.perform(ctx, tool, call, rec.Step.Secret, t, saving)
	}
	reply, err := run(t.selector)
	if err == nil || t.selector == "" || !missed[fault.CodeOf(err)] {
		return reply, err
	}
	first := err
	planned := r.summary
	if err := r.look(ctx); err != nil {
		return toolbox.Reply{}, err
	}
	for _, selector := range rec.Step.AltSelectors {
		if reply, err := run(selector); err == nil || !missed[fault.CodeOf(err)] {
			return reply, err
		}
	}
	selector, err := r.rebind(ctx, planned, t)
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

// rebind finds what the page has now in place of a step's element: one that people see, of the same role and name. Empty: nothing, or several.
func (r *Runner) rebind(ctx context.Context, planned *pcd.Summary, t target) (string, error) {
	if t.label == "" {
		return "", nil
	}
	var found []string
	was := actionOf(planned, t.id)
	for _, a := range r.summary.Actions {
		if !a.Unseen && !a.Disabled && sameLabel(a.Label, t.label) && (was == nil || was.Role == a.Role) {
			found = append(found, a.ID)
		}
	}
	if len(found) == 0 {
		began := time.Now()
		reply, err := r.inTab(ctx, "capabilities", "query", "--kind=action", "--top=3", "--", t.label)
		r.Log.Measure(func(m *Metrics) { m.Searches, m.SearchMS = m.Searches+1, m.SearchMS+ms(began) })
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
			if sameLabel(c.Label, t.label) {
				found = append(found, c.ID)
			}
		}
	}
	if len(found) != 1 || found[0] == t.id {
		return "", nil
	}
	return "@" + found[0], nil
}

func sameLabel(a, b string) bool {
	return a != "" && strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
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
func (r *Runner) perform(ctx context.Context, tool toolbox.Tool, call toolbox.Call, secret string, t target, saving bool) (toolbox.Reply, error) {
	if secret != "" {
		return r.typeSecret(ctx, tool, call, secret)
	}
	if saving && call.Name == clickTool {
		return r.inTab(ctx, "download", "--", t.or(call), r.Files+"/")
	}
	argv, err := tool.Argv(call.Args)
	if err != nil {
		return toolbox.Reply{}, err
	}
	if strings.HasPrefix(tool.Name, "tabs.") {
		return r.do(ctx, argv)
	}
	reply, err := r.inTab(ctx, argv...)
	if err != nil || call.Name != clickTool {
		return reply, err
	}
	return r.savesToo(ctx, reply)
}

// savesToo saves what a click downloaded although the plan did not expect a download.
func (r *Runner) savesToo(ctx context.Context, reply toolbox.Reply) (toolbox.Reply, error) {
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
	saved, err := r.inTab(ctx, "wait", "--download", r.Files+"/")
	if err != nil {
		return toolbox.Reply{}, err
	}
	saved.Effect = append(saved.Effect, reply.Effect...)
	return saved, nil
}
