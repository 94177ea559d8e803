package input

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
)

// object is a JSON object of the caller's while it is read. The first thing that is wrong is kept, and later reads find
// nothing.
type object struct {
	path   string // of the object in the parameters, for messages: "job.steps[2]"
	fields map[string]json.RawMessage
	err    error
}

// read opens an object, which must have no other fields than these.
func read(path string, raw json.RawMessage, allowed []string) *object {
	o := &object{path: path}
	if err := json.Unmarshal(raw, &o.fields); err != nil || o.fields == nil {
		o.fail("%s must be an object.", path)
		return o
	}
	maps.DeleteFunc(o.fields, func(_ string, raw json.RawMessage) bool { return string(raw) == "null" })
	for _, name := range o.names() {
		if !slices.Contains(allowed, name) {
			o.fail("%s does not support field %q; its fields are %s.", path, name, andList(allowed))
		}
	}
	return o
}

// names are the fields that were given, sorted, so that the same mistake has the same message.
func (o *object) names() []string { return slices.Sorted(maps.Keys(o.fields)) }

func (o *object) has(name string) bool { _, ok := o.fields[name]; return ok }

func (o *object) fail(format string, args ...any) {
	if o.err == nil {
		o.err = wrong(format, args...)
	}
}

// decode reads a field into a value. The JSON decoder's leniency (a number for a struct's any-cased name) plays no
// part: it sees one value.
func (o *object) decode(name string, into any, takes string) bool {
	raw, ok := o.fields[name]
	if !ok || o.err != nil {
		return false
	}
	if err := json.Unmarshal(raw, into); err != nil {
		o.fail("%s.%s must be %s.", o.path, name, takes)
		return false
	}
	return true
}

// text reads a string that may be anything but empty.
func (o *object) text(name string) string {
	var s string
	if o.decode(name, &s, "a non-empty string") && s == "" {
		o.fail("%s.%s must be a non-empty string.", o.path, name)
	}
	return s
}

// word reads a string that says something.
func (o *object) word(name string) string {
	s := o.text(name)
	if o.err == nil && o.has(name) && strings.TrimSpace(s) == "" {
		o.fail("%s.%s must be a non-empty string.", o.path, name)
	}
	return s
}

// need is a word that must be there.
func (o *object) need(name string) string {
	if !o.has(name) {
		o.fail("%s.%s is required.", o.path, name)
	}
	return o.word(name)
}

// oneOf reads a word out of several.
func (o *object) oneOf(name string, otherwise string, words ...string) string {
	if !o.has(name) {
		return otherwise
	}
	var s string
	if o.decode(name, &s, "one of "+orList(words)) && !slices.Contains(words, s) {
		o.fail("%s.%s must be one of %s.", o.path, name, orList(words))
	}
	return s
}

func (o *object) bool(name string, otherwise bool) bool {
	b := otherwise
	o.decode(name, &b, "true or false")
	return b
}

// count reads a whole number from 1.
func (o *object) count(name string, otherwise int64) int64 {
	var n float64
	if !o.decode(name, &n, "a positive integer") {
		return otherwise
	}
	if !isCount(n) {
		o.fail("%s.%s must be a positive integer.", o.path, name)
	}
	return int64(n)
}

// isCount reports whether a number of JSON is a positive integer that no reader of JSON rounds.
func isCount(n float64) bool { return n > 0 && n == math.Trunc(n) && n <= 1<<53-1 }

// words reads an array of strings that say something.
func (o *object) words(name string) []string {
	var list []string
	if !o.decode(name, &list, "an array of non-empty strings") {
		return nil
	}
	if len(list) == 0 {
		o.fail("%s.%s must not be empty.", o.path, name)
	}
	for i, s := range list {
		if strings.TrimSpace(s) == "" {
			o.fail("%s.%s[%d] must be a non-empty string.", o.path, name, i)
		}
	}
	return list
}

// andList writes "a", "a and b", "a, b, and c".
func andList(words []string) string { return list(words, "and") }

// orList writes "a", "a or b", "a, b, or c".
func orList(words []string) string { return list(words, "or") }

func list(words []string, joint string) string {
	switch n := len(words); n {
	case 0:
		return "none"
	case 1:
		return words[0]
	case 2:
		return words[0] + " " + joint + " " + words[1]
	default:
		return strings.Join(words[:n-1], ", ") + ", " + joint + " " + words[n-1]
	}
}
