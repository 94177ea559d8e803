package copilot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/internal/fault"
)

// The ids of continuations.
const (
	confirmID = "confirm"
	denyID    = "deny"
	resumeID  = "resume"
)

// continuations are the command lines by which a task that came to rest goes on, complete except for values that only
// the caller knows.
func continuations(c *actions.Call, t *task.Task) []task.Continuation {
	line := func(id, why string, words ...string) task.Continuation {
		var args []string
		if c.Flagged("namespace") {
			args = append(args, "--namespace", c.String("namespace"))
		}
		if t.Session != "" {
			args = append(args, "--session", t.Session)
		}
		return task.Continuation{ID: id, Args: append(append(args, "task", id, t.ID), words...), Why: why}
	}
	switch {
	case t.Decides():
		words := []string{t.Awaiting.ID}
		for _, g := range t.StillSecret() {
			if strings.HasPrefix(g.Source, "env:") { // the variable is handed over with each command
				words = append(words, "--grant", g.Name+"="+g.Source)
			}
		}
		return []task.Continuation{
			line(confirmID, "Let the task do the step that waits.", words...),
			line(denyID, "Drop the step, and end the task.", t.Awaiting.ID),
		}
	case t.Asks():
		return []task.Continuation{
			line(confirmID, "Go on once it is done.", t.Awaiting.ID),
			line(resumeID, "Go on with values that it lacks.", lacking(t)...),
			line(denyID, "End the task.", t.Awaiting.ID),
		}
	case t.Status == task.AwaitingUser:
		return []task.Continuation{
			line(confirmID, "Go on once the dialog is answered.", t.Awaiting.ID),
			line(denyID, "End the task.", t.Awaiting.ID),
		}
	case t.Status == task.Blocked:
		return []task.Continuation{line(resumeID, "Continue from the page that is shown.", lacking(t)...)}
	}
	return nil
}

// lacking are the words that give a task what it could not bind, with a place for each value.
func lacking(t *task.Task) []string {
	var names []string
	for _, u := range t.Unbound {
		if !slices.Contains(names, u.Slot) {
			names = append(names, u.Slot)
		}
	}
	var words []string
	if t.Skill != "" && len(names) > 0 {
		return []string{"{…}"}
	}
	for _, name := range names {
		if pcd.NamesSecret(name) {
			words = append(words, "--grant", name+"=env:VARIABLE")
		} else {
			words = append(words, "--param", name+"=VALUE")
		}
	}
	return words
}

// continuedText is how a task goes on, for people.
func continuedText(c *actions.Call, t *task.Task) string {
	if c.DropIn() && !c.UpstreamText() {
		return "" // agents get them as follow-ups
	}
	var b strings.Builder
	for _, next := range t.Continue {
		label := map[string]string{confirmID: "Run: ", denyID: "Or:  ", resumeID: "Continue:"}[next.ID]
		fmt.Fprintf(&b, "\n  %s %s %s", label, c.Program(), shellLine(next.Args))
	}
	return b.String()
}

// shellLine writes words as a shell reads them.
func shellLine(words []string) string {
	all := make([]string, len(words))
	for i, word := range words {
		if word == "" || strings.ContainsFunc(word, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
				strings.ContainsRune("-_=:./@,+", r))
		}) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		all[i] = word
	}
	return strings.Join(all, " ")
}

// afterTask are the follow-ups of a task, for agents.
func afterTask(t task.Task) []actions.FollowUp { return followUps(t.Continue) }

// afterSkill are those of a skill.
func afterSkill(res SkillResult) []actions.FollowUp { return followUps(res.Continue) }

func followUps(list []task.Continuation) []actions.FollowUp {
	var all []actions.FollowUp
	for _, next := range list {
		args := slices.Clone(next.Args)
		if at := slices.Index(args, "--session"); at >= 0 { // the tool binds the session itself
			args = slices.Delete(args, at, at+2)
		}
		f := actions.FollowUp{ID: next.ID + "-task", Reason: next.Why, Line: args}
		switch {
		case next.ID == confirmID:
			f.Safety = "Only if the user wants exactly this step."
		case slices.ContainsFunc(args, func(word string) bool {
			return strings.HasSuffix(word, "=VALUE") || strings.HasSuffix(word, "=env:VARIABLE") || word == "{…}"
		}):
			f.Safety = "Put the value in the place of VALUE, VARIABLE or {…}."
		}
		all = append(all, f)
	}
	return all
}

// decided asks the person at the caller about the step that a task waits for. Asked is false where no person can be
// asked.
func decided(ctx context.Context, c *actions.Call, t *task.Task) (asked, yes bool) {
	if c.Approve == nil || !t.Decides() {
		return false, false
	}
	yes, err := c.Approve(ctx, fmt.Sprintf("A task has to be confirmed: %s\nGoal: %s", t.Awaiting.What, t.Goal))
	return err == nil, yes
}

// haveSecrets fails where a variable is not handed over that the task still types: nothing is done then, and the task
// waits as before.
func haveSecrets(c *actions.Call, t *task.Task) error {
	for _, g := range t.StillSecret() {
		name, ok := strings.CutPrefix(g.Source, "env:")
		if !ok || c.Getenv(name) != "" {
			continue
		}
		line := ""
		for _, next := range continuations(c, t) {
			if next.ID == confirmID {
				line = c.Program() + " " + shellLine(next.Args)
			}
		}
		return fault.New(fault.CredentialNotFound,
			"The variable %s of the secret %s is not set, or not handed over; nothing was done, and task %s still waits.", name,
			g.Name, t.ID).
			About(g.Name).WithHint("Set it, and run `%s`.", line)
	}
	return nil
}
