package task

import (
	"fmt"
	"slices"

	"github.com/skua-browser/skua/copilot/pcd"
)

// unsent reports whether a control is still there that no step of the task has pressed.
func (r *Runner) unsent(e Effect) (bool, string) {
	if e.Text != "" && clicked(r.Log.Task, e.Text) {
		return false, fmt.Sprintf("%q was pressed", e.Text)
	}
	there := slices.ContainsFunc(r.summary.Actions, func(a pcd.Action) bool { return !a.Unseen && sameLabel(a.Label, e.Text) }) ||
		slices.ContainsFunc(r.summary.Forms, func(f pcd.Form) bool { return !f.Unseen && (sameLabel(f.SubmitLabel, e.Text) || e.Text == "") })
	if !there {
		return false, fmt.Sprintf("%q is not on the page any more", e.Text)
	}
	return true, fmt.Sprintf("stopped before the order: %q was not pressed (%s)", e.Text, r.summary.URL)
}
