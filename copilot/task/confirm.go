package task

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/lazyregexp"
)

// confirmTime is how long a step waits for a person.
const confirmTime = 15 * time.Minute

func (r *Runner) expiry() int64 { return r.Now().Add(confirmTime).UnixMilli() }

func newConfirmation() string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // it never fails
	return "c" + hex.EncodeToString(b[:])
}

// await has a step wait until a person confirms it.
func (r *Runner) await(ctx context.Context, p *Plan, i int, step toolbox.Step, t target, message string) error {
	digest, err := r.digest(ctx, t)
	if err != nil {
		return err
	}
	c := &Confirmation{
		ID: newConfirmation(), Step: step, Index: i, What: r.hide(what(step, t, r.summary, message)), URL: r.summary.URL, Digest: digest, Expires: r.expiry(),
	}
	if err := r.Log.Add(&Record{Type: Waits, Awaiting: c}); err != nil {
		return err
	}
	return &stop{AwaitingUser, "a person has to confirm: " + c.What}
}

// what says what a step would do, to which element, on which page.
func what(step toolbox.Step, t target, s *pcd.Summary, message string) string {
	var args struct {
		Text  string `json:"text"`
		Value string `json:"value"`
	}
	_ = json.Unmarshal(step.Call.Args, &args) // what it lacks is left out
	said := step.Call.Name
	if t.label != "" {
		said += fmt.Sprintf(" on %s %q", cmp.Or(t.role, "element"), t.label)
	} else if t.selector != "" {
		said += " on " + t.selector
	}
	switch {
	case step.Secret != "":
		said += ", with the secret " + step.Secret
	case args.Text != "":
		said += fmt.Sprintf(", with the text %q", args.Text)
	case args.Value != "":
		said += fmt.Sprintf(", with %q", args.Value)
	}
	said += fmt.Sprintf(", on %q (%s)", s.Title, s.URL)
	if message != "" {
		said += ": " + message
	}
	return said
}

// Patterns of what matters on a page in front of a step that cannot be taken back.
var (
	refMark = lazyregexp.New(`\s*\[(?:ref=e\d+|active|focused)\]|@e\d+`)
	sums    = lazyregexp.New(`(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY)\b)\s*\d[\d.,']*|\d[\d.,']*\s*(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY)\b)`)
)

