package skill

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// entry is what goes into one field.
type entry struct {
	field pcd.Field
	key   string // as the parameters call it
	value string
	grant string // of a secret
	slot  string
}

// fit says which values go into which fields of a form: each value into the field that is called so, by its label, its
// name, or another word for the same. Keys are tried in order, those that fit exactly before the others, so that "Name"
// does not take the field "Company name". What a person cannot see gets nothing.
func fit(f pcd.Form, values, secrets map[string]string) (entries []entry, left []string) {
	taken := map[int]bool{}
	keys := slices.Sorted(maps.Keys(values))
	secretKeys := slices.Sorted(maps.Keys(secrets))
	done := map[string]bool{}
	for _, level := range []int{exactly, alsoCalled, partly} {
		for _, key := range slices.Concat(keys, secretKeys) {
			if done[key] {
				continue
			}
			value, plain := values[key]
			grant := secrets[key]
			at := fieldFor(f, key, value, plain, level, taken)
			if at < 0 {
				continue
			}
			field := f.Fields[at]
			taken[at], done[key] = true, true
			entries = append(entries, entry{
				field: field,
				key:   key,
				value: value,
				grant: grant,
				slot:  fmt.Sprintf("field%d", at),
			})
		}
	}
	for _, key := range slices.Concat(keys, secretKeys) {
		if !done[key] {
			left = append(left, key)
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(order(f, a), order(f, b)) })
	return entries, left
}

// order is the place of an entry in the form.
func order(f pcd.Form, e entry) string {
	return fmt.Sprintf("%03d", slices.IndexFunc(f.Fields, func(x pcd.Field) bool { return x.ID == e.field.ID }))
}

// How well a key fits a field.
const (
	exactly = iota
	alsoCalled
	partly
)

func fieldFor(f pcd.Form, key, value string, plain bool, level int, taken map[int]bool) int {
	for i, field := range f.Fields {
		if taken[i] || field.Unseen || field.ID == "" || field.Type == "hidden" || field.Type == "file" ||
			field.Type == "submit" {
			continue
		}
		if plain == field.Secret { // a secret goes where secrets go, and nothing else does
			continue
		}
		if field.Type == "radio" {
			if level == exactly && radioFits(f, field, key, value) {
				return i
			}
			continue
		}
		if called(field, key, level) {
			return i
		}
	}
	return -1
}

// choices are what can be chosen in a group of radio buttons, which is one field.
func choices(field pcd.Field) []string {
	if len(field.Options) > 0 {
		return field.Options
	}
	return []string{field.Label}
}

// chosen is the choice of a group that a value names, or that a key names whose value is true.
func chosen(field pcd.Field, key, value string) (choice string, ok bool) {
	for _, c := range choices(field) {
		if relevance.Same(c, value) || relevance.Same(c, key) && isTrue(value) {
			return c, true
		}
	}
	return "", false
}

// radioFits reports whether the group has the choice, and is the one that the key names: a group without a matching
// name is recognized by its choices, if no other group has the same choice.
func radioFits(f pcd.Form, field pcd.Field, key, value string) bool {
	if _, ok := chosen(field, key, value); !ok {
		return false
	}
	if called(field, key, exactly) || called(field, key, alsoCalled) || called(field, key, partly) ||
		relevance.Contains(key, field.Name) {
		return true
	}
	return !slices.ContainsFunc(f.Fields, func(o pcd.Field) bool {
		_, also := chosen(o, key, value)
		return also && o.Type == "radio" && !o.Unseen && o.ID != field.ID
	})
}

func called(field pcd.Field, key string, level int) bool {
	switch level {
	case exactly:
		return relevance.Same(field.Label, key) || relevance.Same(field.Name, key)
	case alsoCalled:
		return meansSame(field.Label, key) || meansSame(field.Name, key)
	}
	return relevance.Contains(field.Label, key) || relevance.Contains(field.Name, key)
}

// sameFields are words for what forms ask, in English and German.
var sameFields = [][]string{
	{"email", "e-mail", "mail", "email address", "e-mail address", "e-mail-adresse", "mailadresse"},
	{
		"name", "full name", "your name", "fullname", "vollständiger name", "ihr name", "vor- und nachname", "cardholder",
		"name on card", "karteninhaber",
	},
	{"first name", "given name", "firstname", "fname", "vorname"},
	{"last name", "family name", "surname", "lastname", "lname", "nachname", "familienname"},
	{
		"street", "address", "street address", "address line 1", "address1", "adresse", "straße", "strasse",
		"straße und hausnummer", "street and number", "anschrift",
	},
	{"city", "town", "stadt", "ort", "wohnort"},
	{"zip", "zip code", "postal code", "postcode", "postleitzahl", "plz", "post code"},
	{"state", "province", "region", "county", "bundesland"},
	{"country", "land", "country region"},
	{"phone", "telephone", "phone number", "mobile", "tel", "telefon", "telefonnummer", "handynummer"},
	{"company", "organization", "organisation", "firma", "unternehmen"},
	{
		"username", "user name", "user", "login", "benutzername", "nutzername", "user id", "userid", "account name",
		"kontoname", "benutzer",
	},
	{"password", "passwort", "kennwort", "passcode", "pass"},
	{"card number", "card", "cardnumber", "credit card number", "kartennummer", "kreditkartennummer", "cc number"},
	{"expiry", "expiration", "expiry date", "expiration date", "valid until", "mm yy", "gültig bis", "ablaufdatum", "exp"},
	{"cvc", "cvv", "security code", "card code", "prüfziffer", "sicherheitscode", "csc"},
	{"message", "comment", "nachricht", "mitteilung", "kommentar", "your message"},
	{"subject", "betreff"},
	{"date of birth", "birthday", "birth date", "dob", "geburtsdatum", "geburtstag"},
	{"quantity", "qty", "menge", "anzahl"},
	{
		"code", "otp", "one time code", "verification code", "authentication code", "einmalcode", "bestätigungscode",
		"2fa code", "token",
	},
	{"shipping", "delivery", "shipping method", "delivery method", "versand", "versandart", "lieferart"},
	{"payment", "payment method", "zahlungsart", "zahlung"},
}

