package goal

import (
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/internal/fault"
)

// kinds are the words before the colon, in the order in which a predicate is written.
var kinds = []string{"form", "action", "collection", "url", "title", "text", "login", "no"}

// Parse reads predicates as they are written on a command line:
//
//	form:PURPOSE  action:KIND  collection:NAME(field,field)  url:PATTERN  title:TEXT  text:TEXT  login:in  no:TEST
//
// Several arguments must all hold. In one, " and " and " or " may stand between tests, of which and binds closer;
// "form:billing,payment_method" is either purpose. Parentheses hold tests together; text in quotes is taken as it is.
func Parse(specs ...string) (Predicate, error) {
	var all []Predicate
	for _, spec := range specs {
		p, err := parseOr(spec)
		if err != nil {
			return Predicate{}, err
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return Predicate{}, fault.New(fault.Usage, "A goal needs at least one test.").
			WithHint("Write one such as form:billing or action:download_invoice.")
	}
	return both(all), nil
}

// IsSpec reports whether the text begins as a predicate is written, and not as a sentence.
func IsSpec(text string) bool { return kindAt(strings.TrimSpace(text)) != "" }

// Specs puts the words of a command line together: a word that begins as a test begins one, and others belong to the
// test before them. It returns nil where the first word does not begin one.
func Specs(words []string) []string {
	var specs []string
	for _, word := range words {
		switch {
		case IsSpec(word):
			specs = append(specs, word)
		case len(specs) == 0:
			return nil
		default:
			specs[len(specs)-1] += " " + word
		}
	}
	return specs
}

func parseOr(spec string) (Predicate, error) {
	var any []Predicate
	for _, part := range split(spec, "or") {
		var all []Predicate
		for _, one := range split(part, "and") {
			p, err := parseOne(one)
			if err != nil {
				return Predicate{}, err
			}
			all = append(all, p)
		}
		any = append(any, both(all))
	}
	return either(any), nil
}

// both is the predicate that all of them make.
func both(all []Predicate) Predicate {
	if len(all) == 1 {
		return all[0]
	}
	return Predicate{All: all}
}

// either is the predicate that any of them makes.
func either(any []Predicate) Predicate {
	if len(any) == 1 {
		return any[0]
	}
	return Predicate{Any: any}
}

// split cuts at a word between two tests. The same word inside a text, "terms and conditions", cuts nothing.
func split(spec, word string) []string {
	var parts []string
	begin, deep, quoted := 0, 0, false
	for i := range len(spec) {
		switch {
		case spec[i] == '"':
			quoted = !quoted
		case !quoted && spec[i] == '(':
			deep++
		case !quoted && spec[i] == ')':
			deep--
		case quoted || deep > 0 || spec[i] != ' ' || i < begin:
		case strings.HasPrefix(spec[i+1:], word+" ") && kindAt(strings.TrimSpace(spec[i+1+len(word):])) != "":
			parts = append(parts, spec[begin:i])
			begin = i + 2 + len(word)
		}
	}
	return append(parts, spec[begin:])
}

// kindAt is the kind of test with which the text begins, or empty.
func kindAt(text string) string {
	text = strings.TrimLeft(text, "( ")
	for _, k := range kinds {
		if strings.HasPrefix(text, k+":") {
			return k
		}
	}
	return ""
}

func parseOne(spec string) (Predicate, error) {
	spec = strings.TrimSpace(spec)
	if inner, ok := strings.CutPrefix(spec, "("); ok && strings.HasSuffix(inner, ")") {
		return parseOr(inner[:len(inner)-1])
	}
	kind := kindAt(spec)
	if kind == "" {
		return Predicate{}, fault.New(fault.Usage, "%q is not a test for a page.", spec).About(spec).
			WithHint("A test begins with one of %s: form:billing, action:download_invoice, collection:invoices(date,amount).",
				strings.Join(kinds, ":, ")+":")
	}
	value := strings.TrimSpace(spec[len(kind)+1:])
	if len(value) >= 2 && kind != "no" && value[0] == '"' && value[len(value)-1] == '"' {
		value = value[1 : len(value)-1]
	}
	if value == "" {
		return Predicate{}, fault.New(fault.Usage, "%q does not say which %s.", spec, kind).About(spec)
	}
	switch kind {
	case "no":
		not, err := parseOne(value)
		return Predicate{No: &not}, err
	case "form", "action":
		var any []Predicate
		for v := range strings.SplitSeq(value, ",") {
			if v = strings.TrimSpace(v); v == "" || strings.Contains(v, " ") {
				return Predicate{}, fault.New(fault.Usage,
					"%q: use the purpose of a form or the kind of an action, such as billing or download_invoice.", spec).
					About(spec).
					WithHint("A name is one word, such as payment_method; and and or stand between whole tests.")
			}
			if kind == "form" {
				any = append(any, Predicate{Form: v})
			} else {
				any = append(any, Predicate{Action: v})
			}
		}
		return either(any), nil
	case "collection":
		return parseCollection(spec, value)
	case "url":
		return Predicate{URL: value}, nil
	case "title":
		return Predicate{Title: value}, nil
	case "text":
		return Predicate{Text: value}, nil
	}
	state := pcd.LoginState(value)
	if state != pcd.LoggedIn && state != pcd.LoggedOut && state != pcd.LoginUnknown {
		return Predicate{}, fault.New(fault.Usage, "%q names no login state.", spec).About(spec).
			WithHint("It is in, out or unknown.")
	}
	return Predicate{Login: state}, nil
}

func parseCollection(spec, value string) (Predicate, error) {
	name, rest, fields := strings.Cut(value, "(")
	p := Predicate{Collection: strings.TrimSpace(name)}
	if p.Collection == "" {
		return p, fault.New(fault.Usage, "%q does not say which collection.", spec).About(spec).
			WithHint("Write collection:*(price) for any.")
	}
	if !fields {
		return p, nil
	}
	list, ok := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !ok {
		return p, fault.New(fault.Usage, "%q has no closing parenthesis after its fields.", spec).About(spec)
	}
	for f := range strings.SplitSeq(list, ",") {
		if f = strings.TrimSpace(f); f != "" {
			p.Fields = append(p.Fields, f)
		}
	}
	return p, nil
}

// String writes the predicate as [Parse] reads it.
func (p Predicate) String() string {
	switch {
	case len(p.All) > 0:
		return list(p.All, " and ", func(part Predicate) bool { return len(part.Any) > 0 })
	case len(p.Any) > 0:
		return list(p.Any, " or ", func(Predicate) bool { return false })
	case p.Form != "":
		return "form:" + p.Form
	case p.Action != "":
		return "action:" + p.Action
	case p.Collection != "":
		if len(p.Fields) > 0 {
			return "collection:" + p.Collection + "(" + strings.Join(p.Fields, ",") + ")"
		}
		return "collection:" + p.Collection
	case p.URL != "":
		return "url:" + p.URL
	case p.Title != "":
		return "title:" + quote(p.Title)
	case p.Text != "":
		return "text:" + quote(p.Text)
	case p.No != nil:
		if len(p.No.Any)+len(p.No.All) > 0 {
			return "no:(" + p.No.String() + ")"
		}
		return "no:" + p.No.String()
	case p.Login != "":
		return "login:" + string(p.Login)
	}
	return ""
}

func list(parts []Predicate, between string, held func(Predicate) bool) string {
	all := make([]string, len(parts))
	for i, p := range parts {
		all[i] = p.String()
		if held(p) {
			all[i] = "(" + all[i] + ")"
		}
	}
	return strings.Join(all, between)
}

func quote(text string) string {
	if strings.Contains(text, " ") && !strings.Contains(text, `"`) {
		return `"` + text + `"`
	}
	return text
}
