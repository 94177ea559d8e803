package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/removal"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// remove plans for what deletes or cancels one thing: a control that is for it alone, which a person has to confirm;
// and behind it the control that answers the page's own question, which a person has to confirm as well.
func (p *Skills) remove(ctx context.Context, s *task.PlannerInput, in goal.Intent) (task.Decision, error) {
	giveUp := func(format string, args ...any) (task.Decision, error) {
		return task.Decision{GiveUp: &task.GiveUp{Reason: fmt.Sprintf(format, args...)}}, nil
	}
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return task.Decision{}, err
	}
	nodes, verbs := removal.Nodes(snapshot), removal.Verbs[in.Verb]
	effect, pressed := pressedFor(s.Task)
	if pressed {
		answers := removal.Answers(nodes, verbs)
		if len(answers) == 0 {
			answers = freshAnswers(nodes, func(label string) bool {
				return s.Fresh(label) && !task.Clicked(s.Task, label)
			}, verbs)
		}
		if len(answers) == 1 {
			if d := pressing(s, answers[0], effect); !tried(s, d.Plan.Steps) {
				return d, nil
			}
		}
	}
	if pressed && task.LastFrom(s.Task) == s.Summary.URL {
		// it was pressed on this very page, which has no question left to answer
		return giveUp("it was pressed, but no effect was seen%s", phrase.Because(s.Trouble))
	}
	found := removal.Find(nodes, s.Summary.Title, in.What, verbs)
	switch {
	case len(found) > 1:
		several := task.Unbound{Slot: "what", Why: strconv.Itoa(len(found)) + " items on the page match it"}
		for _, t := range found[:min(len(found), task.MostCandidates)] {
			several.Candidates = append(several.Candidates, pcd.Candidate{
				ID:    t.Ref,
				Of:    pcd.CandidateAction,
				Label: t.Name + " of " + phrase.Clip(t.Text),
				Kind:  pcd.KindDelete,
			})
		}
		d, err := giveUp("%d items on the page match %s; name it as the page does", len(found), phrase.Quoted(in.What))
		d.GiveUp.Unbound = []task.Unbound{several}
		return d, err
	case len(found) == 1:
		d := pressing(s, found[0], task.Effect{
			Kind:     task.Removed,
			Text:     found[0].Text,
			Selector: found[0].Name,
			Item:     found[0].Item,
		})
		if !tried(s, d.Plan.Steps) {
			d.Plan.Omitted = unused(s, d.Plan)
			return d, nil
		}
	}
	if pressed {
		return giveUp("it was pressed, but no effect was seen%s", phrase.Because(s.Trouble))
	}
	if target := in.Goal(); s.Task.Skill == "" && !target.IsZero() && !p.explored(s, target.String()) {
		return task.Decision{
			Explore: &task.Explore{Goal: target.String(), Spec: true, Hint: strings.Join(in.Hints(), " ")},
		}, nil
	}
	return giveUp("no visible control is only for %s", phrase.Quoted(s.Task.Goal))
}

// pressing is the plan that presses a control which removes something.
func pressing(s *task.PlannerInput, t removal.Control, effect task.Effect) task.Decision {
	args, _ := json.Marshal(map[string]string{"selector": t.Ref}) // texts
	about := fmt.Sprintf("Click %q", phrase.Clip(t.Name))
	if t.Text != "" && t.Text != t.Name {
		about += " of " + phrase.Quoted(t.Text)
	}
	return task.Decision{
		Plan: &task.Plan{
			Rationale: "remove: " + about,
			Steps: []toolbox.Step{
				{Kind: toolbox.ConfirmStep, Message: about + " at " + s.Summary.Origin + "?", Risk: toolbox.Low},
				{
					Kind:        toolbox.ToolStep,
					Call:        &toolbox.Call{Name: toolbox.ClickTool, Args: args},
					Description: about,
					Risk:        toolbox.High,
				},
				atRest(),
			},
			Effects: []task.Effect{effect},
		},
	}
}

// atRest waits until no request is under way; a page that is never at rest is taken as it is.
func atRest() toolbox.Step {
	return toolbox.Step{
		Kind:        toolbox.BranchStep,
		Risk:        toolbox.Low,
		Description: "Wait for the page",
		Options: []toolbox.Option{
			{
				Label: "the page has settled",
				Call:  toolbox.Call{Name: "dom.waitFor", Args: json.RawMessage(`{"event":"networkIdle","timeoutMs":8000}`)},
			},
			{Label: "the page as it is", Call: toolbox.Call{Name: "getMiniPCD", Args: json.RawMessage(`{}`)}},
		},
	}
}

// pressedFor is what the task has already pressed a control for, if it has.
func pressedFor(t *task.Task) (task.Effect, bool) {
	if t.Plan == nil || len(t.Plan.Effects) != 1 || t.Plan.Effects[0].Kind != task.Removed {
		return task.Effect{}, false
	}
	return t.Plan.Effects[0], slices.ContainsFunc(t.History, func(h task.StepRecord) bool {
		return h.PlanID == t.Plan.ID && h.Status == task.StepOK && h.Step.Call != nil && h.Step.Call.Name == toolbox.ClickTool
	})
}

// freshAnswers are controls that came behind the last step and say yes to a question.
func freshAnswers(nodes []removal.Node, fresh func(string) bool, verbs []string) []removal.Control {
	var found []removal.Control
	for _, n := range nodes {
		if removal.IsControl(n) && fresh(n.Name) && removal.Agrees(n.Name, verbs) {
			found = append(found, removal.Control{Ref: n.Ref, Name: n.Name, Role: n.Role})
		}
	}
	return found
}
