package judging

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// OpensCombobox reports whether the command acts on what is said to be a combobox: by its role in a find, or in the
// last snapshot's refs.
func OpensCombobox(line *argv.Words, refs map[string]contract.Ref) bool {
	switch {
	case line.Akin(trait.Finds):
		t, _ := Sought(line)
		found := line.Found()
		return t.Locator == "role" && t.Value == "combobox" && (found.Is(trait.Clicks) || found.TypesInto())
	case line.Does(trait.Clicks) || line.Entry.TypesInto():
		target := line.Positional(0)
		return len(target) > 1 && target[0] == '@' && refs[target[1:]].Role == "combobox"
	}
	return false
}

// ShowsNothing reports whether the engine saw a combobox get the focus, and nothing open: what has to be looked at more
// closely.
func ShowsNothing(seen *fact.Effects) (role string, suspicious bool) {
	if seen == nil {
		return "", false
	}
	if seen.Focus != nil {
		role = seen.Focus.Role
	}
	if _, opened := seen.State["expanded"]; opened {
		return role, false
	}
	return role, len(seen.Appeared) == 0 && seen.Navigation == nil
}

// SeenCombobox is what a page says of its focused element, and of the lists and options that it shows.
type SeenCombobox struct {
	ActiveElement *struct {
		Combobox bool `json:"combobox"`
		contract.FocusedElement
	} `json:"activeElement"`
	VisibleListboxCount int `json:"visibleListboxCount"`
	VisibleOptionCount  int `json:"visibleOptionCount"`
}

// Combobox describes the focused combobox if it shows no options, from a look at the page; nil if the focused element
// is not a combobox, or shows options.
func Combobox(seen *SeenCombobox) *contract.ComboboxFocus {
	if seen == nil || seen.ActiveElement == nil || !seen.ActiveElement.Combobox || seen.ActiveElement.Expanded == "" ||
		seen.VisibleListboxCount > 0 || seen.VisibleOptionCount > 0 {
		return nil
	}
	return &contract.ComboboxFocus{
		Reason:              "focused-combobox-without-visible-options",
		Message:             "The combobox has the focus, and no options are shown.",
		ActiveElement:       seen.ActiveElement.FocusedElement,
		VisibleListboxCount: seen.VisibleListboxCount,
		VisibleOptionCount:  seen.VisibleOptionCount,
		Recommendations: []string{
			"Open its list with `press ArrowDown` or `press Enter`, or type the option to find.",
			"Then look with `snapshot -i`.",
		},
	}
}

// AfterCombobox is what to do about it.
func AfterCombobox() []contract.NextAction {
	return []contract.NextAction{
		look("inspect-focused-combobox", "See what the combobox offers."),
		Act("try-open-combobox-with-arrow", "Open its list.", "press", "ArrowDown"),
		Act("try-open-combobox-with-enter", "Open its list, where arrows do not.", "press", "Enter"),
	}
}

// ComboboxText is what the model reads of it.
func ComboboxText(*contract.ComboboxFocus) string {
	return "Combobox diagnostic: focused combobox did not expose visible options. Open them with `press ArrowDown` or " +
		"`press Enter`, then look with `snapshot -i`."
}

// maxShown bounds a text of the page that is quoted in an account.
const maxShown = 160

// bounded cuts a text that is quoted.
func bounded(s string) string { return wording.Clip(s, maxShown) }

// fills reports whether the command puts a text into a field, and which.
func fills(line *argv.Words) (selector string, ok bool) {
	if line.Entry.TypesInto() {
		return line.Positional(0), true
	}
	return "", line.Found().TypesInto()
}

// NotKept makes the account of a field that holds something else than it was filled with, from the engine's error; nil
// when it is about something else. What a password field holds is not among the facts.
func NotKept(line *argv.Words, code fault.Code, facts *FailureFacts) *contract.FillVerification {
	selector, ok := fills(line)
	if code != fault.ValueNotKept || !ok {
		return nil
	}
	return Mismatch(selector, facts.Seen)
}

// Mismatch makes the account of a field that holds something else than it was filled with.
func Mismatch(selector, actual string) *contract.FillVerification {
	return &contract.FillVerification{
		Status:   "mismatch",
		Selector: selector,
		Actual:   bounded(actual),
		Summary:  "The field does not hold what it was filled with.",
	}
}

// AfterMismatchedFill is what to do about it.
func AfterMismatchedFill(f *contract.FillVerification, rich bool) []contract.NextAction {
	list := []contract.NextAction{look("inspect-after-fill-verification", "See what the field shows.")}
	if f.Selector == "" {
		return list
	}
	getter := []string{"get", "value", f.Selector}
	if rich {
		getter[1] = "text"
	}
	return append(list, Act("verify-filled-value", "Read what the field holds.", getter...))
}

// MismatchText is what the model reads of it.
func MismatchText(*contract.FillVerification) string {
	return "Fill verification: the field does not hold what it was filled with. Look at it before going on."
}

// AfterDialog is what to do when a dialog may block the page.
func AfterDialog() []contract.NextAction {
	return []contract.NextAction{
		Act("inspect-dialog-after-timeout", "See whether a dialog is open, and what it asks.", "dialog", "status"),
		caution(Act("dismiss-dialog-after-timeout", "Dismiss the dialog.", "dialog", "dismiss"),
			"Dismissing is an answer; accept it when that is what is wanted."),
		fresh(Act("recover-fresh-session-after-dialog-timeout",
			"Start again in a new session if the dialog cannot be answered.", "open", "about:blank")),
	}
}

// dialogCommand reports whether a command that ran out of time may have met a dialog.
func dialogCommand(line *argv.Words) bool {
	return line.Akin(trait.AboutDialog) || opensDialog(line)
}

// DialogHint says that a dialog may be what a command met; nil when nothing speaks for it.
func DialogHint(line *argv.Words, code fault.Code, timedOut bool) *contract.Hint {
	switch {
	case code == fault.DialogOpen:
		return &contract.Hint{
			Reason:     "A JavaScript dialog blocks the page.",
			Suggestion: "Answer it with `dialog accept` or `dialog dismiss`.",
		}
	case timedOut && dialogCommand(line):
		return &contract.Hint{
			Reason:     "A JavaScript dialog may block the page.",
			Suggestion: "See with `dialog status`, and answer it.",
		}
	}
	return nil
}