// digest is a sum over what a confirmation was given for: the address, the element, what the page's controls are and hold, and the sums of money
// that it shows.
func (r *Runner) digest(ctx context.Context, t target) (string, error) {
	controls, err := r.inTab(ctx, "snapshot", "-i", "--no-header")
	if err != nil {
		return "", err
	}
	text, err := r.inTab(ctx, "get", "text", "body")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%s\n%s\n%s\n%s\n", r.summary.URL, t.label, refMark.ReplaceAllString(controls.Text, ""), strings.Join(sums.FindAllString(text.Text, -1), "\n"))
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// confirmed reports whether a person has confirmed this very step.
func (r *Runner) confirmed(p *Plan, i int) bool {
	return r.approved != nil && r.approved.Index == i && r.Log.Task.Plan != nil && r.Log.Task.Plan.ID == p.ID
}

// Confirm has the task go on with the step that waits, once [Runner.Run] is called. It fails when another one waits, or none.
func (r *Runner) Confirm(id string) error {
	c, err := r.waiting(id)
	if err != nil {
		return err
	}
	if r.Now().UnixMilli() > c.Expires {
		return r.expire("it was not confirmed in time")
	}
	if err := r.Log.Add(&Record{Type: Answered, Said: "confirmed"}); err != nil {
		return err
	}
	r.approved = c
	return nil
}

// Asks reports whether the task waits for an answer to a question, and for no step or dialog that a person has to decide about.
func (t *Task) Asks() bool {
	return t.Status == AwaitingUser && t.Awaiting != nil && t.Awaiting.Question != "" && t.Awaiting.Before == nil
}

// Decides reports whether the task waits until a person lets it do a step.
func (t *Task) Decides() bool {
	return t.Status == AwaitingUser && t.Awaiting != nil && t.Awaiting.Question == ""
}

// StillSecret are the grants that the step which waits, or one behind it, types.
func (t *Task) StillSecret() []Grant {
	var list []Grant
	if t.Plan == nil || t.Awaiting == nil || t.Asks() {
		return nil
	}
	for _, step := range t.Plan.Steps[min(max(0, t.Awaiting.Index), len(t.Plan.Steps)):] {
		for _, g := range t.Grants {
			if step.Secret == g.Name && !slices.Contains(list, g) {
				list = append(list, g)
			}
		}
	}
	return list
}

// expire ends a confirmation that is void.
func (r *Runner) expire(why string) error {
	if err := r.Log.Add(&Record{Type: Answered, Said: "expired: " + why}); err != nil {
		return err
	}
	if err := r.turn(Blocked, "the confirmation is void: "+why); err != nil {
		return err
	}
	return fault.New(fault.ConfirmationUnknown, "The confirmation is void, and nothing was done: %s.", why).About(r.Log.Task.ID).
		WithHint("`task run` with the same goal begins again, and asks again.")
}

func (r *Runner) waiting(id string) (*Confirmation, error) {
	t := r.Log.Task
	if t.Status != AwaitingUser || t.Awaiting == nil {
		return nil, fault.New(fault.ConfirmationUnknown, "Task %s does not wait for an answer: it is %s.", t.ID, t.Status).About(t.ID)
	}
	if t.Awaiting.ID != id {
		return nil, fault.New(fault.ConfirmationUnknown, "Task %s does not wait for %s.", t.ID, id).About(id).WithHint("`task show %s` says for what.", t.ID)
	}
	return t.Awaiting, nil
}

// Deny ends the task: the step that waits is not done.
func (r *Runner) Deny(id string) error {
	if _, err := r.waiting(id); err != nil {
		return err
	}
	if err := r.Log.Add(&Record{Type: Answered, Said: "denied"}); err != nil {
		return err
	}
	return r.turn(Cancelled, "a person denied the step")
}

// resume goes on with the step that was confirmed, if the page is still what it was.
func (r *Runner) resume(ctx context.Context) error {
	c := r.approved
	if err := r.look(ctx); err != nil {
		return err
	}
	if c.Question != "" { // it was a question, and nothing waits to be done
		r.approved = nil
		if p := r.Log.Task.Plan; c.Before != nil && p != nil { // a dialog of the browser, in the middle of a plan
			if err := r.turn(Executing, ""); err != nil {
				return err
			}
			r.before, r.acts = c.Before, acts{}
			return r.follow(ctx, p, c.Index)
		}
		return nil
	}
	tool, err := toolbox.Find(c.Step.Call.Name)
	if err != nil {
		return err
	}
	t, err := r.target(ctx, tool, c.Step)
	if err != nil {
		return err
	}
	digest, err := r.digest(ctx, t)
	if err != nil {
		return err
	}
	if r.summary.URL != c.URL || digest != c.Digest {
		why := "the page has changed since the person was asked"
		if r.summary.URL != c.URL {
			why = "the page is " + r.summary.URL + " now, and was " + c.URL
		}
		r.approved = nil
		return &stop{Blocked, "the confirmation is void: " + why}
	}
	if err := r.turn(Executing, ""); err != nil {
		return err
	}
	p := r.Log.Task.Plan
	if p == nil || c.Index >= len(p.Steps) {
		return fault.New(fault.Internal, "the plan of the step that was confirmed is gone")
	}
	if err := r.mark(ctx, p); err != nil {
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
	question := "a rule of the session holds " + data.Action + ": say `confirm " + data.ID + "` or `deny " + data.ID + "`, and then let the task go on"
	c := &Confirmation{ID: data.ID, Question: r.hide(question), What: r.hide(question), URL: r.summary.URL, Expires: r.expiry()}
	if err := r.Log.Add(&Record{Type: Waits, Awaiting: c}); err != nil {
		return err
	}
	return &stop{AwaitingUser, c.Question}
}
