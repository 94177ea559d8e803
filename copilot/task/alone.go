package task

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/wording"
)

// Invocation is the skill of a task that is one.
func (t *Task) Invocation() (skill.Invocation, error) { return skill.NewInvocation(t.Skill, t.Input) }

// verb is what a task is to do.
func (t *Task) verb() goal.Verb { return t.intent().Verb }

// intent is what a skill asks for, as goals say it.
func (t *Task) intent() goal.Intent {
	if t.Skill == "" {
		return goal.ParseIntent(t.Goal, createdAt(t))
	}
	use, err := t.Invocation()
	if err != nil {
		return goal.Intent{}
	}
	return use.Intent()
}

// owned reports whether a secret is of a login of the vault and is typed to log in: who runs the skill has named it, and its origins bound it.
func (t *Task) owned(secret string) bool {
	return slices.ContainsFunc(t.Grants, func(g Grant) bool {
		return g.Name == secret && strings.HasPrefix(g.Source, "vault:") && t.intent().Verb == goal.Login && t.Skill != ""
	})
}

// turnsOn reports whether the task is a skill that is used again and again until a page meets a goal.
func (t *Task) turnsOn() bool {
	if t.Skill == "" {
		return false
	}
	use, err := t.Invocation()
	if err != nil {
		return false
	}
	_, ok := use.Until()
	return ok
}

// turnedTo ends the turning of pages: the page meets the goal, or the last turn has shown the same again. A text is looked for in all that can be read: the
// summary does not name each row of a list.
func turnedTo(ctx context.Context, s *PlannerInput, until goal.Predicate) Decision {
	answer := "the page meets " + until.String()
	if until.Hit(s.Summary) {
		return Decision{Done: &Done{Answer: answer, Effects: []Effect{{Kind: AtPage, Goal: until.String()}}}}
	}
	lines := s.Lines(ctx)
	if until.Text != "" && strings.Contains(squeezed(strings.Join(lines, " ")), squeezed(until.Text)) {
		return Decision{Done: &Done{Answer: answer, Effects: []Effect{{Kind: HasText, Text: until.Text}}}}
	}
	if n := len(s.Task.History); n > 0 && s.Task.Plan != nil && s.Task.History[n-1].PlanID == s.Task.Plan.ID && len(s.Before) > 0 && slices.Equal(s.Before, lines) {
		return Decision{GiveUp: &GiveUp{Reason: "the last turn showed the same again, and the page does not meet " + until.String()}}
	}
	return Decision{}
}

// trusted are the steps without a question for secrets that need none.
func (t *Task) trusted(steps []toolbox.Step) []toolbox.Step {
	if t.Skill == "" {
		return steps
	}
	asks := false
	for i := range steps {
		if steps[i].Secret != "" && t.owned(steps[i].Secret) {
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
func (p *Skills) alone(ctx context.Context, s *PlannerInput) (Decision, error) {
	use, err := s.Task.Invocation()
	if err != nil {
		return Decision{GiveUp: &GiveUp{Reason: err.Error()}}, nil
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
		return Decision{GiveUp: &GiveUp{Reason: "a user is already logged in: the page offers to log out; nothing was done"}}, nil
	case intent.Verb == goal.Download && !intent.Every && len(saved(s.Task)) > 0:
		return Decision{Done: &Done{Effects: []Effect{{Kind: Downloaded}}}}, nil
	}
	if until, ok := use.Until(); ok {
		if d := turnedTo(ctx, s, until); d != (Decision{}) {
			return d, nil
		}
	}
	if s.Trouble != "" && acted(s.Task) && (once(s) || !again(s, use)) {
		return Decision{GiveUp: &GiveUp{Reason: s.Trouble}}, nil
	}
	s, err = widened(ctx, s, use)
	if err != nil {
		return Decision{}, err
	}
	d, listed, err := p.use(ctx, s, intent, use)
	if err != nil || d != (Decision{}) {
		return d, err
	}
	if listed {
		turn, err := skill.NewInvocation("paginate", nil)
		if err != nil {
			return Decision{}, err
		}
		if d, _, err := p.use(ctx, s, intent, turn); err != nil || d != (Decision{}) {
			return d, err
		}
	}
	if files := saved(s.Task); intent.Every && len(files) > 0 {
		return Decision{Done: &Done{Effects: []Effect{{Kind: Downloaded, Count: len(files)}}, Omitted: unsaved(s)}}, nil
	}
	if s.Trouble != "" {
		return Decision{GiveUp: &GiveUp{Reason: s.Trouble}}, nil
	}
	why := "nothing on the page fits the skill " + use.Skill.Name
	if listed {
		why = use.Skill.Name + ": no row of the list fits"
	}
	unbound := p.candidates(ctx, s, use)
	return Decision{GiveUp: &GiveUp{Reason: why + unboundText(unbound), Unbound: unbound}}, nil
}

// widened is what a planner is told, with the actions that a skill asks for and the summary does not name: it has no room, or they are alike. What belongs to an item of a list is not
// known of these, so that skills about items do without them.
func widened(ctx context.Context, s *PlannerInput, use skill.Invocation) (*PlannerInput, error) {
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
				page.Actions = append(page.Actions, pcd.Action{ID: c.ID, Label: c.Label, Role: cmp.Or(c.Role, "other"), Kind: c.Kind, Landmark: c.Landmark, URL: c.URL, Unseen: c.Unseen})
			}
		}
	}
	own := *s
	own.Summary = &page
	return &own, nil
}

