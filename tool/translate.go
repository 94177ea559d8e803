package tool

import (
	"slices"

	"github.com/skua-browser/skua/tool/contract"
)

// translate puts follow-ups, errors and notes into the words of who called. Texts of pages stay as they are.
func (c *call) translate() {
	if c.caller == nil {
		return
	}
	to, d := translation{c.caller}, c.details
	d.Error, d.ValidationError, c.answer.Error = to.text(d.Error), to.text(d.ValidationError), to.text(c.answer.Error)
	d.Warnings, c.notes = to.texts(d.Warnings), to.texts(c.notes)
	d.NextActions, d.PageChangeSummary = to.next(d.NextActions, d.PageChangeSummary)
	for i := range c.answer.Rows {
		row := &c.answer.Rows[i]
		row.Error, row.Warnings = to.text(row.Error), to.texts(row.Warnings)
	}
	for i := range d.BatchSteps {
		to.step(&d.BatchSteps[i])
	}
	if d.BatchFailure != nil {
		to.step(&d.BatchFailure.FailedStep)
	}
	to.hints(&d.DiagnosticDetails)
}

// translation puts what the tool says into the words of a caller; nil: these are command lines.
type translation struct{ caller Caller }

// text is a text of ours.
func (t translation) text(text string) string {
	if t.caller == nil {
		return text
	}
	return t.caller.Text(text)
}

func (t translation) texts(list []string) []string {
	var out []string
	for _, text := range list {
		out = append(out, t.text(text))
	}
	return out
}

func (t translation) step(s *contract.BatchStep) {
	s.Error = t.text(s.Error)
	s.NextActions, s.PageChangeSummary = t.next(s.NextActions, s.PageChangeSummary)
}

// next are follow-ups, and the summary of a change that names them.
func (t translation) next(list []contract.NextAction, change *contract.PageChangeSummary) ([]contract.NextAction, *contract.PageChangeSummary) {
	var out []contract.NextAction
	var ids []string
	for _, a := range list {
		if a, ok := t.caller.FollowUp(a); ok {
			out, ids = append(out, a), append(ids, a.ID)
		}
	}
	if change != nil {
		own := *change
		own.NextActionIDs = slices.DeleteFunc(slices.Clone(change.NextActionIDs), func(id string) bool { return !slices.Contains(ids, id) })
		change = &own
	}
	return out, change
}

// hints are the advice of diagnostics.
func (t translation) hints(d *contract.DiagnosticDetails) {
	if d.ScrollNoop != nil {
		d.ScrollNoop.Recommendations = t.texts(d.ScrollNoop.Recommendations)
	}
	if d.ComboboxFocus != nil {
		d.ComboboxFocus.Recommendations = t.texts(d.ComboboxFocus.Recommendations)
	}
	for _, hint := range [...]*contract.Hint{d.EvalStdinHint, d.EvalResultWarning, d.DialogTimeout} {
		if hint != nil {
			hint.Suggestion = t.text(hint.Suggestion)
		}
	}
}
