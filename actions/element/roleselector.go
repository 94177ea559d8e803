package element

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// structured is a selector in JSON while it is read:
//
//	{"role":"button","name":"Save","pressed":true,"landmark":"navigation","nth":0,"framePath":["checkout"]}
//	{"kind":"text","text":"Save"}
//	{"kind":"css","css":".save"}
//
// A name is a text, of which a part in any case is enough, {"exact":…}, {"includes":…} or {"regex":…,"flags":…};
// nameMode says the same for a name that is a text. withinLandmark is another word for landmark, which is a landmark's
// role, or an object of role and name.
type structured struct {
	source string
	fields map[string]json.RawMessage
	want   Wanted
	path   []string
}

// selectorFields are the fields of each kind of selector, and how each is read. The first one is what the kind is known
// by.
var selectorFields = map[string][]string{
	"role": {
		"role", "kind", "name", "nameMode", "pressed", "checked", "expanded", "selected", "disabled", "level",
		"landmark", "withinLandmark", "nth", "framePath",
	},
	"text": {"text", "kind", "landmark", "withinLandmark", "nth", "framePath"},
	"css":  {"css", "kind", "framePath"},
}

func parseStructured(s string) (Wanted, []string, error) {
	p := &structured{source: s}
	if err := json.Unmarshal([]byte(s), &p.fields); err != nil {
		return Wanted{}, nil, p.bad("it is not a JSON object: %v", err)
	}
	kind, err := p.kind()
	if err != nil {
		return Wanted{}, nil, err
	}
	names := selectorFields[kind]
	for _, name := range slices.Sorted(maps.Keys(p.fields)) {
		// in one order, so that the same mistake has the same message
		if !slices.Contains(names, name) {
			return Wanted{}, nil, p.unknownField(name, kind, names)
		}
	}
	p.want.Find = &WantedFind{By: kind}
	if kind == "css" {
		p.want.Find = nil
	}
	for _, name := range names {
		if raw, given := p.fields[name]; given {
			if err := p.read(name, raw); err != nil {
				return Wanted{}, nil, err
			}
		}
	}
	return p.want, p.path, nil
}

func (p *structured) bad(format string, args ...any) *fault.Error {
	return fault.New(fault.SelectorInvalid, "The selector %s cannot be used: %s.", wording.Clip(p.source, longestSelector),
		fmt.Sprintf(format, args...)).About(p.source).
		WithHint(
			`Write it like {"role":"button","name":"Save"} or {"role":"tab","name":{"exact":"All"},"landmark":"main","nth":0}.`)
}

// longestSelector is how much of a selector a message repeats.
const longestSelector = 120

// kind is what the selector says that it is, else what its fields show.
func (p *structured) kind() (string, error) {
	kinds := slices.Sorted(maps.Keys(selectorFields))
	if raw, given := p.fields["kind"]; given {
		var kind string
		if err := json.Unmarshal(raw, &kind); err != nil || selectorFields[kind] == nil {
			return "", p.bad("its field kind is %s, and can be %s", raw, orList(wording.QuoteEach(kinds)))
		}
		if _, given := p.fields[kind]; !given {
			return "", p.bad("it is of kind %s and has no field %s", kind, kind)
		}
		return kind, nil
	}
	for _, kind := range []string{"role", "text", "css"} {
		if _, given := p.fields[kind]; given {
			return kind, nil
		}
	}
	return "", p.bad("it has no field role")
}

func (p *structured) unknownField(name, kind string, names []string) error {
	e := p.bad("a %s selector has no field %q", kind, name)
	sorted := slices.Sorted(slices.Values(names))
	e.Hint = "Its fields are " + strings.Join(sorted, ", ") + "."
	if near := wording.Nearest(name, sorted); near != "" {
		e.Hint += " " + grammar.DidYouMean(near)
	}
	return e.With("field", name)
}

