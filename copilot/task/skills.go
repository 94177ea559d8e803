package task

import (
	"cmp"
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
	"github.com/skua-browser/skua/internal/fault"
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

// DerivesProof says that what the plans are to lead to follows from the goal, by rules that no page changes.
func (*Skills) DerivesProof() bool { return true }

// understood is the intent of a task: a task that goes on next month still means the same one.
func (p *Skills) understood(t *Task) goal.Intent {
	return goal.ParseIntent(t.Goal, time.UnixMilli(t.CreatedAt).In(p.Zone))
}

// Plan uses the first skill that fits the page. Where none does it turns the pages of a list that may have it further on, looks for another page of
// the site, logs in where that was granted, and asks a person in this order.
func (p *Skills) Plan(ctx context.Context, s *PlannerInput) (Decision, error) {
	if s.Task.Skill != "" {
		return p.alone(ctx, s)
	}
	if goal.IsSpec(s.Task.Goal) {
		return p.find(s)
	}
	if err := p.CheckGoal(s.Task); err != nil {
		return Decision{GiveUp: &GiveUp{Reason: err.Error()}}, nil
	}
	intent := p.understood(s.Task)
	if removing[intent.Verb] != nil {
		return p.remove(ctx, s, intent)
	}
	if intent.Verb == goal.Login && s.Summary.LoginState == pcd.LoggedIn && len(s.Task.History) == 0 {
		return Decision{GiveUp: &GiveUp{Reason: "a user is already logged in: the page offers to log out; nothing was done"}}, nil
	}
	if intent.Verb == goal.Download && !intent.Every && len(saved(s.Task)) > 0 {
		return Decision{Done: &Done{Effects: []Effect{{Kind: Downloaded}}}}, nil
	}
	if s.Trouble != "" && acted(s.Task) && (once(s) || strings.HasPrefix(s.Summary.URL, "chrome-error:")) {
		return Decision{GiveUp: &GiveUp{Reason: s.Trouble}}, nil
	}
	uses := skill.ForIntent(intent, s.Params, grantsOf(s))
	listed := false
	for _, use := range uses {
		d, list, err := p.use(ctx, s, intent, use)
		if err != nil || d != (Decision{}) {
			return d, err
		}
		listed = listed || list
	}
	if listed {
		if turn, err := skill.NewInvocation("paginate", nil); err == nil && len(s.Task.History) < s.Task.Limits.Steps {
			if d, _, err := p.use(ctx, s, intent, turn); err != nil || d != (Decision{}) {
				return d, err
			}
		}
	}
	if files := saved(s.Task); intent.Every && len(files) > 0 {
		return Decision{Done: &Done{Effects: []Effect{{Kind: Downloaded, Count: len(files)}}, Omitted: unsaved(s)}}, nil
	}
	if s.Trouble != "" && intent.Verb != goal.Open && acted(s.Task) {
		return Decision{GiveUp: &GiveUp{Reason: s.Trouble}}, nil // it was done here and did not help: another page would not either
	}
	return p.elsewhere(ctx, s, intent, listed)
}

// once reports whether the last plan must not be repeated without being asked: it sent something, with an unknown result. A page that asks for a code
// after a password is a new step and no repetition.
func once(s *PlannerInput) bool {
	return slices.ContainsFunc(s.Task.Plan.Effects, func(e Effect) bool {
		if e.Kind == InCart {
			return true
		}
		code := goal.Predicate{Form: pcd.PurposeOTP}
		return e.Kind == Sent || e.Kind == Ordered || e.Kind == LoggedIn && !code.Hit(s.Summary) || e.Kind == LoggedOut && lastFrom(s.Task) == s.Summary.URL
	})
}

// acted reports whether the last plan was to lead to the goal, and was carried out.
func acted(t *Task) bool {
	if t.Plan == nil || len(t.Plan.Effects) == 0 || len(t.History) == 0 {
		return false
	}
	last := t.History[len(t.History)-1]
	return last.PlanID == t.Plan.ID && last.Status == StepOK
}

// saved are the files that steps of the task have saved.
func saved(t *Task) []string {
	var files []string
	for i := range t.History {
		if path := t.History[i].savedFile(); path != "" && t.History[i].Status == StepOK && !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	return files
}

// Saved are the files that steps of the task have saved.
func (t *Task) Saved() []string { return saved(t) }

// unsaved says what a task that downloads everything has left out: rows that could not be downloaded, and pages of the list that were not turned to.
func unsaved(s *PlannerInput) []string {
	var left []string
	for i := range s.Task.History {
		h := &s.Task.History[i]
		if h.Status == StepError && h.Step.Call != nil && h.Step.Call.Name == clickTool && h.Result != nil {
			left = append(left, h.Step.Description+": "+clip(h.Result.Error))
		}
	}
	if turn, err := skill.NewInvocation("paginate", nil); err == nil {
		for _, m := range turn.Match(offered(s.Summary)) {
			if m.Confidence >= surest && m.Slots["turn"] != "" {
				left = append(left, "the list goes on behind "+m.Why+", which did not lead there")
				break
			}
		}
	}
	return left
}

func quoted(text string) string { return "“" + clip(text) + "”" }

func (p *Skills) explored(s *PlannerInput, target string) bool {
	for _, e := range s.Task.Explorations {
		if e.Goal == target {
			return true
		}
	}
	return false
}

// use plans with a skill when it fits the page. Listed says that a list of the right kind is there, and none of its rows is meant.
func (p *Skills) use(ctx context.Context, s *PlannerInput, intent goal.Intent, use skill.Invocation) (d Decision, listed bool, err error) {
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
				return Decision{}, false, err
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
		steps = s.Task.trusted(steps)
		if len(steps) == 0 || tried(s, steps) && !again(s, use) {
			continue
		}
		plan := &Plan{Steps: steps, Rationale: use.Skill.Name + ": " + m.Why, Bindings: b.Details, Saves: every, Omitted: b.Left, Chosen: b.Chosen}
		for _, c := range use.Checks(b) {
			if !c.Part && (use.Skill.Name != "paginate" || s.Task.Skill == use.Skill.Name) && !every {
				plan.Effects = append(plan.Effects, effectOf(c))
			}
		}
		if s.Task.Skill != "" && len(plan.Effects) == 0 && !every && s.Task.intent().Verb != goal.Paginate && use.Skill.Name != "paginate" && repeated(s, steps) {
			continue
		}
		if len(plan.Effects) == 0 && ways[use.Skill.Name] && clicks(s.Task) >= mostWays {
			continue // what was pressed so far has led to nothing that could be used
		}
		if len(plan.Effects) > 0 && s.Task.Skill == "" {
			left, err := p.leftOut(ctx, s, intent, use.Skill.Name, plan)
			if err != nil {
				return Decision{}, false, err
			}
			plan.Omitted = append(plan.Omitted, left...)
		}
		return Decision{Plan: plan}, false, nil
	}
	return Decision{}, listed, nil
}

// ways are the skills that press what may show what they need, and mostWays is how often.
var ways = map[string]bool{"search": true, "login": true, "logout": true, "filter": true, "sort": true}

const mostWays = 3

// clicks are how often the task has clicked.
func clicks(t *Task) int {
	n := 0
	for i := range t.History {
		if call := t.History[i].Step.Call; call != nil && call.Name == clickTool {
			n++
		}
	}
	return n
}

// offered is the page without hidden lists, and, when its main landmark has lists, without those outside of it: they are not what the page is about,
// whatever they are called.
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
func (p *Skills) facts(ctx context.Context, s *PlannerInput, m skill.Match) (skill.Facts, error) {
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

func effectOf(c skill.Check) Effect {
	switch c.Kind {
	case skill.SawDownload:
		return Effect{Kind: Downloaded, Text: c.Text}
	case skill.SawValue:
		return Effect{Kind: HasValue, Selector: c.Selector, Text: c.Text}
	case skill.SawChoice:
		return Effect{Kind: Chosen, Selector: c.Selector}
	case skill.SawOpened:
		return Effect{Kind: Reached, Text: c.Text, URL: c.URL}
	case skill.SawAnswer:
		return Effect{Kind: Found, Text: c.Text}
	case skill.SawSent:
		return Effect{Kind: Sent}
	case skill.SawOrder:
		return Effect{Kind: Ordered, Goal: c.Goal}
	case skill.SawLogin:
		return Effect{Kind: LoggedIn, Goal: c.Goal}
	case skill.SawLogout:
		return Effect{Kind: LoggedOut}
	case skill.SawSorted:
		return Effect{Kind: Sorted, Text: c.Text, Down: c.Down}
	case skill.SawFiltered:
		return Effect{Kind: Filtered, Key: c.Key, Text: c.Text}
	case skill.SawTurned:
		return Effect{Kind: Paged}
	case skill.SawInCart:
		return Effect{Kind: InCart, Text: c.Text}
	case skill.SawUnsent:
		return Effect{Kind: Unsent, Text: c.Text}
	}
	return Effect{Kind: AtPage, Goal: c.Goal, Text: c.Text, Changed: c.Changed}
}

// undone are the steps that were not done or tried before on this page: of a list that goes on behind another page, or that was left in its middle.
func undone(s *PlannerInput, steps []toolbox.Step) []toolbox.Step {
	return slices.DeleteFunc(slices.Clone(steps), func(step toolbox.Step) bool {
		return slices.ContainsFunc(s.Task.History, func(h StepRecord) bool {
			return h.From == s.Summary.URL && h.Step.Description == step.Description && h.Step.Call != nil && h.Step.Call.Name == clickTool
		})
	})
}

// tried reports whether the first act of the steps was done or tried on this very page before: what did not help then does not help now.
func tried(s *PlannerInput, steps []toolbox.Step) bool {
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
func (p *Skills) elsewhere(ctx context.Context, s *PlannerInput, intent goal.Intent, listed bool) (Decision, error) {
	target := intent.Way()
	if intent.Verb == goal.Open && target.Hit(s.Summary) { // what says it here is not what leads there
		target = intent.Goal()
	}
	if !target.IsZero() && !(listed && target.Hit(s.Summary)) && !p.explored(s, target.String()) {
		return Decision{Explore: &Explore{Goal: target.String(), Spec: true, Hint: strings.Join(intent.Hints(), " ")}}, nil
	}
	login := goal.Predicate{Form: "login"}
	if s.Summary.LoginState != pcd.LoggedIn && login.Hit(s.Summary) && intent.Verb != goal.Login {
		if len(s.Grants) > 0 {
			for _, use := range skill.ForIntent(goal.Intent{Verb: goal.Login}, s.Params, grantsOf(s)) {
				if d, _, err := p.use(ctx, s, intent, use); err != nil || d != (Decision{}) {
					if d.Plan != nil {
						d.Plan.Effects = nil // to be logged in is a part of the way
					}
					return d, err
				}
			}
		}
		return Decision{NeedsUser: &NeedsUser{Question: "the site wants a login: log in, or grant one with --grant password=vault:NAME --param username=NAME"}}, nil
	}
	if d, ok := p.arrived(s, intent); ok {
		return d, nil
	}
	switch {
	case s.Trouble != "":
		return Decision{GiveUp: &GiveUp{Reason: s.Trouble}}, nil
	case unknownStep(s.Task) != nil:
		step := unknownStep(s.Task)
		return Decision{GiveUp: &GiveUp{Reason: "it is not known whether step " + itoa(step.N) + " was done (" + step.Step.Description +
			"), and it is not repeated: look at the page, and begin another task if it was not"}}, nil
	case listed:
		return Decision{GiveUp: &GiveUp{Reason: "the list has nothing that matches " + quoted(s.Task.Goal)}}, nil
	}
	return Decision{GiveUp: &GiveUp{Reason: "nothing on the site is for " + quoted(s.Task.Goal)}}, nil
}

// unknownStep is the last step of which it is not known whether it was done; nil: there is none.
func unknownStep(t *Task) *StepRecord {
	for i := range slices.Backward(t.History) {
		if t.History[i].Unknown {
			return &t.History[i]
		}
	}
	return nil
}

// arrived is for goals that ask for a page, and for nothing else: the page is the proof.
func (p *Skills) arrived(s *PlannerInput, intent goal.Intent) (Decision, bool) {
	if intent.Verb != goal.Open {
		return Decision{}, false
	}
	named := intent.Named()
	target := named
	if intent.Object != "" && len(intent.Path) == 0 && !named.Hit(s.Summary) {
		target = intent.Goal()
	}
	if target.IsZero() || !target.Hit(s.Summary) {
		return Decision{}, false
	}
	done := &Done{Answer: "the page for it is open: " + s.Summary.Title, Effects: []Effect{{Kind: AtPage, Goal: target.String()}}, Omitted: narrowed(intent)}
	if intent.Query != "" && !named.Hit(s.Summary) {
		done.Omitted = append(done.Omitted, "“"+intent.Query+"” was not found there")
	}
	return Decision{Done: done}, true
}

// find plans for a goal that is a test of pages: the page that is shown, or one of the site that it leads to, has to pass it.
func (p *Skills) find(s *PlannerInput) (Decision, error) {
	target, err := goal.Parse(s.Task.Goal)
	switch {
	case err != nil:
		return Decision{GiveUp: &GiveUp{Reason: err.Error()}}, nil
	case target.Hit(s.Summary):
		return Decision{Done: &Done{Answer: "the page passes the test: " + s.Summary.Title, Effects: []Effect{{Kind: AtPage, Goal: target.String()}}}}, nil
	case !p.explored(s, target.String()):
		return Decision{Explore: &Explore{Goal: target.String(), Spec: true}}, nil
	}
	return Decision{GiveUp: &GiveUp{Reason: cmp.Or(s.Trouble, "no page of the site passes the test")}}, nil
}

func grantsOf(s *PlannerInput) map[string]string {
	secrets := map[string]string{}
	for _, g := range s.Grants {
		secrets[g.Name] = g.Name
	}
	return secrets
}
