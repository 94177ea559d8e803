package skill

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/internal/wording"
)

// ParamKind is what a parameter takes.
type ParamKind string

// The kinds of parameters.
const (
	Text      ParamKind = "text"
	Number    ParamKind = "number" // a whole number above 0
	Switch    ParamKind = "switch" // true or false
	Texts     ParamKind = "texts"  // a list of texts, at least one
	Values    ParamKind = "values" // texts by name
	Secret    ParamKind = "secret" // the name of a grant, or vault:LOGIN; never the secret itself
	Secrets   ParamKind = "secrets"
	Structure ParamKind = "structure" // an object of the parameter's own schema
)

// Param is a parameter of a skill. Schemas, help, checks and documents are made of it.
type Param struct {
	Name     string    `json:"name"`
	Kind     ParamKind `json:"kind"`
	About    string    `json:"about"`
	Required bool      `json:"required,omitempty"`
	OneOf    []string  `json:"oneOf,omitempty"`
	Default  string    `json:"default,omitempty"`
	shape    string    // of a Structure: members of its JSON schema
}

// shapes are the members of JSON schemas by kind.
var shapes = map[ParamKind]string{
	Text:    `"type":"string"`,
	Number:  `"type":"integer","minimum":1`,
	Switch:  `"type":"boolean"`,
	Texts:   `"type":"array","items":{"type":"string"},"minItems":1`,
	Values:  `"type":"object","additionalProperties":{"type":"string"}`,
	Secret:  `"type":"string"`,
	Secrets: `"type":"object","additionalProperties":{"type":"string"}`,
}

// takes says in words what a parameter of a kind takes.
var takes = map[ParamKind]string{
	Text:      "a text",
	Number:    "a whole number above 0",
	Switch:    "true or false",
	Texts:     "a list of texts",
	Values:    "an object of texts, by name",
	Secret:    "the name of a grant, or vault:LOGIN",
	Secrets:   "an object of names of grants, or of vault:LOGIN, by field",
	Structure: "an object",
}

// Takes says in words what the parameter takes.
func (p Param) Takes() string {
	if len(p.OneOf) > 0 {
		return strings.Join(p.OneOf, ", ")
	}
	return takes[p.Kind]
}

// schema is the parameter as a JSON schema.
func (p Param) schema() string {
	shape := shapes[p.Kind]
	if p.Kind == Structure {
		shape = p.shape
	}
	if len(p.OneOf) > 0 {
		list, _ := plainjson.Marshal(p.OneOf) // texts
		shape += `,"enum":` + string(list)
	}
	about, _ := plainjson.Marshal(p.About) // a text
	return "{" + shape + `,"description":` + string(about) + "}"
}

// Properties are the parameters as the properties of a JSON schema, without the braces around them.
func (s Skill) Properties() string {
	list := make([]string, len(s.Params))
	for i, p := range s.Params {
		list[i] = fmt.Sprintf("%q:%s", p.Name, p.schema())
	}
	return strings.Join(list, ",")
}

// JSONSchema is the schema of the parameters.
func (s Skill) JSONSchema() string {
	required := ""
	if names := s.Required(); len(names) > 0 {
		list, _ := plainjson.Marshal(names) // texts
		required = `,"required":` + string(list)
	}
	return `{"type":"object","additionalProperties":false,"properties":{` + s.Properties() + "}" + required + "}"
}

// SignsIn reports whether the skill logs in: what it does not say may be in a login of the vault.
func (s Skill) SignsIn() bool { return s.Verb == goal.Login }

// Required are the names of the parameters that have to be given.
func (s Skill) Required() []string {
	var names []string
	for _, p := range s.Params {
		if p.Required {
			names = append(names, p.Name)
		}
	}
	return names
}

// Usage is an object with the parameters, as an example of what is given: those that have to be given, or all when
// there are none.
func (s Skill) Usage() string {
	parts := make([]string, 0, len(s.Params))
	for _, p := range s.Params {
		name := p.Name
		if !p.Required {
			name += "?"
		}
		parts = append(parts, name)
	}
	if len(parts) == 0 {
		return "no parameters"
	}
	return strings.Join(parts, ", ")
}

// check fails for parameters that the skill does not have, or that are not what it takes. A value that may be a secret
// is never repeated.
func (s Skill) check(given map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(given)) { // in one order, so that the same mistake has the same message
		at := slices.IndexFunc(s.Params, func(p Param) bool { return p.Name == name })
		if at < 0 {
			return fault.New(fault.Usage, "The skill %s has no parameter %s.", s.Name, wording.Quote(name)).About(name).
				WithHint("Its parameters are: %s.", s.Usage())
		}
		if string(given[name]) == "null" { // as if it were not given
			delete(given, name)
			continue
		}
		if err := s.Params[at].check(given[name]); err != nil {
			return wrong(s.Name, name, err.Error())
		}
	}
	for _, name := range s.Required() {
		if given[name] == nil {
			return fault.New(fault.Usage, "The skill %s needs %s.", s.Name, name).About(name).WithHint("Its parameters are: %s.",
				s.Usage())
		}
	}
	return nil
}

func (p Param) check(raw json.RawMessage) error {
	var into any
	switch p.Kind {
	case Text, Secret:
		into = new(string)
	case Number:
		into = new(uint32)
	case Switch:
		into = new(bool)
	case Texts:
		into = new([]string)
	case Values, Secrets:
		into = new(map[string]string)
	case Structure:
		into = new(map[string]json.RawMessage)
	}
	if json.Unmarshal(raw, into) != nil || p.Kind == Number && string(raw) == "0" {
		return fmt.Errorf("must be %s", p.Takes())
	}
	if text, ok := into.(*string); ok && len(p.OneOf) > 0 && !slices.Contains(p.OneOf, *text) {
		return fmt.Errorf("is %s; it must be one of %s", wording.Quote(short(*text)), strings.Join(p.OneOf, ", "))
	}
	return nil
}