// read takes one field.
func (p *structured) read(name string, raw json.RawMessage) error {
	bad := func(takes string) error {
		return p.bad("its field %s takes %s, got %s", name, takes, wording.Clip(string(raw), longestSelector)).With("field",
			name)
	}
	var text string
	isText := json.Unmarshal(raw, &text) == nil && string(raw) != "null"
	find := p.want.Find
	if _, isState := conditions[name]; isState {
		if why := p.want.add(&roleCondition{name, strings.Trim(string(raw), `"`)}); why != "" || string(raw) == `""` {
			return bad("true or false")
		}
		return nil
	}
	switch name {
	case "role", "text":
		if !isText || strings.TrimSpace(text) == "" {
			return bad("a text that is not empty")
		}
		find.Value = text
	case "css":
		if !isText || strings.TrimSpace(text) == "" {
			return bad("a text that is not empty")
		}
		p.want.CSS = text
	case "name":
		test, why := readNameField(raw)
		if why != "" {
			return bad(why)
		}
		find.WantedName = test
	case "nameMode":
		return p.nameMode(text, isText, bad)
	case "level", "nth":
		n, err := strconv.Atoi(string(raw))
		if err != nil || name == "level" && n < 1 {
			return bad("a whole number")
		}
		if name == "level" {
			find.is(name, strconv.Itoa(n))
		} else {
			p.want.Index = &n
		}
	case "landmark", "withinLandmark":
		return p.landmark(raw, bad)
	case "framePath":
		if json.Unmarshal(raw, &p.path) != nil || slices.Contains(p.path, "") {
			return bad("a list of frames, outermost first, each by name, id, selector or a part of its address")
		}
	}
	return nil
}

// readNameField reads "Save", {"exact":"Save"}, {"includes":"Save"} or {"regex":"^Save","flags":"i"}.
func readNameField(raw json.RawMessage) (test WantedName, why string) {
	const takes = `a text, or an object with one of exact, includes and regex (and flags)`
	var text string
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		if strings.TrimSpace(text) == "" {
			return test, takes + `; {"exact":""} is for elements without a name`
		}
		return WantedName{Name: text}, ""
	}
	var modes map[string]string
	if json.Unmarshal(raw, &modes) != nil || modes == nil {
		return test, takes
	}
	flags, hasFlags := modes["flags"]
	delete(modes, "flags")
	if len(modes) != 1 {
		return test, takes
	}
	for mode, text := range modes {
		switch {
		case mode == "regex" && text != "":
			test, why = regexName(text, flags)
			return test, why
		case hasFlags:
			return test, takes
		case mode == "exact":
			return exactName(text), ""
		case mode == "includes" && strings.TrimSpace(text) != "":
			return WantedName{Name: text}, ""
		}
	}
	return test, takes
}

// nameMode says how a name that is a text is meant.
func (p *structured) nameMode(mode string, isText bool, bad func(string) error) error {
	find := p.want.Find
	if find.Name == "" || find.Exact {
		return p.bad("its field nameMode says how the field name matches, which must be a text").With("field", "nameMode")
	}
	switch {
	case isText && mode == "includes":
	case isText && mode == "exact":
		find.Exact = true
	case isText && mode == "regex":
		find.WantedName = WantedName{Regex: find.Name}
	default:
		return bad(`"exact", "includes" or "regex"`)
	}
	return nil
}

func (p *structured) landmark(raw json.RawMessage, bad func(string) error) error {
	takes := orList(wording.QuoteEach(landmarks)) + `, or an object of role and name`
	if p.want.Find.Within != nil {
		return p.bad("it has both landmark and withinLandmark, which mean the same").With("field", "withinLandmark")
	}
	var name string
	fields := map[string]json.RawMessage{"role": raw}
	if json.Unmarshal(raw, &name) != nil {
		if json.Unmarshal(raw, &fields) != nil || json.Unmarshal(fields["role"], &name) != nil {
			return bad(takes)
		}
	}
	role, ok := landmarkRole(name)
	if !ok {
		return bad(takes)
	}
	within := &wantedLandmark{Role: role}
	for field, raw := range fields {
		switch field {
		case "role":
		case "name":
			test, why := readNameField(raw)
			if why != "" {
				return bad("as its name " + why)
			}
			within.WantedName = test
		default:
			return bad(takes)
		}
	}
	p.want.Find.Within = within
	return nil
}

// orList writes a, b or c.
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
