package skill

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
)

// ForIntent returns the skills that do what a sentence asks for, in the order in which they are tried; none where no skill does. Values are what goes into
// fields, by label; secrets are names of grants, by label, for a login those of username, password and otp.
func ForIntent(in goal.Intent, values, secrets map[string]string) []Invocation {
	var uses []Invocation
	add := func(name string, params any) {
		b, err := json.Marshal(params)
		if err != nil {
			return // texts only
		}
		if u, err := NewInvocation(name, b); err == nil {
			uses = append(uses, u)
		}
	}
	switch in.Verb {
	case goal.Login:
		add("login", login{Username: usernameIn(values), Password: secrets["password"], OTP: secrets["otp"]})
	case goal.Logout:
		add("logout", logout{What: in.What})
	case goal.Search:
		add("search", search{Query: in.Query})
	case goal.Download:
		add("download", download{Collection: plural(in.Object), Period: in.Period, Latest: in.Latest, Text: in.Query, Amount: in.Amount, Every: in.Every})
	case goal.Buy, goal.Pay:
		add("checkout", checkout{Values: values, Secrets: secrets})
	case goal.Fill, goal.Contact, goal.Book, goal.Apply, goal.Subscribe, goal.Signup:
		if len(values)+len(secrets) > 0 {
			add("fill", fillForm{Form: formsFor[in.Verb], Values: values, Secrets: secrets, Submit: (in.Submit || in.Verb != goal.Fill) && !in.Unsent})
		}
	case goal.Open:
		switch {
		case len(in.Path) > 0:
			add("navigate", navigate{Path: in.Path})
		default:
			for _, label := range labelsOf(in) {
				add("navigate", navigate{Path: []string{label}})
			}
		}
	}
	return uses
}

// labelsOf are the possible labels of the page to open, the most certain first. A number alone is not a label: on most pages it is that of
// another page of a list.
func labelsOf(in goal.Intent) []string {
	var labels []string
	add := func(label string) {
		if strings.ContainsFunc(label, unicode.IsLetter) && !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	if in.Query != "" && in.Object == "" {
		add(in.Query)
	}
	add(in.What)
	if in.Query != "" {
		add(in.Query)
	} else if in.Object != "" {
		add(plural(in.Object))
	}
	return labels
}

// usernameIn is the name of the user among the values, whatever it is called.
func usernameIn(values map[string]string) string {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if goal.SameLabel(key, "username") {
			return values[key]
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if meansSame(key, "username") || meansSame(key, "email") {
			return values[key]
		}
	}
	return ""
}

// formsFor are the purposes of the forms that some verbs mean.
var formsFor = map[goal.Verb]string{
	goal.Contact: pcd.PurposeContact, goal.Subscribe: pcd.PurposeNewsletter, goal.Signup: pcd.PurposeSignup, goal.Book: pcd.PurposeSchedule,
}

// plural is what lists of such things are called.
func plural(object string) string {
	switch object {
	case "invoice", "order", "product", "report", "file", "appointment", "job":
		return object + "s"
	}
	return object
}
