package element

import (
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

// GiveRefs puts refs into the facts of a failure where the in-page script put tokens, which say nothing outside of the page: "token"
// becomes "ref", "byToken" becomes "byRef". So the caller can act on what is in the way without another look at the page.
func GiveRefs(c *actions.Call, f *OpFailure) { refsFor(c, f, f.Facts) }

func refsFor(c *actions.Call, f *OpFailure, v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			refsFor(c, f, item)
		}
	case map[string]any:
		for key, value := range v {
			of, isToken := strings.CutSuffix(key, "Token")
			if key == "token" {
				of, isToken = "", true
			}
			if !isToken {
				refsFor(c, f, value)
				continue
			}
			delete(v, key)
			token, _ := value.(float64)
			role, _ := v[keyOf(of, "role")].(string)
			name, _ := v[keyOf(of, "name")].(string)
			if ref := give(c, f, int64(token), role, name); ref != "" {
				v[keyOf(of, "ref")] = ref
			}
		}
	}
}

// keyOf is the key of a fact about an element: "ref" of the target itself, "byRef" of the one called "by".
func keyOf(of, what string) string {
	if of == "" {
		return what
	}
	return of + strings.ToUpper(what[:1]) + what[1:]
}

// give returns the ref of an element of the document in which an op failed, or "" when the tab does not exist any more.
func give(c *actions.Call, f *OpFailure, token int64, role, name string) string {
	if f.frame == nil {
		return ""
	}
	tabs, _ := c.Tabs.All()
	for _, tab := range tabs {
		if tab.Page == f.frame.Page() {
			return c.Session.Refs().Give(snapshot.Ref{
				Tab: tab.ID, FrameID: f.frame.ID(), DocID: f.doc, URL: f.frame.URL(), Token: token, Role: role, Name: name,
			})
		}
	}
	return ""
}

// Blamed names the element that the facts have under a key: <div#cover> (dialog "Sure?", @e7).
func Blamed(facts map[string]any, key string) string {
	text := func(what string) string { s, _ := facts[keyOf(key, what)].(string); return s }
	tag, _ := facts[key].(string)
	if tag == "" {
		return "an element that takes no input"
	}
	var more []string
	if name := text("name"); name != "" {
		more = append(more, strings.TrimSpace(text("role")+" "+wording.Quote(name)))
	}
	if ref := text("ref"); ref != "" {
		more = append(more, ref)
	}
	if len(more) == 0 {
		return "<" + tag + ">"
	}
	return "<" + tag + "> (" + strings.Join(more, ", ") + ")"
}

// uncover says what to do about what lies over an element.
func uncover(facts map[string]any) string {
	hint := "Dismiss or interact with the covering element first (it is often a dialog, banner, or sticky header)."
	if inert, _ := facts["inert"].(bool); inert {
		hint = "The page has made this part inert: finish the open dialog or the step before it first."
	}
	if escape, _ := facts["escape"].(bool); escape {
		return hint + " `press Escape` may close the dialog."
	}
	d, _ := facts["dismiss"].(map[string]any)
	switch ref, _ := d["ref"].(string); {
	case d == nil:
		return hint
	case ref == "":
		return hint + fmt.Sprintf(" Its %v %s may close it.", d["role"], wording.Quote(fmt.Sprint(d["name"])))
	default:
		return hint + fmt.Sprintf(" `click %s` (%v %s) may close it.", ref, d["role"], wording.Quote(fmt.Sprint(d["name"])))
	}
}

// inTransition describes an element below a view transition, which takes all input while it runs.
func inTransition(t *Target, facts map[string]any) (message, hint string) {
	message = fmt.Sprintf("Element '%s' cannot be reached while a view transition of the page runs, which takes all input.", t.Label)
	left, ends := facts["endsIn"].(float64)
	if !ends {
		return message, "It does not end by itself; `eval \"document.activeViewTransition?.skipTransition()\"` ends it."
	}
	return message, fmt.Sprintf("It ends in %.1f s; a --timeout above that waits for it.", left/1000)
}

// missedText describes what happened to input that its target did not receive.
func missedText(t *Target, facts map[string]any) (message, hint string) {
	is := func(key string) bool { b, _ := facts[key].(bool); return b }
	instead := ""
	if _, ok := facts["on"]; ok {
		instead = Blamed(facts, "on")
	}
	hint = "The page changed at that moment; take a new snapshot and try again."
	switch {
	case is("blocked"):
		if instead == "" {
			instead = "something else"
		}
		return fmt.Sprintf("The page moved or covered '%s' before each press, so that %s would have received it. Nothing was pressed.",
			t.Label, instead), "The page reacts to the pointer; `hover` shows how."
	case is("lost"):
		return fmt.Sprintf("The press on '%s' did not reach its page.", t.Label), "Something in the page is being dragged, or covers it; try again."
	case is("disabled"):
		return fmt.Sprintf("The input was sent to '%s', which is disabled: the browser delivers none to it.", t.Label), "Do first whatever enables it."
	case facts["received"] != nil && instead != "":
		return fmt.Sprintf("'%s' was pressed (%v), and has moved since: %s received the rest.", t.Label, facts["received"], instead),
			"It was not clicked; the page moved during the press, so clicking again may work."
	case facts["received"] != nil:
		return fmt.Sprintf("'%s' was pressed (%v), and has moved since: there was no click.", t.Label, facts["received"]), hint
	case instead != "":
		return fmt.Sprintf("The input was sent to '%s', and %s received it instead.", t.Label, instead), hint
	}
	return fmt.Sprintf("The input was sent to '%s', and the element did not receive it.", t.Label), hint
}
