package session_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// truthAct is a command on a control of a random page, and what it is to lead to.
type truthAct struct {
	line   []string
	verb   string // how it is judged
	on     truthControl
	text   string // what is filled in, typed, pressed, chosen or asked for
	want   bool   // the state that is wanted
	bound  bool   // nothing that lies in the page keeps a person from doing it
	clicks int
	popup  bool // a list of the browser's own may be open, which takes the keys
}

// forms are texts that go into a field of a kind, by what truthKinds says is done with it.
var forms = map[string][]string{
	"fill":        {"hello", "Ada Lovelace", "a@b.c", "12", ""},
	"type":        {"hey", "a b", "42", "Zoe"},
	"fill number": {"7", "12.5", "seven"},
	"type number": {"42", "7"},
	"fill date":   {"2024-02-29", "2023-02-30", "tomorrow"},
	"fill range":  {"30", "33", "250"},
	"select":      {"green", "blue", "red", "mauve"},
}

// bars are the courses that keep everybody from a control for good.
var bars = []string{"covered", "hidden", "disabled"}

// newTruthAct makes a random command. ref is the control's ref, or nothing when the snapshot did not show one; now is
// what the page says of it.
func newTruthAct(random *rand.Rand, c truthControl, ref string) truthAct {
	a := truthAct{on: c, clicks: 1, bound: !slices.Contains(bars, c.when)}
	a.verb = pick(random,
		append([]string{"click", "click", "dblclick", "hover", "focus", "press", "find text", "is visible", "wait"},
			twice(truthKinds[c.kind].does)...))
	at := ref
	if at == "" || random.IntN(5) == 0 {
		at = fmt.Sprintf(`[data-c="%d"]%s`, c.id,
			map[string]string{"combobox": " [role=combobox]", "widget": " select"}[c.kind])
		if strings.Contains("closed frame inner", c.in) {
			at = ref // a selector finds what is in the page and in open shadow roots
		}
	}
	if at == "" {
		return truthAct{}
	}
	if a.verb == "find text" && (!showsName(c) || slices.Contains([]string{"frame", "inner", "closed"}, c.in)) ||
		(isUnderDrawn(c) || c.kind == "radio" || c.kind == "checkbox") && (a.verb == "is visible" || a.verb == "wait") {
		// A hidden control is visible by its label.
		return truthAct{}
	}
	if a.verb == "find text" && strings.HasPrefix(c.when, "disabled") {
		return truthAct{} // the text may be that of a label, which takes clicks also where its control does not
	}
	// A hidden control cannot be clicked: a lost press is right then.
	a.bound = a.bound && !(c.kind == "widget" && slices.Contains([]string{"click", "dblclick", "hover"}, a.verb))
	what, _, _ := strings.Cut(a.verb, " ")
	a.text = pick(random, forms[a.verb])
	switch a.verb {
	case "press":
		a.text = pick(random, []string{"a", "Enter", "Escape", "ArrowDown", "Tab", "Space"})
		a.line = []string{"press", a.text}
	case "find text":
		a.line, a.verb = []string{"find", "text", c.name, "click"}, "click"
	case "check", "check only":
		a.want = a.verb == "check only" || random.IntN(2) == 0
		a.line, a.verb = []string{map[bool]string{true: "check", false: "uncheck"}[a.want], at}, "check"
	case "is visible":
		a.line = []string{"is", "visible", at}
	case "value":
		a.line = []string{"get", "value", at}
	case "wait":
		a.want = random.IntN(2) == 0
		a.line = []string{"wait", at, "--state", map[bool]string{true: "visible", false: "hidden"}[a.want]}
	case "dblclick":
		a.line, a.verb, a.clicks = []string{"dblclick", at}, "click", 2
	default:
		a.line, a.verb = []string{what, at}, what
		if a.text != "" || what == "fill" {
			a.line = append(a.line, a.text)
		}
	}
	if !a.bound || a.verb == "wait" {
		a.line = append(a.line, "--timeout", "150")
	}
	return a
}

func twice(words []string) []string { return append(slices.Clone(words), words...) }

// truthState is what the page says of a control.
type truthState struct {
	Value, Checked                                  string
	Chosen                                          []string
	Focused, Hovered, Open, Enabled, Shown, Covered bool
}

// truthEvent is one that came to the page. Path has the numbers of the controls that it passed, the innermost first.
type truthEvent struct {
	Type    string
	Trusted bool
	Path    []int
	Key     string `json:",omitempty"`
	Data    string `json:",omitempty"`
}

func (e truthEvent) String() string {
	s := fmt.Sprintf("%s%v", e.Type, e.Path)
	if e.Key+e.Data != "" {
		s += fmt.Sprintf("%q", e.Key+e.Data)
	}
	if !e.Trusted {
		s += " by the page"
	}
	return s
}

// truthSeen is what the page says after a command.
type truthSeen struct {
	Log      []truthEvent
	Controls map[int]truthState
	Text     string
}

// to lists the trusted events of a type that came to a control.
func (s truthSeen) to(c truthControl, kind string) (events []truthEvent) {
	for _, e := range s.Log {
		if e.Type == kind && e.Trusted && len(e.Path) > 0 &&
			(e.Path[0] == c.id || !hasInner(c) && slices.Contains(e.Path, c.id)) {
			events = append(events, e)
		}
	}
	return events
}

// isUnderDrawn reports whether a control is hidden, under a drawn one.
func isUnderDrawn(c truthControl) bool {
	return slices.Contains([]string{"drawn box", "clipped box", "boxless", "widget"}, c.kind)
}

// showsName reports whether a control's name is a text in the page.
func showsName(c truthControl) bool {
	return !strings.Contains(truthKinds[c.kind].html, `"N"`)
}

// hasInner reports whether there are controls in a control, whose clicks are not its own.
func hasInner(c truthControl) bool { return c.kind == "card" || c.kind == "tree item" }

// elsewhere lists the trusted events of a type that came to other controls.
func (s truthSeen) elsewhere(c truthControl, kind string) (events []truthEvent) {
	mine := s.to(c, kind)
	for _, e := range s.Log {
		if e.Type == kind && e.Trusted && len(e.Path) > 0 && !slices.ContainsFunc(mine, func(m truthEvent) bool {
			return m.String() == e.String()
		}) {
			events = append(events, e)
		}
	}
	return events
}

var (
	notPlain  = regexp.MustCompile(`[^\pL\pN]`)
	notDigits = regexp.MustCompile(`\D`)
)

// sameText reports whether a field that is masked shows a text.
func sameText(a, b string) bool {
	return strings.EqualFold(notPlain.ReplaceAllString(a, ""), notPlain.ReplaceAllString(b, ""))
}