// repeated reports whether a step that is only a part of the way was done before on this page: a menu that is pressed twice is closed again.
func repeated(s *PlannerInput, steps []toolbox.Step) bool {
	return slices.ContainsFunc(s.Task.History, func(h StepRecord) bool {
		return h.Status == StepOK && h.Step.Description == steps[0].Description && samePlace(h.From, s.Summary.URL)
	})
}

// mostPresses is how often the head of a column is pressed: tables go from no order to one and to the other.
const mostPresses = 3

// again reports whether the same control may be pressed once more: the head of a column that has led to another order.
func again(s *PlannerInput, use skill.Invocation) bool {
	if use.Intent().Verb != goal.Sort || s.Task.Plan == nil || clicks(s.Task) >= mostPresses {
		return false
	}
	return slices.ContainsFunc(s.Task.Plan.Steps, func(step toolbox.Step) bool { return step.Call != nil && step.Call.Name == clickTool })
}

// candidates are what of the page comes nearest to what a skill looks for and does not find.
func (p *Skills) candidates(ctx context.Context, s *PlannerInput, use skill.Invocation) []Unbound {
	var all []Unbound
	absent := use.Absent(s.Summary)
	for _, want := range use.Wants() {
		if absent != nil && !slices.Contains(absent, want.Slot) {
			continue
		}
		first, _, _ := strings.Cut(want.Text, "|")
		u := Unbound{Slot: want.Slot, Why: "nothing fits " + quoted(first)}
		if found, err := s.Find(ctx, want); err == nil {
			u.Candidates = found
		}
		all = append(all, u)
	}
	return all
}

// ambiguous ends a skill that could mean several things.
func (p *Skills) ambiguous(ctx context.Context, s *PlannerInput, use skill.Invocation, several []string) (Decision, bool, error) {
	first := use.Wants()[0] // the slot that the rest hangs on
	found, err := s.Find(ctx, first)
	if err != nil && ctx.Err() != nil {
		return Decision{}, false, context.Cause(ctx)
	}
	why := strings.Join(several, "; ")
	return Decision{GiveUp: &GiveUp{Reason: why, Unbound: []Unbound{{Slot: first.Slot, Why: why, Candidates: found}}}}, false, nil
}

// lacks stops a skill for which the page wants to know more: it goes on when that is said.
func lacks(use skill.Invocation, labels []string, why string) Decision {
	unbound := make([]Unbound, len(labels))
	for i, label := range labels {
		unbound[i] = Unbound{Slot: label, Why: "the page asks for it, and no value was given"}
		if use.Intent().Verb == goal.AddTo {
			unbound[i].Why = "the page has no choice of this name"
		}
	}
	return Decision{GiveUp: &GiveUp{Reason: why, Unbound: unbound, Blocked: true}}
}

// unnamed says how many controls of the page have no name: what was looked for may be one of them.
func (r *Runner) unnamed() string {
	if r.summary == nil || r.summary.Unnamed == 0 {
		return ""
	}
	return "; the page has " + wording.Plural(r.summary.Unnamed, "control") + " without a name"
}

// unboundText names what was looked for.
func unboundText(all []Unbound) string {
	var b strings.Builder
	for _, u := range all {
		fmt.Fprintf(&b, "; %s: %s", u.Slot, u.Why)
	}
	return b.String()
}
