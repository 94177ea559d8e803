package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// turnedTo ends the turning of pages: the page meets the goal, or the last turn has shown the same again. A text is
// looked for in all that can be read: the summary does not name each row of a list.
func turnedTo(ctx context.Context, s *task.PlannerInput, until goal.Predicate) task.Decision {
	answer := "the page meets " + until.String()
	if until.Hit(s.Summary) {
		return task.Decision{
			Done: &task.Done{Answer: answer, Effects: []task.Effect{{Kind: task.AtPage, Goal: until.String()}}},
		}
	}
	lines := s.Lines(ctx)
	if until.Text != "" && strings.Contains(phrase.Squeezed(strings.Join(lines, " ")), phrase.Squeezed(until.Text)) {
		return task.Decision{Done: &task.Done{Answer: answer, Effects: []task.Effect{{Kind: task.HasText, Text: until.Text}}}}
	}
	if n := len(s.Task.History); n > 0 && s.Task.Plan != nil && s.Task.History[n-1].PlanID == s.Task.Plan.ID &&
		len(s.Before) > 0 && slices.Equal(s.Before, lines) {
		return task.Decision{
			GiveUp: &task.GiveUp{Reason: "the last turn showed the same again, and the page does not meet " + until.String()},
		}
	}
	return task.Decision{}
}

// trusted are the steps without a question for secrets that need none.
func trusted(t *task.Task, steps []toolbox.Step) []toolbox.Step {
	if t.Skill == "" {
		return steps
	}
	asks := false
	for i := range steps {
		if steps[i].Secret != "" && t.Owned(steps[i].Secret) {
			steps[i].Risk = toolbox.Medium
		}
		asks = asks || steps[i].Risk == toolbox.High
	}
	if asks {
		return steps
	}
	return slices.DeleteFunc(steps, func(s toolbox.Step) bool { return s.Kind == toolbox.ConfirmStep })
}

// alone plans for a task that is one skill, on the page that is shown: another page is not looked for.
func (p *Skills) alone(ctx context.Context, s *task.PlannerInput) (task.Decision, error) {
	use, err := s.Task.Invocation()
	if err != nil {
		return task.Decision{GiveUp: &task.GiveUp{Reason: err.Error()}}, nil
	}
	intent := use.Intent()
	switch {
	case intent.Verb == goal.Delete:
		d, err := p.remove(ctx, s, intent)
		if d.GiveUp != nil && len(s.Task.History) == 0 && len(d.GiveUp.Unbound) == 0 {
			d.GiveUp.Unbound = p.candidates(ctx, s, use)
		}
		return d, err
	case intent.Verb == goal.Login && s.Summary.LoginState == pcd.LoggedIn && len(s.Task.History) == 0:
		return task.Decision{
			GiveUp: &task.GiveUp{Reason: "a user is already logged in: the page offers to log out; nothing was done"},
		}, nil
	case intent.Verb == goal.Download && !intent.Every && len(s.Task.Saved()) > 0:
		return task.Decision{Done: &task.Done{Effects: []task.Effect{{Kind: task.Downloaded}}}}, nil
	}
	if until, ok := use.Until(); ok {
		if d := turnedTo(ctx, s, until); d != (task.Decision{}) {
			return d, nil
		}
	}
	if s.Trouble != "" && task.Acted(s.Task) && (once(s) || !again(s, use)) {
		return task.Decision{GiveUp: &task.GiveUp{Reason: s.Trouble}}, nil
	}
	s, err = widened(ctx, s, use)
	if err != nil {
		return task.Decision{}, err
	}
	d, listed, err := p.use(ctx, s, intent, use)
	if err != nil || d != (task.Decision{}) {
		return d, err
	}
	if listed {
		turn, err := skill.NewInvocation("paginate", nil)
		if err != nil {
			return task.Decision{}, err
		}
		if d, _, err := p.use(ctx, s, intent, turn); err != nil || d != (task.Decision{}) {
			return d, err
		}
	}
	if files := s.Task.Saved(); intent.Every && len(files) > 0 {
		return task.Decision{
			Done: &task.Done{Effects: []task.Effect{{Kind: task.Downloaded, Count: len(files)}}, Omitted: unsaved(s)},
		}, nil
	}
	if s.Trouble != "" {
		return task.Decision{GiveUp: &task.GiveUp{Reason: s.Trouble}}, nil
	}
	why := "nothing on the page fits the skill " + use.Skill.Name
	if listed {
		why = use.Skill.Name + ": no row of the list fits"
	}
	unbound := p.candidates(ctx, s, use)
	return task.Decision{GiveUp: &task.GiveUp{Reason: why + unboundText(unbound), Unbound: unbound}}, nil
}

