package proof

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/tab"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// Prover remembers a page as it was before a plan, and reports which effects of the plan the page shows. Its fields are
// set before use; one goroutine uses it.
type Prover struct {
	View  *tab.View
	Files string // the folder for what is downloaded

	before   *baseline // the page before the plan that is followed was begun
	acts     acts      // what the steps of that plan were seen to lead to
	Answered string    // the request that a removal sent, which the server took and the page does not show, or empty
	late     lateFile
}

// lateFile is what was saved behind a step.
type lateFile struct {
	n    int // of the step
	path string
}

// Verify looks at the page, and whether each effect is there.
func (pr *Prover) Verify(ctx context.Context, effects []task.Effect) ([]task.Verified, error) {
	if err := pr.View.Look(ctx); err != nil {
		return nil, err
	}
	var d *difference
	if slices.ContainsFunc(effects, func(e task.Effect) bool { return e.Differs() }) {
		d = pr.compare(ctx)
	}
	seen, err := verifyEach(ctx, pr, effects, d)
	if err != nil || d == nil || d.before == nil || MissingOf(seen) != "" || !d.discount(ctx, pr) {
		return seen, err
	}
	return verifyEach(ctx, pr, effects, d)
}

// VerifyLater gives a page the time that a message needs to come, or a row to go: it waits until nothing changes any
// more, and looks again.
func (pr *Prover) VerifyLater(
	ctx context.Context, effects []task.Effect, seen []task.Verified,
) ([]task.Verified, error) {
	if _, err := pr.View.In(ctx, "--timeout=3s", "wait", "--stable", "--for", "400"); err != nil && ctx.Err() != nil {
		return seen, context.Cause(ctx)
	}
	return pr.Verify(ctx, effects)
}

func MissingOf(seen []task.Verified) string {
	for _, v := range seen {
		if !v.OK {
			what := string(v.Kind)
			if about := strings.TrimSpace(v.Text + v.Goal); about != "" && v.Kind != task.Removed {
				what += " " + about
			}
			return what + ": " + v.Seen
		}
	}
	return ""
}

// Note keeps what a step led to. A message that the browser shows is closed, as a person does who has read it; a
// question stays for a person to answer, and is returned.
func (pr *Prover) Note(ctx context.Context, tool toolbox.Tool, reply toolbox.Reply) (question string, err error) {
	h, _ := toolbox.Decode[Happened](reply)
	pr.acts.note(tool, h)
	d := h.Effect.Dialog
	if d == nil || !d.Open {
		return "", nil
	}
	if d.Type != "alert" {
		return cmp.Or(d.Message, "a "+d.Type+" without words"), nil
	}
	pr.acts.messages = append(pr.acts.messages, d.Message)
	_, err = pr.View.In(ctx, "dialog", "accept")
	return "", err
}

// Baseline returns the page before the plan, for a task that waits in the middle of it.
func (pr *Prover) Baseline() (json.RawMessage, error) {
	raw, err := json.Marshal(pr.before)
	if err != nil {
		return nil, fault.New(fault.Internal, "the page before the plan cannot be kept: %w", err)
	}
	return raw, nil
}

// Restore continues in the middle of a plan. What this process saw before the plan is more than what was kept of it.
func (pr *Prover) Restore(kept json.RawMessage) error {
	pr.acts = acts{}
	if pr.before != nil {
		return nil
	}
	if err := json.Unmarshal(kept, &pr.before); err != nil {
		return fault.New(fault.Internal, "the page before the plan cannot be read: %w", err)
	}
	return nil
}

// Fresh reports whether the page had no action of a label before the plan.
func (pr *Prover) Fresh(label string) bool {
	return pr.before != nil && !pr.before.Actions[phrase.Squeezed(label)]
}

// Earlier returns the lines that the page showed before the plan, where they were kept.
func (pr *Prover) Earlier() []string {
	if pr.before == nil {
		return nil
	}
	return pr.before.Lines
}
