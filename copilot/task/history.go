package task

import (
	"slices"

	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// Acted reports whether the last plan was to lead to the goal, and was carried out.
func Acted(t *Task) bool {
	if t.Plan == nil || len(t.Plan.Effects) == 0 || len(t.History) == 0 {
		return false
	}
	last := t.History[len(t.History)-1]
	return last.PlanID == t.Plan.ID && last.Status == StepOK
}

// Saved are the files that steps of the task have saved.
func (t *Task) Saved() []string {
	var files []string
	for i := range t.History {
		if path := t.History[i].SavedFile(); path != "" && t.History[i].Status == StepOK && !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	return files
}

// Clicks are how often the task has clicked.
func Clicks(t *Task) int {
	n := 0
	for i := range t.History {
		if call := t.History[i].Step.Call; call != nil && call.Name == toolbox.ClickTool {
			n++
		}
	}
	return n
}

// UnknownStep is the last step of which it is not known whether it was done, or nil.
func UnknownStep(t *Task) *StepRecord {
	for i := range slices.Backward(t.History) {
		if t.History[i].Unknown {
			return &t.History[i]
		}
	}
	return nil
}

// LastFrom is the page on which the task has clicked last.
func LastFrom(t *Task) string {
	for _, h := range slices.Backward(t.History) {
		if h.Step.Call != nil && h.Step.Call.Name == toolbox.ClickTool {
			return h.From
		}
	}
	return ""
}

// Clicked reports whether the task has clicked a control of this label.
func Clicked(t *Task, label string) bool {
	return slices.ContainsFunc(t.History, func(h StepRecord) bool {
		return h.Step.Call != nil && h.Step.Call.Name == toolbox.ClickTool && phrase.SameLabel(h.Label, label)
	})
}

// SavedFile is the path of the file that a step saved, or empty.
func (r *StepRecord) SavedFile() string {
	if r.Result == nil {
		return ""
	}
	return SavedAt(r.Result.Data)
}

// SavedAt is where a command says that it has put a file; empty means that it has put none.
func SavedAt(data any) string {
	saved, err := toolbox.Decode[struct {
		Path string `json:"path"`
	}](toolbox.Reply{Data: data})
	if err != nil {
		return ""
	}
	return saved.Path
}
