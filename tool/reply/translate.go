package reply

import (
	"slices"

	"github.com/skua-browser/skua/tool/contract"
)

// Caller is who calls with other tools than agent_browser.
type Caller interface {
	// FollowUp returns a follow-up as the caller can send it; false leaves it out.
	FollowUp(a contract.NextAction) (contract.NextAction, bool)
	// Text returns a text of ours with the caller's tools in place of the commands that it names.
	Text(text string) string
}

// translation puts what the tool says into the words of a caller; nil means that these are command lines.
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

// details are the follow-ups, errors and hints of a result. Texts of pages stay as they are.
func (t translation) details(d *contract.Details) {
	if t.caller == nil {
		return
	}
	d.Error, d.ValidationError = t.text(d.Error), t.text(d.ValidationError)
	d.Warnings = t.texts(d.Warnings)
	d.NextActions, d.PageChangeSummary = t.next(d.NextActions, d.PageChangeSummary)
	for i := range d.BatchSteps {
		t.step(&d.BatchSteps[i])
	}
	if d.BatchFailure != nil {
		own := *d.BatchFailure
		t.step(&own.FailedStep)
		d.BatchFailure = &own
	}
	t.hints(&d.DiagnosticDetails)
}

func (t translation) step(s *contract.BatchStep) {
	s.Error = t.text(s.Error)
	s.NextActions, s.PageChangeSummary = t.next(s.NextActions, s.PageChangeSummary)
}

// next are follow-ups, and the summary of a change that names them.
func (t translation) next(
	list []contract.NextAction, change *contract.PageChangeSummary,
) ([]contract.NextAction, *contract.PageChangeSummary) {
	var out []contract.NextAction
	var ids []string
	for _, a := range list {
		if a, ok := t.caller.FollowUp(a); ok {
			out, ids = append(out, a), append(ids, a.ID)
		}
	}
	if change != nil {
		own := *change
		own.NextActionIDs = slices.DeleteFunc(slices.Clone(change.NextActionIDs), func(id string) bool {
			return !slices.Contains(ids, id)
		})
		change = &own
	}
	return out, change
}

// hints are the advice of diagnostics.
func (t translation) hints(d *contract.DiagnosticDetails) {
	if d.ScrollNoop != nil {
		own := *d.ScrollNoop
		own.Recommendations = t.texts(own.Recommendations)
		d.ScrollNoop = &own
	}
	if d.ComboboxFocus != nil {
		own := *d.ComboboxFocus
		own.Recommendations = t.texts(own.Recommendations)
		d.ComboboxFocus = &own
	}
	for _, hint := range [...]**contract.Hint{&d.EvalStdinHint, &d.EvalResultWarning, &d.DialogTimeout} {
		if *hint != nil {
			own := **hint
			own.Suggestion = t.text(own.Suggestion)
			*hint = &own
		}
	}
}
