package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/removal"
	"github.com/skua-browser/skua/internal/fault"
)

var _ task.GoalChecker = (*Skills)(nil)

// able is what the rules can do, for people whose goal they cannot.
const able = "The planner skills can: open a page (\"open Settings > Billing\", or a test such as form:billing), " +
	"search for something, log in and out, fill in a form and submit it with --param, download what a list has, sort or " +
	"filter a list and turn its pages, put a product into the cart, buy what is in the cart, upload a file, delete or " +
	"cancel one thing that the page names. For anything else use --planner model, or commands."

// CheckSentence says of a sentence that no skill does it, or not all of it. What goes into fields may be said later.
func (p *Skills) CheckSentence(t *task.Task) error {
	own := *t
	own.Params = map[string]string{"": ""}
	return p.CheckGoal(&own)
}

// CheckGoal says of a goal, before anything is done, that the rules have no skill for it or cannot do all of it.
func (p *Skills) CheckGoal(t *task.Task) error {
	if goal.IsSpec(t.Goal) {
		return checkTest(t)
	}
	in := p.understood(t)
	given := len(t.Params)+len(t.Grants) > 0
	refuse := func(why, instead string) error {
		return fault.New(fault.Usage, "Goal %q: %s; nothing was done.", phrase.Clip(t.Goal), why).About(t.Goal).WithHint("%s",
			instead)
	}
	switch {
	case in.Not:
		return refuse("it says what not to do", able)
	case len(in.Also) > 0:
		return refuse("it asks for more than one thing, but a task does only one; left over is "+
			strings.Join(quotedAll(in.Also), " and "),
			"Run one task for each, one after the other. Put words that belong together into quotation marks.")
	}
	switch in.Verb {
	case "":
		return refuse("no skill is for it", able)
	case goal.Change:
		return refuse("no skill changes what a site keeps",
			"`task run \"open …\"` opens the page for it, and `task run \"fill in the form and submit\" --param name=value` "+
				"fills in its form. --planner model plans freely.")
	case goal.Upload:
		if len(in.Files) > 0 {
			return nil
		}
		return refuse("it does not say which file",
			"Name it: task run \"upload photo.jpg\". `upload <selector> <file>` puts a file into a field, and `task run "+
				"\"open …\"` opens the page that has it.")
	case goal.Fill, goal.Contact, goal.Book, goal.Apply, goal.Subscribe, goal.Signup:
		if !given {
			return refuse("it does not say what to enter into the form",
				"Give it with --param name=value, once for each field; `capabilities` shows the fields of the page. `task run "+
					"\"open …\"` only opens a page.")
		}
	case goal.Search:
		if in.Query == "" {
			return refuse("it does not say what is searched for", "Name it: task run \"search for tents\".")
		}
	case goal.Open:
		if in.Query == "" && in.Object == "" && len(in.Path) == 0 {
			return refuse("it does not say which page", "Name it as the page's menu does: task run \"open Settings > Billing\".")
		}
	case goal.Delete, goal.Cancel:
		if in.What == "" {
			return refuse("it does not say what", "Name it as the page does: task run \"delete ticket 17\".")
		}
		if in.Every {
			return refuse("actions that cannot be undone are done one by one", "Name one: task run \"delete ticket 17\".")
		}
	}
	return nil
}

// checkTest says of a test of pages that it cannot be read, or that values are given for which it has no use.
func checkTest(t *task.Task) error {
	if _, err := goal.Parse(t.Goal); err != nil {
		return err
	}
	if _, later := t.Params[""]; len(t.Params)+len(t.Grants) > 0 && !later {
		return fault.New(fault.Usage, "Goal %q: a test only finds a page; --param and --grant have no use; nothing was done.",
			phrase.Clip(t.Goal)).About(t.Goal).
			WithHint("Say in a sentence what to do there: task run \"fill in the form\" --param name=value.")
	}
	return nil
}

func quotedAll(list []string) []string {
	all := make([]string, len(list))
	for i, text := range list {
		all[i] = phrase.Quoted(text)
	}
	return all
}

// narrowed is what a goal says of the thing that is meant and that is not looked at where a page is enough.
func narrowed(in goal.Intent) []string {
	var left []string
	if in.Latest {
		left = append(left, "the newest one was not looked for")
	}
	if in.Period != nil {
		left = append(left, "“"+in.Period.Text+"” was not looked at")
	}
	if in.Amount != nil {
		left = append(left, "the sum was not looked at")
	}
	return left
}

// leftOut says what of the goal a plan that would end the task does not do.
func (p *Skills) leftOut(
	ctx context.Context, s *task.PlannerInput, in goal.Intent, name string, plan *task.Plan,
) ([]string, error) {
	var left []string
	switch name {
	case "navigate", "search", "login", "logout", "fill":
		left = narrowed(in)
	case "checkout":
		if in.Query != "" {
			snapshot, err := s.Snapshot(ctx)
			if err != nil {
				return nil, err
			}
			if !removal.SaysAll(snapshot, in.Query) {
				left = append(left,
					"“"+in.Query+"”: the page where the order is placed does not name it; what the cart holds is ordered")
			}
		}
		left = append(left, narrowed(in)...)
	}
	if name == "fill" {
		return left, nil // it says itself which values have no field
	}
	return append(left, unused(s, plan)...), nil
}

// unused are the values that no step of the task types or chooses.
func unused(s *task.PlannerInput, plan *task.Plan) []string {
	var used strings.Builder
	note := func(description string, args json.RawMessage) {
		used.WriteString(description)
		var texts map[string]any
		if json.Unmarshal(args, &texts) == nil {
			for _, name := range slices.Sorted(maps.Keys(texts)) {
				_, _ = fmt.Fprintf(&used, "\n%v", texts[name])
			}
		}
		used.WriteByte('\n')
	}
	for i := range s.Task.History {
		if call := s.Task.History[i].Step.Call; call != nil {
			note(s.Task.History[i].Step.Description, call.Args)
		}
	}
	for _, step := range plan.Steps {
		if step.Call != nil {
			note(step.Description, step.Call.Args)
		}
	}
	var left []string
	for _, key := range slices.Sorted(maps.Keys(s.Params)) {
		if !strings.Contains(used.String(), s.Params[key]) && !removal.SaysAll(used.String(), key) {
			left = append(left, "--param "+key+": nothing on the way asked for it")
		}
	}
	return left
}
