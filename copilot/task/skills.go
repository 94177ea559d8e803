package task

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/engine/fault"
)

// Skills plans by the fixed rules of package skill: the same task on the same pages is planned the same way. What pages say changes which element is
// meant, and never what is done.
type Skills struct {
	Zone *time.Location // in which "last month" is meant
}

var _ Planner = (*Skills)(nil)

// Name is "skills".
func (*Skills) Name() string { return "skills" }

// surest is how sure a skill has to be of a page before it is used there.
const surest = 0.3

// named is how sure a skill has to be that a list is of the right kind for its other pages to be turned to.
const named = 0.6

// Plan uses the first skill that fits the page. Where none does it turns the pages of a list that may have it further on, looks for another page of
// the site, logs in where that was granted, and asks a person in this order.
func (p *Skills) Plan(ctx context.Context, s *Situation) (Decision, error) {
	intent := goal.Understand(s.Task.Goal, time.UnixMilli(s.Task.CreatedAt).In(p.Zone)) // a task that goes on next month still means the same one
	uses := skill.For(intent, s.Params, grantsOf(s))
	if len(uses) == 0 {
		return p.withoutSkill(s, intent), nil
	}
	listed := false
	for _, use := range uses {
		d, list, err := p.use(ctx, s, use)
		if err != nil || d != (Decision{}) {
			return d, err
		}
		listed = listed || list
	}
	if listed {
		if turn, err := skill.Read("paginate", nil); err == nil && len(s.Task.History) < s.Task.Limits.Steps {
			if d, _, err := p.use(ctx, s, turn); err != nil || d != (Decision{}) {
				return d, err
			}
		}
	}
	return p.elsewhere(ctx, s, intent, listed)
}

// withoutSkill is for goals that no skill is for: to come to a page is all that can be done for them.
func (p *Skills) withoutSkill(s *Situation, intent goal.Intent) Decision {
	target := intent.Goal()
	switch {
	case target.IsZero():
		return Decision{GiveUp: &GiveUp{Reason: "no skill is for " + quoted(s.Task.Goal) + ": say it in other words, such as \"download …\", \"search for …\" or \"open …\", or use a model"}}
	case target.Hit(s.Summary):
		return Decision{Done: &Done{Answer: "the page for it is open: " + s.Summary.Title, Effects: []Effect{{Kind: AtPage, Goal: target.String()}}}}
	case p.explored(s, target.String()):
		return Decision{GiveUp: &GiveUp{Reason: "no page of the site is for " + quoted(s.Task.Goal)}}
	}
	return Decision{Explore: &Explore{Goal: target.String(), Spec: true, Hint: strings.Join(intent.Hints(), " ")}}
}

func quoted(text string) string { return "“" + clip(text) + "”" }

func (p *Skills) explored(s *Situation, target string) bool {
	for _, e := range s.Task.Explorations {
		if e.Goal == target {
			return true
		}
	}
	return false
}

// use plans with a skill when it fits the page. Listed says that a list of the right kind is there, and none of its rows is meant.
func (p *Skills) use(ctx context.Context, s *Situation, use skill.Use) (d Decision, listed bool, err error) {
	sure := 0.0 // how sure it is of the list that has none of the rows
	for _, m := range use.Match(offered(s.Summary)) {
		// Where a list is of the right kind, what else the page lists is of another.
		if m.Confidence < surest || listed && len(m.Look) > 0 && m.Confidence < sure {
			break
		}
		facts, err := p.facts(ctx, s, m)
		if err != nil {
			return Decision{}, false, err
		}
		b, ok := use.Bind(m, facts)
		if !ok {
			if len(m.Look) > 0 && m.Confidence >= named && !listed {
				listed, sure = true, m.Confidence
			}
			continue
		}
		steps, err := use.Plan(b)
		if err != nil {
			f, is := errors.AsType[*fault.Error](err)
			if !is || !fault.Is(err, fault.Usage) {
				return Decision{}, false, err
			}
			return Decision{NeedsUser: &NeedsUser{Question: f.Error()}}, false, nil
		}
		if len(steps) == 0 || tried(s, steps) {
			continue
		}
		plan := &Plan{Steps: steps, Rationale: use.Skill.Name + ": " + m.Why, Bindings: b.Details}
		for _, c := range use.Checks(b) {
			if !c.Part && use.Skill.Name != "paginate" {
				plan.Effects = append(plan.Effects, effectOf(c))
			}
		}
		return Decision{Plan: plan}, false, nil
	}
	return Decision{}, listed, nil
}

