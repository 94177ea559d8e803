package task

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// Confirmation is a step that waits for a person.
type Confirmation struct {
	ID      string       `json:"id"`
	Step    toolbox.Step `json:"step"`
	Index   int          `json:"index"`  // of the step in the plan
	What    string       `json:"what"`   // what would be done, to what, on which page
	URL     string       `json:"url"`    // of that page
	Digest  string       `json:"digest"` // of what matters about it: another one, and the confirmation is void
	Expires int64        `json:"expires"`
	// Question is set where nothing waits to be done, but the planner has to be told something.
	Question string `json:"question,omitempty"`
	// Before is set when a browser dialog opened after a step: the plan continues after the dialog is answered, and this
	// is the page before it.
	Before json.RawMessage `json:"before,omitempty"`
}

// confirmTime is how long a step waits for a person.
const confirmTime = 15 * time.Minute

// NewConfirmation returns a confirmation with an id of its own that expires in time.
func NewConfirmation(now time.Time) *Confirmation {
	var b [3]byte
	_, _ = rand.Read(b[:]) // it never fails
	return &Confirmation{ID: "c" + hex.EncodeToString(b[:]), Expires: now.Add(confirmTime).UnixMilli()}
}

// Asks reports whether the task waits for an answer to a question, and for no step or dialog that a person has to
// decide about.
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

// Confirm notes that a person confirmed what waits, and returns it. It fails when another one waits, or none.
func (l *Log) Confirm(id string) (*Confirmation, error) {
	c, err := l.waiting(id)
	if err != nil {
		return nil, err
	}
	if l.now() > c.Expires {
		return nil, l.expire("it was not confirmed in time")
	}
	if err := l.Add(&Record{Type: Answered, Said: "confirmed"}); err != nil {
		return nil, err
	}
	return c, nil
}

// Deny ends the task: the step that waits is not done.
func (l *Log) Deny(id string) error {
	if _, err := l.waiting(id); err != nil {
		return err
	}
	if err := l.Add(&Record{Type: Answered, Said: "denied"}); err != nil {
		return err
	}
	return l.Turn(Cancelled, "a person denied the step")
}

// expire ends a confirmation that is void.
func (l *Log) expire(why string) error {
	if err := l.Add(&Record{Type: Answered, Said: "expired: " + why}); err != nil {
		return err
	}
	if err := l.Turn(Blocked, "the confirmation is void: "+why); err != nil {
		return err
	}
	return fault.New(fault.ConfirmationUnknown, "The confirmation is void, and nothing was done: %s.", why).
		About(l.Task.ID).
		WithHint("`task run` with the same goal begins again, and asks again.")
}

func (l *Log) waiting(id string) (*Confirmation, error) {
	t := l.Task
	if t.Status != AwaitingUser || t.Awaiting == nil {
		return nil, fault.New(fault.ConfirmationUnknown, "Task %s does not wait for an answer: it is %s.", t.ID, t.Status).
			About(t.ID)
	}
	if t.Awaiting.ID != id {
		return nil, fault.New(fault.ConfirmationUnknown, "Task %s does not wait for %s.", t.ID, id).About(id).
			WithHint("`task show %s` says for what.", t.ID)
	}
	return t.Awaiting, nil
}
