package element

import (
	"context"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/wording"
)

// blamed names an element that a failure is about: <div#cover> (dialog "Sure?", @e7).
func (f *OpFailure) blamed(c *actions.Call, tag, role, name string, token int64) string {
	if tag == "" {
		return "an element that takes no input"
	}
	var more []string
	if name != "" {
		more = append(more, strings.TrimSpace(role+" "+wording.Quote(name)))
	}
	if token != 0 {
		if ref := f.give(c, token, role, name); ref != "" {
			more = append(more, ref)
		}
	}
	if len(more) == 0 {
		return "<" + tag + ">"
	}
	return "<" + tag + "> (" + strings.Join(more, ", ") + ")"
}

// covered describes an element that something lies over. It is shown with its refs, so that the caller can act on it at
// once.
func covered(ctx context.Context, c *actions.Call, t *Target, f *OpFailure) (message, hint string) {
	facts := FactsOf[coveredFacts](f)
	if facts.Transition {
		return inTransition(t, facts.EndsIn)
	}
	by := f.blamed(c, facts.By, facts.ByRole, facts.ByName, facts.ByToken)
	if facts.OverToken != 0 && facts.OverToken != facts.ByToken {
		by += ", which belongs to " + f.blamed(c, facts.Over, facts.OverRole, facts.OverName, facts.OverToken) + ","
	}
	hint = uncover(c, f, facts)
	if shown := f.shown(ctx, c, facts.OverToken); shown != "" {
		hint += "\n" + shown
	}
	if facts.Unfocusable {
		return fmt.Sprintf("Element '%s' is behind %s and cannot take the focus.", t.Label, strings.TrimSuffix(by, ",")), hint
	}
	return fmt.Sprintf(
		"Element '%s' is covered by %s at its click point, so the input would land on that element instead.", t.Label,
		by), hint
}

// uncover says what to do about what lies over an element.
func uncover(c *actions.Call, f *OpFailure, facts coveredFacts) string {
	hint := "Dismiss or interact with the covering element first (it is often a dialog, banner, or sticky header)."
	if facts.Inert {
		hint = "The page has made this part inert: finish the open dialog or the step before it first."
	}
	if facts.Escape {
		return hint + " `press Escape` may close the dialog."
	}
	d := facts.Dismiss
	if d == nil {
		return hint
	}
	if ref := f.give(c, d.Token, d.Role, d.Name); ref != "" {
		return hint + fmt.Sprintf(" `click %s` (%s %s) may close it.", ref, d.Role, wording.Quote(d.Name))
	}
	return hint + fmt.Sprintf(" Its %s %s may close it.", d.Role, wording.Quote(d.Name))
}

// inTransition describes an element below a view transition, which takes all input while it runs.
func inTransition(t *Target, left *float64) (message, hint string) {
	message = fmt.Sprintf(
		"Element '%s' cannot be reached while a view transition of the page runs, which takes all input.", t.Label)
	if left == nil {
		return message, "It does not end by itself; `eval \"document.activeViewTransition?.skipTransition()\"` ends it."
	}
	return message, fmt.Sprintf("It ends in %.1f s; a --timeout above that waits for it.", *left/1000)
}

// missedText describes what happened to input that its target did not receive.
func missedText(c *actions.Call, t *Target, f *OpFailure) (message, hint string) {
	facts, instead := FactsOf[Missing](f), ""
	if facts.On != "" {
		instead = facts.Blamed(c, f.frame, f.doc)
	}
	hint = "The page changed at that moment; take a new snapshot and try again."
	switch {
	case facts.Blocked:
		if instead == "" {
			instead = "something else"
		}
		return fmt.Sprintf(
			"The page moved or covered '%s' before each press, so that %s would have received it. Nothing was pressed.",
			t.Label, instead), "The page reacts to the pointer; `hover` shows how."
	case facts.Lost:
		return fmt.Sprintf("The press on '%s' did not reach its page.",
			t.Label), "Something in the page is being dragged, or covers it; try again."
	case facts.Disabled:
		return fmt.Sprintf("The input was sent to '%s', which is disabled: the browser delivers none to it.",
			t.Label), "Do first whatever enables it."
	case facts.Received != "" && instead != "":
		return fmt.Sprintf("'%s' was pressed (%v), and has moved since: %s received the rest.", t.Label, facts.Received,
				instead),
			"It was not clicked; the page moved during the press, so clicking again may work."
	case facts.Received != "":
		return fmt.Sprintf("'%s' was pressed (%v), and has moved since: there was no click.", t.Label, facts.Received), hint
	case instead != "":
		return fmt.Sprintf("The input was sent to '%s', and %s received it instead.", t.Label, instead), hint
	}
	return fmt.Sprintf("The input was sent to '%s', and the element did not receive it.", t.Label), hint
}
