package rules

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/removal"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// Skills plans by the fixed rules of package skill: the same task on the same pages is planned the same way. What pages
// say changes which element is meant, and never what is done.
type Skills struct {
	Zone *time.Location // in which "last month" is meant
}

var _ task.Planner = (*Skills)(nil)

// Name is "skills".
func (*Skills) Name() string { return "skills" }

// surest is how sure a skill has to be of a page before it is used there.
const surest = 0.3

// named is how sure a skill has to be that a list is of the right kind for its other pages to be turned to.
const named = 0.6

// DerivesProof says that what the plans are to lead to follows from the goal, by rules that no page changes.
func (*Skills) DerivesProof() bool { return true }

// understood is the intent of a task: a task that goes on next month still means the same one.
func (p *Skills) understood(t *task.Task) goal.Intent {
	return goal.ParseIntent(t.Goal, time.UnixMilli(t.CreatedAt).In(p.Zone))
}

// Plan uses the first skill that fits the page. Where none does it turns the pages of a list that may have it further
// on, looks for another page of the site, logs in where that was granted, and asks a person in this order.
func (p *Skills) Plan(ctx context.Context, s *task.PlannerInput) (task.Decision, error) {
	if s.Task.Skill != "" {
		return p.alone(ctx, s)
	}
	if goal.IsSpec(s.Task.Goal) {
		return p.find(s)
	}
	if err := p.CheckGoal(s.Task); err != nil {
		return task.Decision{GiveUp: &task.GiveUp{Reason: err.Error()}}, nil
	}
	intent := p.understood(s.Task)
	if removal.Verbs[intent.Verb] != nil {
		return p.remove(ctx, s, intent)
	}
	if intent.Verb == goal.Login && s.Summary.LoginState == pcd.LoggedIn && len(s.Task.History) == 0 {
		return task.Decision{
			GiveUp: &task.GiveUp{Reason: "a user is already logged in: the page offers to log out; nothing was done"},
		}, nil
	}
	if intent.Verb == goal.Download && !intent.Every && len(s.Task.Saved()) > 0 {
		return task.Decision{Done: &task.Done{Effects: []task.Effect{{Kind: task.Downloaded}}}}, nil
	}
	if s.Trouble != "" && task.Acted(s.Task) && (once(s) || strings.HasPrefix(s.Summary.URL, "chrome-error:")) {
		return task.Decision{GiveUp: &task.GiveUp{Reason: s.Trouble}}, nil
	}
	uses := skill.ForIntent(intent, s.Params, grantsOf(s))
	listed := false
	for _, use := range uses {
		d, list, err := p.use(ctx, s, intent, use)
		if err != nil || d != (task.Decision{}) {
			return d, err
		}
		listed = listed || list
	}
	if listed {
		if turn, err := skill.NewInvocation("paginate", nil); err == nil && len(s.Task.History) < s.Task.Limits.Steps {
			if d, _, err := p.use(ctx, s, intent, turn); err != nil || d != (task.Decision{}) {
				return d, err
			}
		}
	}
	if files := s.Task.Saved(); intent.Every && len(files) > 0 {
		return task.Decision{
			Done: &task.Done{Effects: []task.Effect{{Kind: task.Downloaded, Count: len(files)}}, Omitted: unsaved(s)},
		}, nil
	}
	if s.Trouble != "" && intent.Verb != goal.Open && task.Acted(s.Task) {
		// it was done here and did not help: another page would not either
		return task.Decision{GiveUp: &task.GiveUp{Reason: s.Trouble}}, nil
	}
	return p.elsewhere(ctx, s, intent, listed)
}

// once reports whether the last plan must not be repeated without being asked: it sent something, with an unknown
// result. A page that asks for a code after a password is a new step and no repetition.
func once(s *task.PlannerInput) bool {
	return slices.ContainsFunc(s.Task.Plan.Effects, func(e task.Effect) bool {
		if e.Kind == task.InCart {
			return true
		}
		code := goal.Predicate{Form: pcd.PurposeOTP}
		return e.Kind == task.Sent || e.Kind == task.Ordered || e.Kind == task.LoggedIn && !code.Hit(s.Summary) ||
			e.Kind == task.LoggedOut && task.LastFrom(s.Task) == s.Summary.URL
	})
}

