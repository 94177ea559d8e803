package element

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// tail is what users of agent-browser know at the end of not-found errors.
const tail = "Verify the selector, role, or name is correct and the element exists in the DOM."

// Failure makes the sentence for a failed op. Its beginnings are agent-browser's where that has one.
func Failure(ctx context.Context, c *actions.Call, t *Target, f *OpFailure) error {
	run.NoteSecret(c, FactsOf[targetFacts](f).Secret)
	if f.Code == fault.RefStale {
		return staleRef(c, t, f)
	}
	e := f.Tell(c, &fault.Error{Code: f.Code, Subject: t.Label})
	switch f.Code {
	case fault.SelectorNotFound:
		facts := FactsOf[notFoundFacts](f)
		e.Message, e.Hint = notFound(t, facts)+f.otherRoles(c, facts), tail
		if where := inFrames(ctx, c, t); where != "" {
			e.Message, e.Hint = notFound(t, facts)+where, ""
		} else if why := engine.ErrorShown(ctx, t.Tab.Page); why != nil && !c.UpstreamText() {
			e.Message = notFound(t, facts) + " The browser shows its own error page: " + fault.MessageOf(why)
			e.Hint = "Open the page again."
		}
	case fault.SelectorAmbiguous:
		return ambiguous(c, t, f)
	case fault.SelectorInvalid:
		e.Message = fmt.Sprintf("Invalid selector '%s': %s.", t.Label,
			strings.TrimSuffix(FactsOf[reasonFacts](f).Reason, "."))
		e.Hint = "Use a ref such as @e3, valid CSS, xpath=…, or text=…, role=…, label=…, testid=…."
	case fault.ShotStale:
		return staleShot(c, t, f)
	case fault.TargetHidden:
		e.Message, e.Hint = hidden(c, t, f)
	case fault.TargetDisabled:
		e.Message = fmt.Sprintf("Element '%s' is disabled, so the input would not reach it.", t.Label)
		e.Hint = "Do first what enables it, such as filling required fields (with `type` if the page listens to keys), or " +
			"wait with `wait --state enabled`."
	case fault.TargetReadonly:
		e.Message = fmt.Sprintf("Element '%s' is read-only and takes no text.", t.Label)
	case fault.TargetOutside:
		e.Message, e.Hint = outside(c, t, f)
	case fault.TargetUnstable:
		e.Message = fmt.Sprintf("Element '%s' keeps moving, so the input could miss it.", t.Label)
		e.Hint = "Wait until its animation ends; --timeout waits longer."
	case fault.TargetCovered:
		e.Message, e.Hint = covered(ctx, c, t, f)
	case fault.FrameGone:
		e.Message, e.Hint = fmt.Sprintf("The frame that contains '%s' was removed from the page.",
			t.Label), "Take a new snapshot."
	case fault.TargetMissed:
		e.Message, e.Hint = missedText(c, t, f)
	case fault.TargetUnsuitable:
		e.Message, e.Hint = unsuitable(c, t, f)
	case fault.DropRefused:
		facts := FactsOf[Refusal](f)
		e.Message = fmt.Sprintf(
			"'%s' does not take what was dragged onto it: %s refuses the drop (dropEffect %s, allowed %s). Nothing was dropped.",
			t.Label, facts.Blamed(c, f.frame, f.doc), facts.Effect, facts.Allowed)
		e.Hint = "The page decides what it takes, and where; look with a snapshot for another target."
	case fault.OptionNotFound:
		facts := FactsOf[optionFacts](f)
		e.Message = fmt.Sprintf("No option of '%s' matched %s.", t.Label, quoteList(facts.Missing, c.Strings("value")))
		e.Hint = "Available options: " + options(facts.Available) + "."
	case fault.ValueNotKept:
		e.Message = fmt.Sprintf("The page reverted the choice in '%s': it now has %s.", t.Label,
			quoteList(FactsOf[notKeptFacts](f).Seen, nil))
		e.Hint = "The page's script decides what may be chosen; look at the page with a snapshot."
	case fault.Timeout:
		e.Message = fmt.Sprintf("Wait timed out after %dms for %s.", c.Waited().Milliseconds(), t.Label)
	default:
		e.Message = fmt.Sprintf("Element '%s': %s", t.Label, f.Code)
	}
	return e
}

