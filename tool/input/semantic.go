package input

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/contract"
)

// Intent is a validated semanticAction: the action and its target.
type Intent struct {
	Action   string // check, click, fill or select
	Locator  string // empty with a selector
	Value    string // of the locator: a role, a label, a text
	Name     string // of a role
	Text     string // of fill
	Values   []string
	Selector string
	Session  string

	path string // in messages
}

var (
	intentActions  = []string{"check", "click", "fill", "select"}
	intentLocators = []string{"alt", "label", "placeholder", "role", "testid", "text", "title"}
	intentFields   = []string{"action", "locator", "name", "role", "selector", "session", "text", "value", "values"}
	targetFields   = []string{"locator", "value", "role", "name"} // what a selector stands for
)

// semanticAction reads an intent.
func semanticAction(raw json.RawMessage) (*Intent, error) {
	o := read(string(contract.ModeSemanticAction), raw, intentFields)
	return o.intent(o.oneOf("action", "", intentActions...))
}

// intent reads the fields of an intent to do something.
func (o *object) intent(action string) (*Intent, error) {
	if action == "" {
		o.fail("%s.action must be one of %s.", o.path, orList(intentActions))
	}
	in := &Intent{Action: action, Session: o.word("session"), path: o.path}
	if o.has("values") && action != "select" {
		o.fail("%s.values is only supported for select.", o.path)
	}
	if o.has("text") && action != "fill" {
		o.fail("%s.text is only supported for fill.", o.path)
	}
	if action == "select" {
		o.choice(in)
	} else {
		o.target(in)
	}
	return in, o.err
}

// target reads what check, click and fill are to act on.
func (o *object) target(in *Intent) {
	if in.Action == "fill" {
		if !o.has("text") || string(o.fields["text"]) == `""` {
			o.fail("%s.text is required for fill.", o.path)
		}
		in.Text = o.text("text")
	}
	if o.has("selector") {
		in.Selector = o.word("selector")
		for _, name := range targetFields {
			if o.has(name) {
				o.fail("%s.selector cannot be combined with locator, value, role, or name.", o.path)
			}
		}
		return
	}
	if !o.has("locator") {
		o.fail("%s.selector or %[1]s.locator is required for %s.", o.path, in.Action)
	}
	in.Locator = o.oneOf("locator", "", intentLocators...)
	o.role(in)
	if in.Value == "" {
		in.Value = o.need("value")
	}
	o.name(in)
}

// role reads a role, which may stand in place of the value.
func (o *object) role(in *Intent) {
	if !o.has("role") {
		return
	}
	if in.Locator != "role" {
		o.fail("%s.role is only supported when locator is role.", o.path)
	}
	in.Value = o.word("role")
	if in.Action != "select" && o.has("value") && o.word("value") != in.Value {
		o.fail("%s.role must match value when both are given.", o.path)
	}
}

func (o *object) name(in *Intent) {
	var name string
	o.decode("name", &name, "a string")
	if strings.TrimSpace(name) == "" {
		return
	}
	if in.Locator != "role" {
		o.fail("%s.name is only supported when locator is role.", o.path)
	}
	in.Name = name
}

// choice reads the options to choose and their target.
func (o *object) choice(in *Intent) {
	switch {
	case o.has("selector"):
		for _, name := range []string{"locator", "role", "name"} {
			if o.has(name) {
				o.fail("%s.selector cannot be combined with locator, role, or name for select.", o.path)
			}
		}
		in.Selector = o.word("selector")
		o.options(in)
	case !o.has("locator"):
		o.fail("%s.selector or %[1]s.locator is required for select.", o.path)
	default:
		switch in.Locator = o.oneOf("locator", "", intentLocators...); in.Locator {
		case "role":
			o.role(in)
			if role := strings.ToLower(in.Value); role != "combobox" && role != "listbox" {
				o.fail("%s.role must be combobox or listbox for select.", o.path)
			}
			if o.name(in); in.Name == "" {
				o.fail("%s.name is required for select by role.", o.path)
			}
			o.options(in)
		case "label":
			if o.has("role") || o.has("name") {
				o.fail("%s.role and %[1]s.name are only supported when locator is role.", o.path)
			}
			in.Value = o.need("value")
			if !o.has("values") {
				o.fail("%s.values is required for select by label, whose value is the label.", o.path)
			}
			in.Values = o.words("values")
		default:
			o.fail("%s.locator must be label or role for select; use selector for anything else.", o.path)
		}
	}
}

// options reads the options to choose.
func (o *object) options(in *Intent) {
	switch {
	case o.has("value") && o.has("values"):
		o.fail("%s.value and %[1]s.values cannot both be given for select.", o.path)
	case o.has("values"):
		in.Values = o.words("values")
	case o.has("value"):
		in.Values = []string{o.word("value")}
	default:
		o.fail("%s.value or %[1]s.values is required for select.", o.path)
	}
}

// Args is the command line that the intent stands for. Of a choice by locator it is only a sign, since find chooses one
// option: see NeedsRef.
func (in *Intent) Args() []string {
	var args []string
	if in.Session != "" {
		args = append(args, "--session", in.Session)
	}
	if in.Selector != "" {
		args = append(args, in.Action, in.Selector)
	} else {
		args = append(args, "find", in.Locator, in.Value, in.Action)
	}
	if in.Action == "fill" {
		args = append(args, in.Text)
	}
	args = append(args, in.Values...)
	if in.Name != "" {
		args = append(args, "--name", in.Name)
	}
	return args
}

// On is the command line that does the intent with an element that was found.
func (in *Intent) On(selector string) []string {
	found := *in
	found.Selector, found.Name = selector, ""
	return found.Args()
}

// NeedsRef reports whether the intent can only be done with a ref.
func (in *Intent) NeedsRef() bool { return in.Action == "select" && in.Selector == "" }

// MayUseRef reports whether the element that has exactly the role and the name is to be taken, when there is just one.
func (in *Intent) MayUseRef() bool {
	return in.Action != "select" && in.Locator == "role" && in.Name != ""
}

// Roles returns the roles of which an element that is meant by the intent has one.
func (in *Intent) Roles() []string {
	switch {
	case in.Action == "select" && in.Locator == "label":
		return []string{"combobox", "listbox"}
	case in.Action == "fill":
		return editable(in.Value)
	}
	return []string{strings.ToLower(in.Value)}
}

// editable returns a role when its elements can be written in.
func editable(role string) []string {
	role = strings.ToLower(role)
	if slices.Contains([]string{"combobox", "searchbox", "textbox"}, role) {
		return []string{role}
	}
	return nil
}

// Wanted is the accessible name of the element that is meant.
func (in *Intent) Wanted() string {
	if in.Locator == "label" {
		return in.Value
	}
	return in.Name
}

func (in *Intent) details() *contract.CompiledSemanticAction {
	return &contract.CompiledSemanticAction{
		Action:   in.Action,
		Locator:  in.Locator,
		Selector: in.Selector,
		Values:   in.Values,
		Args:     in.Args(),
	}
}