// unsaved says what a task that downloads everything has left out: rows that could not be downloaded, and pages of the
// list that were not turned to.
func unsaved(s *task.PlannerInput) []string {
	var left []string
	for i := range s.Task.History {
		h := &s.Task.History[i]
		if h.Status == task.StepError && h.Step.Call != nil && h.Step.Call.Name == toolbox.ClickTool && h.Result != nil {
			left = append(left, h.Step.Description+": "+phrase.Clip(h.Result.Error))
		}
	}
	if turn, err := skill.NewInvocation("paginate", nil); err == nil {
		for _, m := range turn.Match(Offered(s.Summary)) {
			if m.Confidence >= surest && m.Slots["turn"] != "" {
				left = append(left, "the list goes on behind "+m.Why+", which did not lead there")
				break
			}
		}
	}
	return left
}

func (p *Skills) explored(s *task.PlannerInput, target string) bool {
	for _, e := range s.Task.Explorations {
		if e.Goal == target {
			return true
		}
	}
	return false
}

// use plans with a skill when it fits the page. Listed says that a list of the right kind is there, and none of its
// rows is meant.
func (p *Skills) use(
	ctx context.Context, s *task.PlannerInput, intent goal.Intent, use skill.Invocation,
) (d task.Decision, listed bool, err error) {
	sure := 0.0 // how sure it is of the list that has none of the rows
	for _, m := range use.Match(Offered(s.Summary)) {
		// Where a list is of the right kind, what else the page lists is of another.
		if m.Confidence < surest || listed && len(m.Look) > 0 && m.Confidence < sure {
			break
		}
		facts, err := p.facts(ctx, s, m)
		if err != nil {
			return task.Decision{}, false, err
		}
		if len(m.Several) > 0 {
			return p.ambiguous(ctx, s, use, m.Several)
		}
		b, ok := use.Bind(m, facts)
		if !ok && len(b.Several) > 0 {
			return p.ambiguous(ctx, s, use, b.Several)
		}
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
				return task.Decision{}, false, err
			}
			return lacks(use, b.Missing, f.Error()), false, nil
		}
		every := use.Skill.Name == "download" && intent.Every
		if every {
			if steps = undone(s, steps); len(steps) == 0 {
				listed, sure = true, m.Confidence
				continue
			}
		}
		steps = trusted(s.Task, steps)
		if len(steps) == 0 || tried(s, steps) && !again(s, use) {
			continue
		}
		plan := &task.Plan{
			Steps:     steps,
			Rationale: use.Skill.Name + ": " + m.Why,
			Bindings:  b.Details,
			Saves:     every,
			Omitted:   b.Left,
			Chosen:    b.Chosen,
		}
		for _, c := range use.Checks(b) {
			if !c.Part && (use.Skill.Name != "paginate" || s.Task.Skill == use.Skill.Name) && !every {
				plan.Effects = append(plan.Effects, effectOf(c))
			}
		}
		if s.Task.Skill != "" && len(plan.Effects) == 0 && !every && s.Task.Intent().Verb != goal.Paginate &&
			use.Skill.Name != "paginate" && repeated(s, steps) {
			continue
		}
		if len(plan.Effects) == 0 && ways[use.Skill.Name] && task.Clicks(s.Task) >= mostWays {
			continue // what was pressed so far has led to nothing that could be used
		}
		if len(plan.Effects) > 0 && s.Task.Skill == "" {
			left, err := p.leftOut(ctx, s, intent, use.Skill.Name, plan)
			if err != nil {
				return task.Decision{}, false, err
			}
			plan.Omitted = append(plan.Omitted, left...)
		}
		return task.Decision{Plan: plan}, false, nil
	}
	return task.Decision{}, listed, nil
}

// ways are the skills that press what may show what they need, and mostWays is how often.
var ways = map[string]bool{"search": true, "login": true, "logout": true, "filter": true, "sort": true}

const mostWays = 3

