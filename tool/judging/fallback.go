package judging

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// maxFallbacks bounds the refs that are offered in place of an element that was not found.
const maxFallbacks = 3

// inputHint says how a field is filled that was only found by its ref.
const inputHint = "Focus the field by its ref, then send the text with `keyboard inserttext` or `keyboard type` in a " +
	"call of its own; submit only when that is wanted."

// Sought reads from a find what it looked for; ok is false for lines that look for nothing by a role or a name.
func Sought(line *argv.Words) (t contract.RequestedTarget, ok bool) {
	if !line.Akin(trait.Finds) || line.Subcommand == "" {
		return t, false
	}
	t = contract.RequestedTarget{
		Locator: line.Subcommand,
		Value:   line.Positional(0),
		Action:  line.Positional(1),
		Name:    line.Value("name"),
	}
	switch t.Locator {
	case "role", "text", "label", "placeholder":
		return t, t.Value != "" && t.Action != ""
	}
	return t, false
}

// fits are the roles and the name that a ref must have to be what was looked for; no roles when nothing can be told.
func fits(t contract.RequestedTarget) (roles []string, name string) {
	fill := argv.Lookup(t.Action).TypesInto()
	switch {
	case t.Locator == "role" && t.Name != "":
		return []string{t.Value}, t.Name
	case t.Locator == "text" && argv.Lookup(t.Action).Is(trait.Clicks):
		return []string{"button", "link"}, t.Value
	case t.Locator == "label" && fill:
		return []string{"textbox"}, t.Value
	case t.Locator == "placeholder" && fill:
		return []string{"searchbox", "textbox"}, t.Value
	}
	return nil, ""
}

// plain normalizes a name for comparison, which ignores case and white space.
func plain(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// Fallback looks among refs for exactly what was looked for; nil when there is none.
func Fallback(t contract.RequestedTarget, refs []Ref) (*contract.VisibleRefFallback, *contract.RichInputRecovery) {
	roles, name := fits(t)
	if roles == nil {
		return nil, nil
	}
	fill := argv.Lookup(t.Action).TypesInto()
	var found []contract.RefCandidate
	var editable []contract.EditableCandidate
	for _, r := range refs {
		if !slices.Contains(roles, strings.ToLower(r.Role)) || plain(r.Name) != plain(name) || len(found) == maxFallbacks {
			continue
		}
		c := contract.RefCandidate{
			Ref:    r.At(),
			Role:   r.Role,
			Name:   r.Name,
			Reason: "it has exactly this role and name in the current snapshot",
		}
		if !fill {
			c.Args = []string{t.Action, r.At()}
		}
		found = append(found, c)
		if fill && (r.Role == "searchbox" || r.Role == "textbox") {
			editable = append(editable, contract.EditableCandidate{
				Ref:       r.At(),
				Role:      r.Role,
				Name:      r.Name,
				FocusArgs: []string{"focus", r.At()},
				ClickArgs: []string{
					"click",
					r.At(),
				},
				Reason: c.Reason,
			})
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	fallback := &contract.VisibleRefFallback{
		Candidates: found,
		Target:     t,
		Summary:    "The current snapshot has " + wording.Plural(len(found), "element") + " with exactly this role and name.",
	}
	if len(editable) == 0 {
		return fallback, nil
	}
	rich := &contract.RichInputRecovery{
		Candidates:      editable,
		InputMethodHint: inputHint,
		Target:          t,
		Summary:         "The current snapshot has " + wording.Plural(len(editable), "field") + " of this name.",
	}
	for _, a := range AfterRichInput(rich) {
		rich.NextActionIDs = append(rich.NextActionIDs, a.ID)
	}
	return fallback, rich
}

const chooseOne = "Several elements have this role and name; look at the snapshot and choose only when it is clear " +
	"which one is meant."

// numbered is an id with a number behind it where there are several.
func numbered(id string, i, of int) string {
	if of == 1 {
		return id
	}
	return id + "-" + strconv.Itoa(i+1)
}

// AfterFallback is how to use the refs that were found, for all but fill.
func AfterFallback(f *contract.VisibleRefFallback) []contract.NextAction {
	var list []contract.NextAction
	for i, c := range f.Candidates {
		if c.Args == nil {
			continue
		}
		a := Act(numbered("try-current-visible-ref", i, len(f.Candidates)), "The element by its current ref.", c.Args...)
		if len(f.Candidates) > 1 {
			a.Safety = chooseOne
		}
		list = append(list, a)
	}
	return list
}

// AfterRichInput is how to get at the fields that were found. It has neither the text nor anything that submits.
func AfterRichInput(r *contract.RichInputRecovery) []contract.NextAction {
	var list []contract.NextAction
	for i, c := range r.Candidates {
		pair := []contract.NextAction{
			Act(numbered("focus-current-editable-ref", i, len(r.Candidates)), "Focus the field by its current ref.",
				c.FocusArgs...),
			Act(numbered("click-current-editable-ref", i, len(r.Candidates)), "Click the field by its current ref.",
				c.ClickArgs...),
		}
		for k := range pair {
			if len(r.Candidates) > 1 {
				pair[k].Safety = chooseOne
			}
		}
		list = append(list, pair...)
	}
	return list
}

// FallbackText is what the model reads of it.
func FallbackText(f *contract.VisibleRefFallback) string {
	var b strings.Builder
	b.WriteString("Current snapshot ref fallback: " + f.Summary)
	for _, c := range f.Candidates {
		b.WriteString("\n- " + c.Ref + " " + c.Role + ` "` + c.Name + `"`)
	}
	if len(f.Candidates) > 1 {
		b.WriteString("\n" + chooseOne)
	}
	return b.String()
}

// RichInputText is what the model reads of it.
func RichInputText(r *contract.RichInputRecovery) string {
	var b strings.Builder
	b.WriteString("Rich input recovery: " + r.Summary)
	for _, c := range r.Candidates {
		b.WriteString("\n- " + strings.Join(c.FocusArgs, " ") + " or " + strings.Join(c.ClickArgs, " "))
	}
	return b.String() + "\n" + r.InputMethodHint
}

// AfterSemanticMiss is what else may be meant by an intent that found nothing: a click on a text may mean a button or a
// link of that name.
func AfterSemanticMiss(a *contract.CompiledSemanticAction, s Session) []contract.NextAction {
	line := argv.Read(a.Args)
	t, ok := Sought(&line)
	if !ok || t.Locator != "text" || !argv.Lookup(t.Action).Is(trait.Clicks) {
		return nil
	}
	const perhaps = "It is a guess; look at the page when several controls may have this name."
	return In(s, []contract.NextAction{
		caution(Act("try-button-name-candidate", "The text may be the name of a button.", "find", "role", "button", "click",
			"--name", t.Value), perhaps),
		caution(Act("try-link-name-candidate", "The text may be the name of a link.", "find", "role", "link", "click",
			"--name", t.Value), perhaps),
	})
}

// AfterSemanticStale is how to repeat an intent whose ref had gone: what it looks for is still the same, and nothing
// was done.
func AfterSemanticStale(a *contract.CompiledSemanticAction) []contract.NextAction {
	line := argv.Read(a.Args)
	if !line.Akin(trait.Finds) {
		return nil
	}
	return []contract.NextAction{caution(Act("retry-semantic-action-after-stale-ref",
		"Look for the same element again; nothing was done to the old one.", a.Args...),
		"Only for the same element; an old ref needs a new snapshot.")}
}