// hidden describes an element that is not to be seen.
func hidden(c *actions.Call, t *Target, f *OpFailure) (message, hint string) {
	facts := FactsOf[hiddenFacts](f)
	if facts.Reason == "option of a closed select" {
		return fmt.Sprintf(
				"Element '%s' is in the menu of a native select, which the browser draws itself, open or not: the input would "+
					"not reach it.", t.Label),
			"Choose it with `select <selector of the select> <value>`, or with a plain `click` on it."
	}
	return fmt.Sprintf("Element '%s' is not visible%s, so the input would not reach it.", t.Label,
			because(facts.Reason, facts.By)),
		"Open the menu, tab or dialog that contains it, or wait for it with `wait`." + facts.hint(c, f)
}

// outside describes an element, or a point, that the screen does not show.
func outside(c *actions.Call, t *Target, f *OpFailure) (message, hint string) {
	facts := FactsOf[outsideFacts](f)
	switch {
	case facts.Point != nil:
		return fmt.Sprintf("%s is outside of the viewport, which is %v x %v pixels in size.", t.Label, facts.Viewport.Width,
				facts.Viewport.Height),
			"Without --shot, --at takes a point of the viewport; scroll there first."
	case facts.Position != nil:
		return fmt.Sprintf("Element '%s' is %v × %v pixels and has no point %v,%v.", t.Label, facts.Box.Width,
			facts.Box.Height, facts.Position.X, facts.Position.Y), ""
	case facts.ClippedBy != "":
		hint = f.blamed(c, facts.ClippedBy, facts.ClippedByRole, facts.ClippedByName, facts.ClippedByToken) + " cuts it off."
	}
	hint = strings.TrimSpace(hint + facts.hint(c, f))
	return fmt.Sprintf(
		"Element '%s' is outside the viewport and cannot be scrolled into it, so the input would not reach it.",
		t.Label), hint
}

// unsuitable describes an element that a command cannot work on.
func unsuitable(c *actions.Call, t *Target, f *OpFailure) (message, hint string) {
	facts := FactsOf[unsuitableFacts](f)
	message = fmt.Sprintf("Element '%s' is a %s, which `%s` cannot work on.", t.Label, kindOf(facts.Role, facts.Tag),
		c.Name())
	if facts.Reason != "" {
		message += " " + facts.Reason
	}
	switch {
	case takesText(c.Command()):
		return message, otherCommand(facts)
	case facts.Inner != "":
		return message, "It contains " + f.blamed(c, facts.Inner, facts.InnerRole, facts.InnerName, facts.InnerToken) +
			"; use that."
	}
	return message, ""
}

func kindOf(role, tag string) string {
	if role == "" || role == "generic" {
		return "<" + tag + ">"
	}
	return role + " <" + tag + ">"
}

// because says why an element can't be seen, as far as the page tells.
func because(reason, by string) string {
	switch {
	case reason == "":
		return ""
	case by == "":
		return " (" + reason + ")"
	}
	return " (" + reason + " of <" + by + ">)"
}

// notFound says what was looked for, and for roles what there is instead.
func notFound(t *Target, facts notFoundFacts) string {
	find, count := t.Want.Find, facts.Count
	switch {
	case facts.BesideMissing:
		return fmt.Sprintf("No element found: %s%s. The page does not show the text %s.", t.Label, t.where(),
			wording.Quote(t.Want.Beside))
	case t.Want.Beside != "" && count == 0:
		return fmt.Sprintf(
			"No element found: %s%s. The page shows the text, and nothing of the kind in the same row, card or panel.", t.Label,
			t.where())
	case t.Want.Index != nil && (find == nil || count > 0):
		msg := fmt.Sprintf("No element at index %s for selector '%s'%s.", indexName(*t.Want.Index), t.selector(), t.where())
		if count > 0 {
			msg += " It matches " + wording.Plural(count, "element") + "."
		}
		return msg
	case find == nil && t.Frame.Parent() != nil && len(t.path) == 0:
		return fmt.Sprintf("Element not found in the selected frame: %s.", t.Label)
	case find == nil:
		return fmt.Sprintf("Element not found%s: %s.", t.where(), t.selector())
	case find.By == "role":
		return roleNotFound(t, facts)
	}
	return fmt.Sprintf("No element found by %s '%s'%s.", find.By, find.Value, t.where())
}

