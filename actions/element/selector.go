package element

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/engine/leaving"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Wanted is the Target of the in-page script: what to look for in a document.
type Wanted struct {
	Ref    *WantedRef   `json:"ref,omitempty"`
	At     *WantedPoint `json:"at,omitempty"`
	CSS    string       `json:"css,omitempty"`
	XPath  string       `json:"xpath,omitempty"`
	Find   *WantedFind  `json:"find,omitempty"`
	Index  *int         `json:"index,omitempty"`  // which of the matches; from the end when negative
	Strict bool         `json:"strict,omitempty"` // several matches are an error
	Beside string       `json:"beside,omitempty"` // a text of the row, card or panel that it is in
	// if CSS is invalid or matches nothing: the name of the one control that was probably meant
	Label string `json:"label,omitempty"`
}

// WantedRef is the element that a ref names, as the in-page script finds it.
type WantedRef struct {
	Token int64  `json:"token"`
	Role  string `json:"role"`
	Name  string `json:"name"`
	Doc   string `json:"doc"` // the document that Token holds in
	// once the page is at rest, it is not waited for; else the op comes back after a while to ask again
	Rest bool `json:"rest"`

	// of a document before Doc, in which Token holds then: what it left of the element
	Left *leaving.Element `json:"left,omitempty"`
}

// WantedFind is a locator. Of the name test, Exact also holds for the value of locators that have no name.
type WantedFind struct {
	By    string `json:"by"`
	Value string `json:"value"`
	WantedName
	Is     map[string]string `json:"is,omitempty"` // states
	Within *wantedLandmark   `json:"within,omitempty"`
}

// WantedName tests a name: a part of it in any case, all of it when Exact, or a regular expression.
type WantedName struct {
	Name  string `json:"name,omitempty"`
	Exact bool   `json:"exact,omitempty"`
	Regex string `json:"regex,omitempty"`
	Flags string `json:"flags,omitempty"`
}

func (n WantedName) none() bool { return n.Name == "" && n.Regex == "" }

// wantedLandmark is a landmark that an element has to be in.
type wantedLandmark struct {
	Role string `json:"role"`
	WantedName
}

// selectorForms names the ways to say what is meant, for hints.
const selectorForms = `a ref such as @e3, CSS, xpath=…, text=…, role=button[name="Save"], label=…, placeholder=…, alt=…, title=… or testid=…`

// InvalidSelector is the error for a selector that cannot be read.
func InvalidSelector(s, format string, args ...any) *fault.Error {
	return fault.New(fault.SelectorInvalid, format, args...).About(s).WithHint("Use " + selectorForms + ".")
}

// ParseSelector reads everything but refs. The path is that of the frames to look in, outermost first; only a selector
// in JSON has one.
func ParseSelector(s string) (want Wanted, path []string, err error) {
	trimmed := strings.TrimSpace(s)
	switch {
	case trimmed == "":
		return Wanted{}, nil, InvalidSelector(s, "The selector is empty.")
	case strings.HasPrefix(trimmed, "{"):
		return parseStructured(trimmed)
	case strings.HasPrefix(s, "@"):
		return Wanted{}, nil, fault.New(fault.SelectorInvalid, "%q is neither a ref nor a selector.", s).About(s).
			WithHint("Refs look like @e12; a snapshot shows them.")
	case strings.HasPrefix(s, "//"), strings.HasPrefix(s, "(//"):
		return Wanted{XPath: s}, nil, nil
	}
	engineName, rest, ok := strings.Cut(s, "=")
	if !ok {
		return Wanted{CSS: s}, nil, nil
	}
	if slices.Contains([]string{"xpath", "css", "role"}, engineName) || isLocator(engineName) {
		if strings.TrimSpace(rest) == "" {
			return Wanted{}, nil, InvalidSelector(s, "The selector '%s' has nothing after %s=.", s, engineName)
		}
	}
	switch {
	case engineName == "xpath":
		return Wanted{XPath: rest}, nil, nil
	case engineName == "css":
		return Wanted{CSS: rest}, nil, nil
	case engineName == "role":
		want, err := parseRole(s, rest)
		return want, nil, err
	case isLocator(engineName):
		find := &WantedFind{By: engineName, Value: rest}
		if exact, err := unquote(strings.TrimSpace(rest)); err == nil {
			find.Value, find.Exact = exact, true
		}
		return Wanted{Find: find}, nil, nil
	}
	return Wanted{CSS: s}, nil, nil
}

// isLocator reports whether a word before = names a locator whose value is a text.
func isLocator(word string) bool {
	return slices.Contains([]string{"text", "label", "placeholder", "alt", "title", "testid"}, word)
}

// unquote reads a string in double or single quotes.
func unquote(s string) (string, error) {
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1], nil
	}
	var v string
	err := json.Unmarshal([]byte(s), &v)
	return v, err
}

// conditions are the states that a role selector can ask for. The mixed ones have a third value besides true and false.
var conditions = map[string]struct{ mixed bool }{
	"pressed": {true}, "checked": {true}, "expanded": {}, "selected": {}, "disabled": {},
}

// roleHint shows how role selectors are written.
const roleHint = `Write role=button, role=button[name="Save"] for the whole name, [name=save] for a part, [name=/^save/i]; more conditions are ` +
	`[pressed], [checked], [expanded], [selected], [disabled] (or =false), [level=2], [nth=0], [landmark=navigation].`