// offered is the page without lists of things that nobody sees, and, where its main part has lists, without those that stand beside it: they are not
// what the page is about, whatever they are called.
func offered(s *pcd.Summary) *pcd.Summary {
	inMain := func(c pcd.Collection) bool { return c.Landmark == pcd.Main }
	page := *s
	page.Collections = slices.DeleteFunc(slices.Clone(s.Collections), func(c pcd.Collection) bool { return c.Unseen })
	if slices.ContainsFunc(page.Collections, inMain) {
		page.Collections = slices.DeleteFunc(page.Collections, func(c pcd.Collection) bool { return !inMain(c) })
	}
	return &page
}

// facts are what the skill wants to know of the page.
func (p *Skills) facts(ctx context.Context, s *Situation, m skill.Match) (skill.Facts, error) {
	var facts skill.Facts
	for _, call := range m.Look {
		res, err := s.Look(ctx, call)
		if err != nil {
			return facts, err
		}
		if !res.OK {
			continue // the list went away while the page was looked at
		}
		rows, err := toolbox.As[pcd.Rows](toolbox.Reply{Data: res.Data})
		if err != nil {
			return facts, err
		}
		facts.Rows = append(facts.Rows, rows)
	}
	if len(m.IDs) == 0 {
		return facts, nil
	}
	var err error
	facts.Details, err = s.Details(ctx, m.IDs...)
	return facts, err
}

func effectOf(c skill.Check) Effect {
	switch c.Kind {
	case skill.SawDownload:
		return Effect{Kind: Downloaded, Text: c.Text}
	case skill.SawValue:
		return Effect{Kind: HasValue, Selector: c.Selector, Text: c.Text}
	}
	return Effect{Kind: AtPage, Goal: c.Goal, Text: c.Text, Changed: c.Changed}
}

// tried reports whether the first act of the steps was done or tried on this very page before: what did not help then does not help now.
func tried(s *Situation, steps []toolbox.Step) bool {
	for _, step := range steps {
		if step.Call == nil {
			continue
		}
		for i := range s.Task.History {
			h := &s.Task.History[i]
			if h.Step.Call == nil || h.Step.Call.Name != step.Call.Name || h.From != s.Summary.URL || !sameArgs(h.Step.Call.Args, step.Call.Args) {
				continue
			}
			if h.Status != StepOK || h.PCDTS == s.Summary.TS {
				return true
			}
		}
		return false
	}
	return false
}

func sameArgs(a, b json.RawMessage) bool {
	var x, y map[string]any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || len(x) != len(y) {
		return string(a) == string(b)
	}
	one, err := json.Marshal(x)
	other, err2 := json.Marshal(y)
	return err == nil && err2 == nil && string(one) == string(other)
}

// elsewhere looks for the page on which the goal can be reached.
func (p *Skills) elsewhere(ctx context.Context, s *Situation, intent goal.Intent, listed bool) (Decision, error) {
	target := intent.Goal()
	if !target.IsZero() && !(listed && target.Hit(s.Summary)) && !p.explored(s, target.String()) {
		return Decision{Explore: &Explore{Goal: target.String(), Spec: true, Hint: strings.Join(intent.Hints(), " ")}}, nil
	}
	login := goal.Predicate{Form: "login"}
	if s.Summary.LoginState != pcd.LoggedIn && login.Hit(s.Summary) && intent.Verb != goal.Login {
		if len(s.Grants) > 0 {
			for _, use := range skill.For(goal.Intent{Verb: goal.Login}, s.Params, grantsOf(s)) {
				if d, _, err := p.use(ctx, s, use); err != nil || d != (Decision{}) {
					if d.Plan != nil {
						d.Plan.Effects = nil // to be logged in is a part of the way
					}
					return d, err
				}
			}
		}
		return Decision{NeedsUser: &NeedsUser{Question: "the site wants a login: log in, or grant one with --grant password=vault:NAME --param username=NAME"}}, nil
	}
	switch {
	case s.Trouble != "":
		return Decision{GiveUp: &GiveUp{Reason: s.Trouble}}, nil
	case listed:
		return Decision{GiveUp: &GiveUp{Reason: "the list has nothing that is meant by " + quoted(s.Task.Goal)}}, nil
	}
	return Decision{GiveUp: &GiveUp{Reason: "nothing on the site is for " + quoted(s.Task.Goal)}}, nil
}

func grantsOf(s *Situation) map[string]string {
	secrets := map[string]string{}
	for _, g := range s.Grants {
		secrets[g.Name] = g.Name
	}
	return secrets
}
