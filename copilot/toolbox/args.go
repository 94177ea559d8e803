package toolbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// args are the arguments of all tools; a tool takes those of its schema.
type args struct {
	tool     string
	tabNamed bool // the command itself names the tab

	Tab          tabID
	Kind         kinds
	Text         string
	TopK         *positive
	IDs          ids
	Selector     selector
	Replace      bool
	Checked      *bool
	Value        string
	WaitValue    selector // of a wait: Value, which can also be a selector that is an object
	Y            *float64
	Event        string
	TimeoutMs    *positive
	CollectionID ref
	Fields       fieldNames
	URL          nonEmpty
	Files        []string
}

// field is how an argument is read.
type field struct {
	into   any
	shape  string // as members of a JSON schema
	takes  string
	hidden bool // what is typed into a page may be a secret
}

// but says what there is in place of what the argument takes.
func (f field) but(value json.RawMessage) string {
	if f.hidden {
		return ""
	}
	return ", and is " + wording.Clip(string(value), longestValue)
}

// The shapes that several arguments have.
const (
	shapeText     = `"type":"string"`
	shapeSwitch   = `"type":"boolean"`
	shapeElement  = `"type":["string","object"]`
	shapePositive = `"type":"integer","minimum":1`
	shapeList     = `"type":"array","items":{"type":"string"}`
)

func (a *args) fields() map[string]field {
	value := field{into: &a.Value, shape: shapeText, takes: "a text", hidden: true}
	if a.tool == "dom.waitFor" {
		value = field{into: &waitValue{a}, shape: shapeElement, takes: "a text, or a selector as an object"}
	}
	return map[string]field{
		"tabId": {into: &a.Tab, shape: `"type":["string","integer"]`, takes: "a tab such as t2, or its number"},
		"kind":  {into: &a.Kind, shape: shapeText, takes: "action, form, collection or field, several with |"},
		"text":  {into: &a.Text, shape: shapeText, takes: "a text", hidden: true},
		"topK":  {into: &a.TopK, shape: shapePositive, takes: "a whole number above 0"},
		"ids":   {into: &a.IDs, shape: shapeList + `,"minItems":1`, takes: "a list of ids such as e12"},
		"selector": {
			into:  &a.Selector,
			shape: shapeElement,
			takes: "an id or ref such as e12, CSS, or an object of kind role, text or css",
		},
		"replace":      {into: &a.Replace, shape: shapeSwitch, takes: "true or false"},
		"checked":      {into: &a.Checked, shape: shapeSwitch, takes: "true or false"},
		"value":        value,
		"y":            {into: &a.Y, shape: `"type":"number"`, takes: "a number of pixels"},
		"event":        {into: &a.Event, shape: `"enum":["urlChange","networkIdle","selector","text"]`, takes: "a text"},
		"timeoutMs":    {into: &a.TimeoutMs, shape: shapePositive, takes: "a whole number of milliseconds above 0"},
		"collectionId": {into: &a.CollectionID, shape: shapeText, takes: "the id of a collection, such as e12"},
		"fields":       {into: &a.Fields, shape: shapeList, takes: "a list of fields"},
		"files":        {into: &a.Files, shape: shapeList + `,"minItems":1`, takes: "a list of paths"},
		"url":          {into: &a.URL, shape: shapeText, takes: "an address"},
	}
}

// wrong is the error for an argument.
func (a *args) wrong(name, why string) error {
	return fault.New(fault.Usage, "The argument %s of %s %s.", name, a.tool, why).About(name)
}

// longestValue is how much of a value a message repeats.
const longestValue = 80

var errUnfit = errors.New("it does not fit")

// isRef tells the spellings of refs from tags of custom elements and other CSS.
var isRef = regexp.MustCompile(`^@?e[0-9]{1,10}$`).MatchString

// atRef writes a ref with its at sign, however it came.
func atRef(s string) string { return "@" + strings.TrimPrefix(s, "@") }

// tabID is a tab's id, "t1", its number, or its label.
type tabID string

func (t *tabID) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil {
		s = string(b)
		if _, err := strconv.ParseUint(s, 10, 31); err != nil {
			return errUnfit
		}
	}
	if _, err := strconv.ParseUint(s, 10, 31); err == nil {
		s = "t" + s
	}
	*t = tabID(s)
	if s == "" || strings.HasPrefix(s, "-") {
		return errUnfit
	}
	return nil
}

// kinds are what a query looks for.
type kinds []string

func (k *kinds) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	for kind := range strings.SplitSeq(s, "|") {
		switch kind = strings.TrimSpace(kind); kind {
		case "action", "form", "collection", "field":
			*k = append(*k, kind)
		default:
			return errUnfit
		}
	}
	return nil
}

type positive int

func (p *positive) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseUint(string(b), 10, 31)
	if err != nil || n == 0 {
		return errUnfit
	}
	*p = positive(n)
	return nil
}

func (p positive) String() string { return strconv.Itoa(int(p)) }

// nonEmpty is a text that says something.
type nonEmpty string

func (t *nonEmpty) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil || strings.TrimSpace(s) == "" {
		return errUnfit
	}
	*t = nonEmpty(s)
	return nil
}

// ref is an id, with its at sign.
type ref string

func (r *ref) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil || !isRef(s) {
		return errUnfit
	}
	*r = ref(atRef(s))
	return nil
}

type ids []ref

func (l *ids) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, (*[]ref)(l)); err != nil || len(*l) == 0 {
		return errUnfit
	}
	return nil
}

// refs are the ids as words of a command line.
func (a *args) refs() []string {
	words := make([]string, len(a.IDs))
	for i, id := range a.IDs {
		words[i] = string(id)
	}
	return words
}

// fieldNames are fields of a collection. A comma would make two of one.
type fieldNames []string

func (f *fieldNames) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, (*[]string)(f)); err != nil {
		return err
	}
	for _, name := range *f {
		if strings.TrimSpace(name) == "" || strings.Contains(name, ",") {
			return errUnfit
		}
	}
	return nil
}

// selector is one as a command takes it.
type selector string

func (s *selector) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		text = strings.TrimSpace(text)
		if isRef(text) {
			text = atRef(text)
		}
		if *s = selector(text); text == "" {
			return errUnfit
		}
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(b, &object); err != nil {
		return err
	}
	// What else is in it is for the command to judge, which knows more fields than there are here.
	if object["role"] == nil && object["text"] == nil && object["css"] == nil {
		return errUnfit
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, b); err != nil {
		return err
	}
	*s = selector(compact.String())
	return nil
}

// waitValue is the value of a wait.
type waitValue struct{ a *args }

func (w *waitValue) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &w.a.Value) == nil && w.a.Value == "" {
		return nil // whether that is enough depends on the event
	}
	return w.a.WaitValue.UnmarshalJSON(b)
}
