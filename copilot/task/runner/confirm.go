package runner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/lazyregexp"
)

// wait brings the task to rest until a person answers.
func (r *Runner) wait(c *task.Confirmation, reason string) error {
	if err := r.View.Log.Add(&task.Record{Type: task.Waits, Awaiting: c}); err != nil {
		return err
	}
	return &stop{task.AwaitingUser, reason}
}

// await has a step wait until a person confirms it.
func (r *Runner) await(ctx context.Context, p *task.Plan, i int, step toolbox.Step, t target, message string) error {
	digest, err := r.digest(ctx, t)
	if err != nil {
		return err
	}
	c := task.NewConfirmation(r.View.Now())
	c.Step, c.Index, c.What, c.URL, c.Digest = step, i, r.View.Hide(what(step, t, r.View.Summary,
		message)), r.View.Summary.URL, digest
	return r.wait(c, "a person has to confirm: "+c.What)
}

// what says what a step would do, to which element, on which page.
func what(step toolbox.Step, t target, s *pcd.Summary, message string) string {
	var args struct {
		Text  string `json:"text"`
		Value string `json:"value"`
	}
	_ = json.Unmarshal(step.Call.Args, &args) // what it lacks is left out
	description := step.Call.Name
	if t.label != "" {
		description += fmt.Sprintf(" on %s %q", cmp.Or(t.role, "element"), t.label)
	} else if t.selector != "" {
		description += " on " + t.selector
	}
	switch {
	case step.Secret != "":
		description += ", with the secret " + step.Secret
	case args.Text != "":
		description += fmt.Sprintf(", with the text %q", args.Text)
	case args.Value != "":
		description += fmt.Sprintf(", with %q", args.Value)
	}
	description += fmt.Sprintf(", on %q (%s)", s.Title, s.URL)
	if message != "" {
		description += ": " + message
	}
	return description
}

// Patterns of what matters on a page in front of a step that cannot be taken back.
var (
	refMark = lazyregexp.New(`\s*\[(?:ref=e\d+|active|focused)\]|@e\d+`)
	sums    = lazyregexp.New(
		`(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY)\b)\s*\d[\d.,']*|\d[\d.,']*\s*(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY)\b)`)
)

// digest is a sum over what a confirmation was given for: the address, the element, what the page's controls are and
// hold, and the sums of money that it shows.
func (r *Runner) digest(ctx context.Context, t target) (string, error) {
	controls, err := r.View.In(ctx, "snapshot", "-i", "--no-header")
	if err != nil {
		return "", err
	}
	text, err := r.View.In(ctx, "get", "text", "body")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%s\n%s\n%s\n%s\n", r.View.Summary.URL, t.label, refMark.ReplaceAllString(controls.Text, ""),
		strings.Join(sums.FindAllString(text.Text, -1), "\n"))
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// confirmed reports whether a person has confirmed this very step.
func (r *Runner) confirmed(p *task.Plan, i int) bool {
	return r.approved != nil && r.approved.Index == i && r.View.Log.Task.Plan != nil && r.View.Log.Task.Plan.ID == p.ID
}

// resume goes on with the step that was confirmed, if the page is still what it was.
func (r *Runner) resume(ctx context.Context) error {
	c := r.approved
	if err := r.View.Look(ctx); err != nil {
		return err
	}
	if c.Question != "" { // it was a question, and nothing waits to be done
		r.approved = nil
		if p := r.View.Log.Task.Plan; c.Before != nil && p != nil { // a dialog of the browser, in the middle of a plan
			if err := r.View.Log.Turn(task.Executing, ""); err != nil {
				return err
			}
			if err := r.proof.Restore(c.Before); err != nil {
				return err
			}
			return r.follow(ctx, p, c.Index)
		}
		return nil
	}
	tool, err := toolbox.Find(c.Step.Call.Name)
	if err != nil {
		return err
	}
	t, err := targetOf(ctx, r.View, tool, c.Step)
	if err != nil {
		return err
	}
	digest, err := r.digest(ctx, t)
	if err != nil {
		return err
	}
	if r.View.Summary.URL != c.URL || digest != c.Digest {
		why := "the page has changed since the person was asked"
		if r.View.Summary.URL != c.URL {
			why = "the page is " + r.View.Summary.URL + " now, and was " + c.URL
		}
		r.approved = nil
		return &stop{task.Blocked, "the confirmation is void: " + why}
	}
	if err := r.View.Log.Turn(task.Executing, ""); err != nil {
		return err
	}
	p := r.View.Log.Task.Plan
	if p == nil || c.Index >= len(p.Steps) {
		return fault.New(fault.Internal, "the plan of the step that was confirmed is gone")
	}
	if err := r.proof.Mark(ctx, p); err != nil {
		return err
	}
	return r.follow(ctx, p, c.Index)
}

// held has the task wait for a confirmation that the session's own rules want.
func (r *Runner) held(reply toolbox.Reply) error {
	data, _ := toolbox.Decode[struct {
		ID      string `json:"confirmation_id"`
		Action  string `json:"action"`
		Command string `json:"command"`
	}](reply)
	question := "a rule of the session holds " + data.Action + ": say `confirm " + data.ID + "` or `deny " + data.ID +
		"`, and then let the task go on"
	c := task.NewConfirmation(r.View.Now())
	c.ID, c.Question, c.What, c.URL = data.ID, r.View.Hide(question), r.View.Hide(question), r.View.Summary.URL
	return r.wait(c, c.Question)
}

// askDialog has a person answer what the page asks in a dialog of the browser. The plan goes on behind the step then.
func (r *Runner) askDialog(i int, question string) error {
	text := r.View.Hide(
		fmt.Sprintf("the page asks %q: answer it with `dialog accept` or `dialog dismiss`, and then let the task go on",
			question))
	before, err := r.proof.Baseline()
	if err != nil {
		return err
	}
	c := task.NewConfirmation(r.View.Now())
	c.Question, c.What, c.Index, c.URL, c.Before = text, text, i+1, r.View.Summary.URL, before
	return r.wait(c, text)
}