// selector is what is looked for in the document: the label, without the frames of a selector in JSON.
func (t *Target) selector() string {
	if t.Want.CSS != "" && len(t.path) > 0 {
		return t.Want.CSS
	}
	return t.Label
}

// where says in which frame a target is looked for, if that is not the main one.
func (t *Target) where() string {
	switch {
	case len(t.path) > 0:
		return " in the frame " + strings.Join(t.path, " > ")
	case t.Frame.Parent() != nil:
		return " in the selected frame"
	}
	return ""
}

func roleNotFound(t *Target, facts notFoundFacts) string {
	find, count, fit := t.Want.Find, facts.RoleCount, facts.NameCount
	switch {
	case count == 0 || find.none() && find.Is == nil && find.Within == nil:
		return fmt.Sprintf("No element found: getByRole('%s')%s.", find.Value, t.where())
	case fit > 0:
		msg := fmt.Sprintf("%s role %s%s, but none fits the rest of %s.", have(fit), wording.Quote(find.Value),
			namedSo(find.WantedName), t.Label)
		if len(facts.StatesSeen) > 0 {
			msg += " States seen: " + strings.Join(facts.StatesSeen, ", ") + "."
		}
		if len(facts.LandmarksSeen) > 0 {
			msg += " Landmarks seen: " + strings.Join(facts.LandmarksSeen, ", ") + "."
		}
		return msg
	}
	msg := fmt.Sprintf("%s role \"%s\", but none match name %s.", have(count), find.Value, find.WantedName)
	if seen := facts.NamesSeen; len(seen) > 0 {
		msg += " Names seen: " + strings.Join(quoteAll(seen), ", ")
		if count > len(seen) {
			msg += ", ..."
		}
		msg += "."
	}
	return msg
}

// otherRoles names what has the name that was looked for, and another role.
func (f *OpFailure) otherRoles(c *actions.Call, facts notFoundFacts) string {
	var names []string
	for i := range facts.OtherRoles {
		one := &facts.OtherRoles[i]
		names = append(names, one.said(f.give(c, one.Token, one.Role, one.Name)))
	}
	if len(names) == 0 {
		return ""
	}
	return " There is " + strings.Join(names, ", ") + "."
}

func namedSo(n WantedName) string {
	if n.none() {
		return ""
	}
	return " and the name " + n.String()
}

// String is the name as a person reads it: "Save" or /^save/i.
func (n WantedName) String() string {
	if n.Regex != "" {
		return "/" + n.Regex + "/" + n.Flags
	}
	return wording.Quote(n.Name)
}

func have(n int) string {
	if n == 1 {
		return "1 element has"
	}
	return strconv.Itoa(n) + " elements have"
}

func indexName(i int) string {
	if i == -1 {
		return "last"
	}
	return strconv.Itoa(i)
}

func quoteAll(items []string) []string {
	quoted := make([]string, len(items))
	for i, item := range items {
		quoted[i] = wording.Quote(item)
	}
	return quoted
}

func quoteList(items, fallback []string) string {
	if items == nil {
		items = fallback
	}
	return "[" + strings.Join(quoteAll(items), ", ") + "]"
}

func options(all []option) string {
	var names []string
	for _, o := range all {
		name := o.Value + " (" + wording.Quote(o.Label) + ")"
		if o.Disabled {
			name += " disabled"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// otherCommand says with which command an element that takes no text is used.
func otherCommand(facts unsuitableFacts) string {
	tag, kind, role := facts.Tag, facts.Type, facts.Role
	switch {
	case kind == "file":
		return "Use `upload <selector> <files...>`."
	case kind == "checkbox" || kind == "radio" || role == "checkbox" || role == "radio" || role == "switch":
		return "Use `check` or `uncheck`."
	case tag == "select" || role == "listbox" || role == "option":
		return "Use `select <selector> <value...>`."
	case tag == "button" || kind == "button" || kind == "submit" || kind == "reset" || kind == "image" ||
		role == "button" || role == "link":
		return "Use `click`."
	case kind == "hidden":
		return "The page itself sets a hidden input; fill the visible field."
	}
	return ""
}

// takesText reports whether the command is to enter a text into an element.
func takesText(cmd *actions.Command) bool {
	return slices.ContainsFunc(cmd.Args, func(a actions.Arg) bool { return a.Kind == actions.Selector }) &&
		slices.ContainsFunc(cmd.Args, func(a actions.Arg) bool { return a.Typed })
}
