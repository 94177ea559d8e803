package element

import (
	"bytes"
	"context"
	"encoding/json"
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

// OpFailure is how the in-page script says that an op could not do its work.
type OpFailure struct {
	Code  fault.Code     `json:"code"`
	Facts map[string]any `json:"facts"`
	Again bool           `json:"-"` // waiting may go on: whether the page is at rest has to be checked again

	// Where it happened: tokens in Facts are of this document.
	frame *engine.Frame
	doc   string
}

// In says in which document of a frame an op failed.
func (f *OpFailure) In(frame *engine.Frame, doc string) *OpFailure {
	if f != nil {
		f.frame, f.doc = frame, doc
	}
	return f
}

// FailureOf returns the failure that an op's result carries, or nil.
func FailureOf(value []byte) *OpFailure {
	if !bytes.HasPrefix(value, []byte(`{"error":`)) {
		return nil
	}
	var res struct {
		Error *OpFailure `json:"error"`
		Again bool       `json:"again"`
	}
	if json.Unmarshal(value, &res) != nil || res.Error == nil {
		return nil
	}
	res.Error.Again = res.Again
	return res.Error
}

// tail is what users of agent-browser know at the end of not-found errors.
const tail = "Verify the selector, role, or name is correct and the element exists in the DOM."

// Failure makes the sentence for a failed op. Its beginnings are agent-browser's where that has one.
func Failure(ctx context.Context, c *actions.Call, t *Target, f *OpFailure) error {
	text := func(key string) string { s, _ := f.Facts[key].(string); return s }
	e := &fault.Error{Code: f.Code, Subject: t.Label, Facts: f.Facts}
	if secret, _ := f.Facts["secret"].(bool); secret {
		run.NoteSecret(c, true)
	}
	if f.Code != fault.RefStale {
		GiveRefs(c, f)
	}
	switch f.Code {
	case fault.SelectorNotFound:
		e.Message, e.Hint = notFound(t, f), tail
	case fault.SelectorAmbiguous:
		return ambiguous(t, f)
	case fault.SelectorInvalid:
		e.Message = fmt.Sprintf("Invalid selector '%s': %s.", t.Label, strings.TrimSuffix(text("reason"), "."))
		e.Hint = "Use a ref such as @e3, valid CSS, xpath=…, or text=…, role=…, label=…, testid=…."
	case fault.RefStale:
		return staleRef(c, t, f)
	case fault.ShotStale:
		return staleShot(t, f)
	case fault.TargetHidden:
		e.Message = fmt.Sprintf("Element '%s' is not visible%s, so the input would not reach it.", t.Label, because(text("reason"), text("by")))
		e.Hint = "Open the menu, tab or dialog that contains it, or wait for it with `wait`."
		if text("reason") == "option of a closed select" {
			e.Message = fmt.Sprintf("Element '%s' is in the menu of a native select, which the browser draws itself, open or not: the input would not reach it.", t.Label)
			e.Hint = "Choose it with `select <selector of the select> <value>`, or with a plain `click` on it."
		}
	case fault.TargetDisabled:
		e.Message = fmt.Sprintf("Element '%s' is disabled, so the input would not reach it.", t.Label)
		e.Hint = "Do first what enables it, such as filling required fields (with `type` if the page listens to keys), or wait with `wait --state enabled`."
	case fault.TargetReadonly:
		e.Message = fmt.Sprintf("Element '%s' is read-only and takes no text.", t.Label)
	case fault.TargetOutside:
		e.Message = fmt.Sprintf("Element '%s' is outside the viewport and cannot be scrolled into it, so the input would not reach it.", t.Label)
		switch pos, _ := f.Facts["position"].(map[string]any); {
		case f.Facts["point"] != nil:
			view, _ := f.Facts["viewport"].(map[string]any)
			e.Message = fmt.Sprintf("%s is outside of the viewport, which is %v x %v pixels in size.", t.Label, view["width"], view["height"])
			e.Hint = "Without --shot, --at takes a point of the viewport; scroll there first."
		case pos != nil:
			box, _ := f.Facts["box"].(map[string]any)
			e.Message = fmt.Sprintf("Element '%s' is %v × %v pixels and has no point %v,%v.", t.Label, box["width"], box["height"], pos["x"], pos["y"])
		case text("clippedBy") != "":
			e.Hint = Blamed(f.Facts, "clippedBy") + " cuts it off."
		}
	case fault.TargetUnstable:
		e.Message = fmt.Sprintf("Element '%s' keeps moving, so the input could miss it.", t.Label)
		e.Hint = "Wait until its animation ends; --timeout waits longer."
	case fault.TargetCovered:
		e.Message = fmt.Sprintf("Element '%s' is covered by %s at its click point, so the input would land on that element instead.", t.Label, Blamed(f.Facts, "by"))
		e.Hint = uncover(f.Facts)
		if running, _ := f.Facts["viewTransition"].(bool); running {
			e.Message, e.Hint = inTransition(t, f.Facts)
		}
	case fault.FrameGone:
		e.Message, e.Hint = fmt.Sprintf("The frame that contains '%s' was removed from the page.", t.Label), "Take a new snapshot."
	case fault.TargetMissed:
		e.Message, e.Hint = missedText(t, f.Facts)
	case fault.TargetUnsuitable:
		e.Message = fmt.Sprintf("Element '%s' is a %s, which `%s` cannot work on.", t.Label, kindOf(f), c.Name())
		if why := text("reason"); why != "" {
			e.Message += " " + why
		}
		switch {
		case takesText(c.Command()):
			e.Hint = otherCommand(f)
		case f.Facts["inner"] != nil:
			e.Hint = "It contains " + Blamed(f.Facts, "inner") + "; use that."
		}
	case fault.DropRefused:
		e.Message = fmt.Sprintf("'%s' does not take what was dragged onto it: %s refuses the drop (dropEffect %s, allowed %s). Nothing was dropped.",
			t.Label, Blamed(f.Facts, "on"), text("dropEffect"), text("effectAllowed"))
		e.Hint = "The page decides what it takes, and where; look with a snapshot for another target."
	case fault.OptionNotFound:
		e.Message = fmt.Sprintf("No option of '%s' matched %s.", t.Label, quoteList(f.Facts["missing"], c.Strings("value")))
		e.Hint = "Available options: " + options(f.Facts["available"]) + "."
	case fault.ValueNotKept:
		e.Message = fmt.Sprintf("The page reverted the choice in '%s': it now has %s.", t.Label, quoteList(f.Facts["seen"], nil))
		e.Hint = "The page's script decides what may be chosen; look at the page with a snapshot."
	case fault.Timeout:
		e.Message = fmt.Sprintf("Wait timed out after %dms for %s.", c.Waited().Milliseconds(), t.Label)
	default:
		e.Message = fmt.Sprintf("Element '%s': %s", t.Label, f.Code)
	}
	return e
}

func kindOf(f *OpFailure) string {
	role, _ := f.Facts["role"].(string)
	tag, _ := f.Facts["tag"].(string)
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
func notFound(t *Target, f *OpFailure) string {
	find := t.Want.Find
	count, _ := f.Facts["count"].(float64)
	switch {
	case t.Want.Index != nil && (find == nil || count > 0):
		msg := fmt.Sprintf("No element at index %s for selector '%s'%s.", indexName(*t.Want.Index), t.selector(), t.where())
		if count > 0 {
			msg += " It matches " + wording.Plural(int(count), "element") + "."
		}
		return msg
	case find == nil && t.Frame.Parent() != nil && len(t.path) == 0:
		return fmt.Sprintf("Element not found in the selected frame: %s.", t.Label)
	case find == nil:
		return fmt.Sprintf("Element not found%s: %s.", t.where(), t.selector())
	case find.By == "role":
		return roleNotFound(t, f)
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

func roleNotFound(t *Target, f *OpFailure) string {
	find := t.Want.Find
	count, _ := f.Facts["roleCount"].(float64)
	fit, _ := f.Facts["nameCount"].(float64)
	switch {
	case count == 0 || find.none() && find.Is == nil && find.Within == nil:
		return fmt.Sprintf("No element found: getByRole('%s')%s.", find.Value, t.where())
	case fit > 0:
		msg := fmt.Sprintf("%s role %s%s, but none fits the rest of %s.", have(int(fit)), wording.Quote(find.Value), namedSo(find.WantedName), t.Label)
		if seen := list(f.Facts["statesSeen"]); len(seen) > 0 {
			msg += " States seen: " + strings.Join(textsOf(seen), ", ") + "."
		}
		if seen := list(f.Facts["landmarksSeen"]); len(seen) > 0 {
			msg += " Landmarks seen: " + strings.Join(textsOf(seen), ", ") + "."
		}
		return msg
	}
	msg := fmt.Sprintf("%s role \"%s\", but none match name %s.", have(int(count)), find.Value, find.WantedName)
	if seen := list(f.Facts["namesSeen"]); len(seen) > 0 {
		msg += " Names seen: " + strings.Join(quoteAll(seen), ", ")
		if int(count) > len(seen) {
			msg += ", ..."
		}
		msg += "."
	}
	return msg
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

func textsOf(items []any) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = fmt.Sprint(item)
	}
	return out
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

func list(v any) []any { l, _ := v.([]any); return l }

func quoteAll(items []any) []string {
	quoted := make([]string, len(items))
	for i, item := range items {
		quoted[i] = wording.Quote(fmt.Sprint(item))
	}
	return quoted
}

func quoteList(v any, fallback []string) string {
	items := list(v)
	for _, s := range fallback {
		if v != nil {
			break
		}
		items = append(items, s)
	}
	return "[" + strings.Join(quoteAll(items), ", ") + "]"
}

func options(v any) string {
	var names []string
	for _, item := range list(v) {
		o, _ := item.(map[string]any)
		name := fmt.Sprintf("%v (%s)", o["value"], wording.Quote(fmt.Sprint(o["label"])))
		if disabled, _ := o["disabled"].(bool); disabled {
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
func otherCommand(f *OpFailure) string {
	tag, _ := f.Facts["tag"].(string)
	kind, _ := f.Facts["type"].(string)
	role, _ := f.Facts["role"].(string)
	switch {
	case kind == "file":
		return "Use `upload <selector> <files...>`."
	case kind == "checkbox" || kind == "radio" || role == "checkbox" || role == "radio" || role == "switch":
		return "Use `check` or `uncheck`."
	case tag == "select" || role == "listbox" || role == "option":
		return "Use `select <selector> <value...>`."
	case tag == "button" || kind == "button" || kind == "submit" || kind == "reset" || kind == "image" || role == "button" || role == "link":
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