// parseRole reads `button` or `button[name="Save"][pressed]`.
func parseRole(s, rest string) (Wanted, error) {
	bad := func(format string, args ...any) (Wanted, error) {
		return Wanted{}, fault.New(fault.SelectorInvalid, format, args...).About(s).WithHint("%s", roleHint)
	}
	role, _, _ := strings.Cut(rest, "[")
	find := &WantedFind{By: "role", Value: strings.TrimSpace(role)}
	want := Wanted{Find: find}
	if find.Value == "" || strings.ContainsAny(find.Value, "]\"' ") {
		return bad("%q is not a role selector: %q is not a role.", s, find.Value)
	}
	conds := strings.TrimSpace(rest[len(role):])
	if conds == "" {
		return want, nil
	}
	seen := map[string]bool{}
	for conds != "" {
		cond, left := cutCondition(conds)
		if cond == nil {
			return bad("%q is not a role selector: its condition %s does not end.", s, conds)
		}
		conds = strings.TrimSpace(left)
		if seen[cond.name] {
			return bad("%q is not a role selector: it has two conditions on %s.", s, cond.name)
		}
		seen[cond.name] = true
		if why := want.add(cond); why != "" {
			return bad("%q is not a role selector: %s.", s, why)
		}
	}
	return want, nil
}

// roleCondition is a condition of a role selector: [name] or [name=value].
type roleCondition struct {
	name, value string // quotes and slashes stay in the value
}

// cutCondition reads [name], [name=value], [name="a ] b"] or [name=/re/i] from the beginning of s, and returns what is
// left behind it; nil means that s does not begin with a condition that ends.
func cutCondition(s string) (cond *roleCondition, left string) {
	if !strings.HasPrefix(s, "[") {
		return nil, ""
	}
	var quoted byte
	inValue := false
	for i := 1; i < len(s); i++ {
		switch ch := s[i]; {
		case quoted != 0 && ch == '\\':
			i++
		case quoted != 0:
			if ch == quoted {
				quoted = 0
			}
		case ch == ']':
			name, value, _ := strings.Cut(s[1:i], "=")
			return &roleCondition{strings.TrimSpace(name), strings.TrimSpace(value)}, s[i+1:]
		case ch == '=' && !inValue:
			inValue = true
			if rest := strings.TrimLeft(s[i+1:], " "); rest != "" && strings.IndexByte(`"'/`, rest[0]) >= 0 {
				quoted = rest[0]
				i = len(s) - len(rest)
			}
		}
	}
	return nil, ""
}

// add adds a condition of a role selector, and says what is wrong with it.
func (w *Wanted) add(cond *roleCondition) (why string) {
	find, name, value := w.Find, cond.name, cond.value
	state, isState := conditions[name]
	switch {
	case name == "name":
		test, why := readName(value)
		find.WantedName = test
		return why
	case name == "landmark":
		role, ok := landmarkRole(strings.Trim(value, `"'`))
		if !ok {
			return "there is no landmark " + wording.Quote(value) + " (" + strings.Join(landmarks, ", ") + ")"
		}
		find.Within = &wantedLandmark{Role: role}
	case name == "nth":
		n, err := strconv.Atoi(value)
		if err != nil {
			return "nth takes a whole number from 0, got " + wording.Quote(value)
		}
		w.Index = &n
	case name == "level":
		if n, err := strconv.Atoi(value); err != nil || n < 1 {
			return "level takes a number from 1, got " + wording.Quote(value)
		}
		find.is(name, value)
	case isState:
		if value == "" {
			value = "true"
		}
		if value != "true" && value != "false" && (value != "mixed" || !state.mixed) {
			return name + " takes true or false, got " + wording.Quote(value)
		}
		find.is(name, value)
	default:
		return "there is no condition on " + wording.Quote(name)
	}
	return ""
}

func (f *WantedFind) is(state, value string) {
	if f.Is == nil {
		f.Is = map[string]string{}
	}
	f.Is[state] = value
}

// readName reads "Save" (all of it), Save (a part, in any case), "Save" i (all of it, in any case) or /^save/i.
func readName(value string) (test WantedName, why string) {
	if body, ok := strings.CutPrefix(value, "/"); ok {
		end := strings.LastIndex(body, "/")
		if end <= 0 {
			return test, "the regular expression " + value + " does not end"
		}
		return regexName(body[:end], body[end+1:])
	}
	if whole, ok := strings.CutSuffix(value, " i"); ok {
		if text, err := unquote(strings.TrimSpace(whole)); err == nil {
			return regexName("^"+regexp.QuoteMeta(text)+"$", "i")
		}
	}
	if text, err := unquote(value); err == nil {
		return exactName(text), ""
	}
	if value == "" {
		return test, "its name is empty"
	}
	return WantedName{Name: value}, ""
}

// exactName tests for the whole of a name, which may be none at all.
func exactName(text string) WantedName {
	if strings.TrimSpace(text) == "" {
		return WantedName{Regex: "^$"}
	}
	return WantedName{Name: text, Exact: true}
}

// regexName makes a test of a JavaScript expression. Whether it is one, the page's engine says.
func regexName(source, flags string) (test WantedName, why string) {
	for _, f := range flags {
		if !strings.ContainsRune("imsuv", f) {
			return test, "the flag " + wording.Quote(string(f)) + " of its regular expression is not one of i, m, s, u and v"
		}
	}
	return WantedName{Regex: source, Flags: flags}, ""
}

// landmarks are the roles of landmarks.
var landmarks = []string{"banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"}

// landmarkRole returns the role of a landmark, which may be called by the element that makes it.
func landmarkRole(name string) (role string, ok bool) {
	switch name {
	case "header":
		name = "banner"
	case "nav":
		name = "navigation"
	case "footer":
		name = "contentinfo"
	case "aside":
		name = "complementary"
	}
	return name, slices.Contains(landmarks, name)
}