// widened is what a planner is told, with the actions that a skill asks for and the summary does not name: it has no
// room, or they are alike. What belongs to an item of a list is not known of these, so that skills about items do
// without them.
func widened(ctx context.Context, s *task.PlannerInput, use skill.Invocation) (*task.PlannerInput, error) {
	ofItems := []goal.Verb{goal.AddTo, goal.Download, goal.Buy, goal.Fill}
	if slices.Contains(ofItems, use.Intent().Verb) {
		return s, nil
	}
	page := *s.Summary
	page.Actions = slices.Clone(page.Actions)
	for _, want := range use.Wants() {
		found, err := s.More(ctx, want.Text, pcd.CandidateAction)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			continue // what the summary has is what there is
		}
		for _, c := range found {
			if !slices.ContainsFunc(page.Actions, func(a pcd.Action) bool { return a.ID == c.ID }) {
				page.Actions = append(page.Actions, pcd.Action{
					ID:       c.ID,
					Label:    c.Label,
					Role:     cmp.Or(c.Role, "other"),
					Kind:     c.Kind,
					Landmark: c.Landmark,
					URL:      c.URL,
					Unseen:   c.Unseen,
				})
			}
		}
	}
	own := *s
	own.Summary = &page
	return &own, nil
}

// repeated reports whether a step that is only a part of the way was done before on this page: a menu that is pressed
// twice is closed again.
func repeated(s *task.PlannerInput, steps []toolbox.Step) bool {
	return slices.ContainsFunc(s.Task.History, func(h task.StepRecord) bool {
		return h.Status == task.StepOK && h.Step.Description == steps[0].Description &&
			phrase.SamePlace(h.From, s.Summary.URL)
	})
}

// mostPresses is how often the head of a column is pressed: tables go from no order to one and to the other.
const mostPresses = 3

// again reports whether the same control may be pressed once more: the head of a column that has led to another order.
func again(s *task.PlannerInput, use skill.Invocation) bool {
	if use.Intent().Verb != goal.Sort || s.Task.Plan == nil || task.Clicks(s.Task) >= mostPresses {
		return false
	}
	return slices.ContainsFunc(s.Task.Plan.Steps, func(step toolbox.Step) bool {
		return step.Call != nil && step.Call.Name == toolbox.ClickTool
	})
}

// candidates are what of the page comes nearest to what a skill looks for and does not find.
func (p *Skills) candidates(ctx context.Context, s *task.PlannerInput, use skill.Invocation) []task.Unbound {
	var all []task.Unbound
	absent := use.Absent(s.Summary)
	for _, want := range use.Wants() {
		if absent != nil && !slices.Contains(absent, want.Slot) {
			continue
		}
		first, _, _ := strings.Cut(want.Text, "|")
		u := task.Unbound{Slot: want.Slot, Why: "nothing fits " + phrase.Quoted(first)}
		if found, err := s.Find(ctx, want); err == nil {
			u.Candidates = found
		}
		all = append(all, u)
	}
	return all
}

// ambiguous ends a skill that could mean several things.
func (p *Skills) ambiguous(
	ctx context.Context, s *task.PlannerInput, use skill.Invocation, several []string,
) (task.Decision, bool, error) {
	first := use.Wants()[0] // the slot that the rest hangs on
	found, err := s.Find(ctx, first)
	if err != nil && ctx.Err() != nil {
		return task.Decision{}, false, context.Cause(ctx)
	}
	why := strings.Join(several, "; ")
	return task.Decision{
		GiveUp: &task.GiveUp{Reason: why, Unbound: []task.Unbound{{Slot: first.Slot, Why: why, Candidates: found}}},
	}, false, nil
}

// lacks stops a skill for which the page wants to know more: it goes on when that is said.
func lacks(use skill.Invocation, labels []string, why string) task.Decision {
	unbound := make([]task.Unbound, len(labels))
	for i, label := range labels {
		unbound[i] = task.Unbound{Slot: label, Why: "the page asks for it, and no value was given"}
		if use.Intent().Verb == goal.AddTo {
			unbound[i].Why = "the page has no choice of this name"
		}
	}
	return task.Decision{GiveUp: &task.GiveUp{Reason: why, Unbound: unbound, Blocked: true}}
}

// unboundText names what was looked for.
func unboundText(all []task.Unbound) string {
	var b strings.Builder
	for _, u := range all {
		fmt.Fprintf(&b, "; %s: %s", u.Slot, u.Why)
	}
	return b.String()
}
