package task

import (
	"cmp"
	"context"
	"fmt"

	"github.com/skua-browser/skua/copilot/toolbox"
)

// answerAlert notes what a step led to. A message that the browser shows is closed, as a person does who has read it; a question stays for a person to
// answer, and is returned.
func (r *Runner) answerAlert(ctx context.Context, tool toolbox.Tool, reply toolbox.Reply) (question string, err error) {
	h, _ := toolbox.Decode[happened](reply)
	r.acts.note(tool, h)
	d := h.Effect.Dialog
	if d == nil || !d.Open {
		return "", nil
	}
	if d.Type != "alert" {
		return cmp.Or(d.Message, "a "+d.Type+" without words"), nil
	}
	r.acts.messages = append(r.acts.messages, d.Message)
	_, err = r.inTab(ctx, "dialog", "accept")
	return "", err
}

// askDialog has a person answer what the page asks in a dialog of the browser. The plan goes on behind the step then.
func (r *Runner) askDialog(p *Plan, i int, question string) error {
	text := r.hide(fmt.Sprintf("the page asks %q: answer it with `dialog accept` or `dialog dismiss`, and then let the task go on", question))
	c := &Confirmation{ID: newConfirmation(), Question: text, What: text, Index: i + 1, URL: r.summary.URL, Expires: r.expiry(), Before: r.before}
	if err := r.Log.Add(&Record{Type: Waits, Awaiting: c}); err != nil {
		return err
	}
	return &stop{AwaitingUser, text}
}