// Offered is the page without hidden lists, and, when its main landmark has lists, without those outside of it: they
// are not what the page is about, whatever they are called.
func Offered(s *pcd.Summary) *pcd.Summary {
	inMain := func(c pcd.Collection) bool { return c.Landmark == pcd.Main }
	page := *s
	page.Collections = slices.DeleteFunc(slices.Clone(s.Collections), func(c pcd.Collection) bool { return c.Unseen })
	if slices.ContainsFunc(page.Collections, inMain) {
		page.Collections = slices.DeleteFunc(page.Collections, func(c pcd.Collection) bool { return !inMain(c) })
	}
	return &page
}

// facts are what the skill wants to know of the page.
func (p *Skills) facts(ctx context.Context, s *task.PlannerInput, m skill.Match) (skill.Facts, error) {
	var facts skill.Facts
	for _, call := range m.Look {
		res, err := s.Look(ctx, call)
		if err != nil {
			return facts, err
		}
		if !res.OK {
			continue // the list went away while the page was looked at
		}
		rows, err := toolbox.Decode[pcd.Rows](toolbox.Reply{Data: res.Data})
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

func effectOf(c skill.Check) task.Effect {
	switch c.Kind {
	case skill.SawDownload:
		return task.Effect{Kind: task.Downloaded, Text: c.Text}
	case skill.SawValue:
		return task.Effect{Kind: task.HasValue, Selector: c.Selector, Text: c.Text}
	case skill.SawChoice:
		return task.Effect{Kind: task.Chosen, Selector: c.Selector}
	case skill.SawOpened:
		return task.Effect{Kind: task.Reached, Text: c.Text, URL: c.URL}
	case skill.SawAnswer:
		return task.Effect{Kind: task.Found, Text: c.Text}
	case skill.SawSent:
		return task.Effect{Kind: task.Sent}
	case skill.SawOrder:
		return task.Effect{Kind: task.Ordered, Goal: c.Goal}
	case skill.SawLogin:
		return task.Effect{Kind: task.LoggedIn, Goal: c.Goal}
	case skill.SawLogout:
		return task.Effect{Kind: task.LoggedOut}
	case skill.SawSorted:
		return task.Effect{Kind: task.Sorted, Text: c.Text, Down: c.Down}
	case skill.SawFiltered:
		return task.Effect{Kind: task.Filtered, Key: c.Key, Text: c.Text}
	case skill.SawTurned:
		return task.Effect{Kind: task.Paged}
	case skill.SawInCart:
		return task.Effect{Kind: task.InCart, Text: c.Text}
	case skill.SawUnsent:
		return task.Effect{Kind: task.Unsent, Text: c.Text}
	}
	return task.Effect{Kind: task.AtPage, Goal: c.Goal, Text: c.Text, Changed: c.Changed}
}

// undone are the steps that were not done or tried before on this page: of a list that goes on behind another page, or
// that was left in its middle.
func undone(s *task.PlannerInput, steps []toolbox.Step) []toolbox.Step {
	return slices.DeleteFunc(slices.Clone(steps), func(step toolbox.Step) bool {
		return slices.ContainsFunc(s.Task.History, func(h task.StepRecord) bool {
			return h.From == s.Summary.URL && h.Step.Description == step.Description && h.Step.Call != nil &&
				h.Step.Call.Name == toolbox.ClickTool
		})
	})
}

// tried reports whether the first act of the steps was done or tried on this very page before: what did not help then
// does not help now.
func tried(s *task.PlannerInput, steps []toolbox.Step) bool {
	for _, step := range steps {
		if step.Call == nil {
			continue
		}
		for i := range s.Task.History {
			h := &s.Task.History[i]
			if h.Step.Call == nil || h.Step.Call.Name != step.Call.Name || h.From != s.Summary.URL ||
				!sameArgs(h.Step.Call.Args, step.Call.Args) {
				continue
			}
			if h.Status != task.StepOK || h.PCDTS == s.Summary.TS {
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
func (p *Skills) elsewhere(
	ctx context.Context, s *task.PlannerInput, intent goal.Intent, listed bool,
) (task.Decision, error) {
	target := intent.Way()
	if intent.Verb == goal.Open && target.Hit(s.Summary) { // what says it here is not what leads there
		target = intent.Goal()
	}
	if !target.IsZero() && !(listed && target.Hit(s.Summary)) && !p.explored(s, target.String()) {
		return task.Decision{
			Explore: &task.Explore{Goal: target.String(), Spec: true, Hint: strings.Join(intent.Hints(), " ")},
		}, nil
	}
	login := goal.Predicate{Form: "login"}
	if s.Summary.LoginState != pcd.LoggedIn && login.Hit(s.Summary) && intent.Verb != goal.Login {
		if len(s.Grants) > 0 {
			for _, use := range skill.ForIntent(goal.Intent{Verb: goal.Login}, s.Params, grantsOf(s)) {
				if d, _, err := p.use(ctx, s, intent, use); err != nil || d != (task.Decision{}) {
					if d.Plan != nil {
						d.Plan.Effects = nil // to be logged in is a part of the way
					}
					return d, err
				}
			}
		}
		return task.Decision{
			NeedsUser: &task.NeedsUser{
				Question: "the site wants a login: log in, or grant one with --grant password=vault:NAME --param username=NAME",
			},
		}, nil
	}
	if d, ok := p.arrived(s, intent); ok {
		return d, nil
	}
	switch {
	case s.Trouble != "":
		return task.Decision{GiveUp: &task.GiveUp{Reason: s.Trouble}}, nil
	case task.UnknownStep(s.Task) != nil:
		step := task.UnknownStep(s.Task)
		return task.Decision{
			GiveUp: &task.GiveUp{
				Reason: "it is not known whether step " + strconv.Itoa(step.N) + " was done (" + step.Step.Description +
					"), and it is not repeated: look at the page, and begin another task if it was not",
			},
		}, nil
	case listed:
		return task.Decision{
			GiveUp: &task.GiveUp{Reason: "the list has nothing that matches " + phrase.Quoted(s.Task.Goal)},
		}, nil
	}
	return task.Decision{GiveUp: &task.GiveUp{Reason: "nothing on the site is for " + phrase.Quoted(s.Task.Goal)}}, nil
}

// arrived is for goals that ask for a page, and for nothing else: the page is the proof.
func (p *Skills) arrived(s *task.PlannerInput, intent goal.Intent) (task.Decision, bool) {
	if intent.Verb != goal.Open {
		return task.Decision{}, false
	}
	named := intent.Named()
	target := named
	if intent.Object != "" && len(intent.Path) == 0 && !named.Hit(s.Summary) {
		target = intent.Goal()
	}
	if target.IsZero() || !target.Hit(s.Summary) {
		return task.Decision{}, false
	}
	done := &task.Done{
		Answer:  "the page for it is open: " + s.Summary.Title,
		Effects: []task.Effect{{Kind: task.AtPage, Goal: target.String()}},
		Omitted: narrowed(intent),
	}
	if intent.Query != "" && !named.Hit(s.Summary) {
		done.Omitted = append(done.Omitted, "“"+intent.Query+"” was not found there")
	}
	return task.Decision{Done: done}, true
}

// find plans for a goal that is a test of pages: the page that is shown, or one of the site that it leads to, has to
// pass it.
func (p *Skills) find(s *task.PlannerInput) (task.Decision, error) {
	target, err := goal.Parse(s.Task.Goal)
	switch {
	case err != nil:
		return task.Decision{GiveUp: &task.GiveUp{Reason: err.Error()}}, nil
	case target.Hit(s.Summary):
		return task.Decision{
			Done: &task.Done{
				Answer:  "the page passes the test: " + s.Summary.Title,
				Effects: []task.Effect{{Kind: task.AtPage, Goal: target.String()}},
			},
		}, nil
	case !p.explored(s, target.String()):
		return task.Decision{Explore: &task.Explore{Goal: target.String(), Spec: true}}, nil
	}
	return task.Decision{GiveUp: &task.GiveUp{Reason: cmp.Or(s.Trouble, "no page of the site passes the test")}}, nil
}

func grantsOf(s *task.PlannerInput) map[string]string {
	secrets := map[string]string{}
	for _, g := range s.Grants {
		secrets[g.Name] = g.Name
	}
	return secrets
}
