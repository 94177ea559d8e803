package proof

import (
	"fmt"
	"slices"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
)

// unsent reports whether a control is still there that no step of the task has pressed.
func (pr *Prover) unsent(e task.Effect) (bool, string) {
	if e.Text != "" && task.Clicked(pr.View.Log.Task, e.Text) {
		return false, fmt.Sprintf("%q was pressed", e.Text)
	}
	there := slices.ContainsFunc(pr.View.Summary.Actions, func(a pcd.Action) bool {
		return !a.Unseen && phrase.SameLabel(a.Label, e.Text)
	}) ||
		slices.ContainsFunc(pr.View.Summary.Forms, func(f pcd.Form) bool {
			return !f.Unseen && (phrase.SameLabel(f.SubmitLabel, e.Text) || e.Text == "")
		})
	if !there {
		return false, fmt.Sprintf("%q is not on the page any more", e.Text)
	}
	return true, fmt.Sprintf("stopped before the order: %q was not pressed (%s)", e.Text, pr.View.Summary.URL)
}