func meansSame(a, b string) bool {
	return a != "" && b != "" && slices.ContainsFunc(sameFields, func(group []string) bool {
		return isAny(a, group) && isAny(b, group)
	})
}

var truths = []string{"true", "yes", "on", "1", "checked", "ja", "an"}

func isTrue(value string) bool {
	return slices.Contains(truths, strings.ToLower(strings.TrimSpace(value)))
}

// step is the step that fills the field.
func (e entry) step(d pcd.Detail) toolbox.Step {
	if e.grant != "" {
		return secretly(d, e.field.Label, e.grant)
	}
	switch e.field.Type {
	case "select", "listbox", "select-one", "select-multiple":
		return step("dom.select", d, toolArgs{
			Value: new(e.choice()),
		}, toolbox.Medium, fmt.Sprintf("Choose %q in %q", short(e.value), short(e.field.Label)))
	case "checkbox", "switch":
		return step("dom.check", d, toolArgs{
			Checked: new(isTrue(e.value)),
		}, toolbox.Medium, fmt.Sprintf("%s %q", ticking(isTrue(e.value)), short(e.field.Label)))
	case "radio":
		choice, _ := chosen(e.field, e.key, e.value)
		args := toolArgs{Checked: new(true)}
		if choices(e.field)[0] != choice { // the field's ref is the first button
			args.Selector = pcd.Selector{
				Kind:      "role",
				Role:      "radio",
				Name:      choice,
				NameMode:  "exact",
				FramePath: d.FramePath,
			}
			d = pcd.Detail{}
		}
		return step("dom.check", d, args, toolbox.Medium, fmt.Sprintf("Choose %q", short(choice)))
	}
	return typing(d, e.field.Label, e.text())
}

func ticking(on bool) string {
	if on {
		return "Check"
	}
	return "Uncheck"
}

// choice is the option that is meant, as the page calls it.
func (e entry) choice() string {
	for _, same := range []func(string) bool{
		func(o string) bool { return o == e.value },
		func(o string) bool { return relevance.Same(o, e.value) },
		func(o string) bool { return relevance.Contains(o, e.value) },
	} {
		if at := slices.IndexFunc(e.field.Options, same); at >= 0 {
			return e.field.Options[at]
		}
	}
	return e.value
}

// text is the value as a field of its type takes it: dates as 2026-10-03, months as 2026-10.
func (e entry) text() string {
	layout := map[string]string{"date": time.DateOnly, "month": "2006-01"}[e.field.Type]
	if layout == "" {
		return e.value
	}
	// A form's dates are absolute: nothing is counted from today.
	p, ok := goal.ParsePeriod(e.value, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), goal.NoOrder)
	if !ok || p.From.AddDate(0, 0, 1).Before(p.To) && layout == time.DateOnly {
		return e.value // the field says what is wrong with it
	}
	return p.From.Format(layout)
}

// written reports whether the field holds a text that can be read back.
func (e entry) written() bool {
	switch e.field.Type {
	case "select", "listbox", "select-one", "select-multiple", "checkbox", "switch", "radio", "color", "range":
		return false
	}
	return e.grant == ""
}

// missing are the labels of required fields without a value.
func missing(f pcd.Form, entries []entry) []string {
	var labels []string
	for _, field := range f.Fields {
		if !field.Required || field.Unseen || field.ID == "" || field.Type == "hidden" {
			continue
		}
		given := slices.ContainsFunc(entries, func(e entry) bool { return e.field.ID == field.ID })
		label := asked(field)
		if !given && !slices.Contains(labels, label) && field.Type != "select" { // a select has a value already
			labels = append(labels, label)
		}
	}
	return labels
}

// asked is what a person is asked for by a field: of a choice all that can be chosen.
func asked(field pcd.Field) string {
	if field.Type == "radio" {
		return strings.Join(choices(field), " or ")
	}
	if field.Label == "" {
		return field.Name
	}
	return field.Label
}
