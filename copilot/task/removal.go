package task

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// removing are the words of controls that do what a verb asks for.
var removing = map[goal.Verb][]string{
	goal.Delete: {"delete", "remove", "erase", "discard", "trash", "close account", "close my account", "deactivate", "löschen", "entfernen", "verwerfen"},
	goal.Cancel: {"cancel", "end", "terminate", "unsubscribe", "stop", "kündigen", "stornieren", "beenden"},
}

// remove plans for what deletes or cancels one thing: a control that is for it alone, which a person has to confirm; and behind it the control that
// answers the page's own question, which a person has to confirm as well.
func (p *Skills) remove(ctx context.Context, s *PlannerInput, in goal.Intent) (Decision, error) {
	giveUp := func(format string, args ...any) (Decision, error) {
		return Decision{GiveUp: &GiveUp{Reason: fmt.Sprintf(format, args...)}}, nil
	}
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return Decision{}, err
	}
	nodes, verbs := nodesOf(snapshot), removing[in.Verb]
	effect, pressed := pressedFor(s.Task)
	if pressed {
		answers := confirmations(nodes, verbs)
		if len(answers) == 0 {
			answers = freshAnswers(nodes, func(label string) bool { return s.Fresh(label) && !clicked(s.Task, label) }, verbs)
		}
		if len(answers) == 1 {
			if d := removal(s, answers[0], effect); !tried(s, d.Plan.Steps) {
				return d, nil
			}
		}
	}
	if pressed && lastFrom(s.Task) == s.Summary.URL { // it was pressed on this very page, which has no question left to answer
		return giveUp("it was pressed, but no effect was seen%s", because(s.Trouble))
	}
	found := thingsToRemove(nodes, s.Summary.Title, in.What, verbs)
	switch {
	case len(found) > 1:
		several := Unbound{Slot: "what", Why: itoa(len(found)) + " items on the page match it"}
		for _, t := range found[:min(len(found), mostCandidates)] {
			several.Candidates = append(several.Candidates, pcd.Candidate{ID: t.ref, Of: pcd.CandidateAction, Label: t.control + " of " + clip(t.text), Kind: pcd.KindDelete})
		}
		d, err := giveUp("%d items on the page match %s; name it as the page does", len(found), quoted(in.What))
		d.GiveUp.Unbound = []Unbound{several}
		return d, err
	case len(found) == 1:
		d := removal(s, found[0], Effect{Kind: Removed, Text: found[0].text, Selector: found[0].control, Item: found[0].item})
		if !tried(s, d.Plan.Steps) {
			d.Plan.Omitted = unused(s, d.Plan)
			return d, nil
		}
	}
	if pressed {
		return giveUp("it was pressed, but no effect was seen%s", because(s.Trouble))
	}
	if target := in.Goal(); s.Task.Skill == "" && !target.IsZero() && !p.explored(s, target.String()) {
		return Decision{Explore: &Explore{Goal: target.String(), Spec: true, Hint: strings.Join(in.Hints(), " ")}}, nil
	}
	return giveUp("no visible control is only for %s", quoted(s.Task.Goal))
}

// removal is the plan that presses a control which removes something.
func removal(s *PlannerInput, t thing, effect Effect) Decision {
	args, _ := json.Marshal(map[string]string{"selector": t.ref}) // texts
	about := fmt.Sprintf("Click %q", clip(t.control))
	if t.text != "" && t.text != t.control {
		about += " of " + quoted(t.text)
	}
	return Decision{Plan: &Plan{
		Rationale: "remove: " + about,
		Steps: []toolbox.Step{
			{Kind: toolbox.ConfirmStep, Message: about + " at " + s.Summary.Origin + "?", Risk: toolbox.Low},
			{Kind: toolbox.ToolStep, Call: &toolbox.Call{Name: clickTool, Args: args}, Description: about, Risk: toolbox.High},
			atRest(),
		},
		Effects: []Effect{effect},
	}}
}

// atRest waits until no request is under way; a page that is never at rest is taken as it is.
func atRest() toolbox.Step {
	return toolbox.Step{
		Kind: toolbox.BranchStep, Risk: toolbox.Low, Description: "Wait for the page",
		Options: []toolbox.Option{
			{Label: "the page has settled", Call: toolbox.Call{Name: "dom.waitFor", Args: json.RawMessage(`{"event":"networkIdle","timeoutMs":8000}`)}},
			{Label: "the page as it is", Call: toolbox.Call{Name: "getMiniPCD", Args: json.RawMessage(`{}`)}},
		},
	}
}

// pressedFor is what the task has already pressed a control for, if it has.
func pressedFor(t *Task) (Effect, bool) {
	if t.Plan == nil || len(t.Plan.Effects) != 1 || t.Plan.Effects[0].Kind != Removed {
		return Effect{}, false
	}
	return t.Plan.Effects[0], slices.ContainsFunc(t.History, func(h StepRecord) bool {
		return h.PlanID == t.Plan.ID && h.Status == StepOK && h.Step.Call != nil && h.Step.Call.Name == clickTool
	})
}

// lastFrom is the page on which the task has clicked last.
func lastFrom(t *Task) string {
	for _, h := range slices.Backward(t.History) {
		if h.Step.Call != nil && h.Step.Call.Name == clickTool {
			return h.From
		}
	}
	return ""
}

// clicked reports whether the task has clicked a control of this label.
func clicked(t *Task, label string) bool {
	return slices.ContainsFunc(t.History, func(h StepRecord) bool {
		return h.Step.Call != nil && h.Step.Call.Name == clickTool && sameLabel(h.Label, label)
	})
}

// freshAnswers are controls that came behind the last step and say yes to a question.
func freshAnswers(nodes []node, fresh func(string) bool, verbs []string) []thing {
	var found []thing
	for _, n := range nodes {
		if isControl(n) && fresh(n.name) && agrees(n.name, verbs) {
			found = append(found, thing{ref: n.ref, control: n.name, role: n.role})
		}
	}
	return found
}
