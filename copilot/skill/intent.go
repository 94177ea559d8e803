package skill

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
)

// ForIntent returns the skills that do what a sentence asks for, in the order in which they are tried; none where no
// skill does. Values are what goes into fields, by label; secrets are names of grants, by label, for a login those of
// username, password and otp.
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
		add("download", download{
			Collection: plural(in.Object),
			Period:     in.Period,
			Latest:     in.Latest,
			Text:       in.Query,
			Amount:     in.Amount,
			Every:      in.Every,
		})
	case goal.Buy, goal.Pay:
		add("checkout", checkout{Values: values, Secrets: secrets, Order: true})
	case goal.Fill, goal.Contact, goal.Book, goal.Apply, goal.Subscribe, goal.Signup:
		if len(values)+len(secrets) > 0 {
			add("fill", fillForm{
				Form:    formsFor[in.Verb],
				Values:  values,
				Secrets: secrets,
				Submit:  (in.Submit || in.Verb != goal.Fill) && !in.Unsent,
			})
		}
	case goal.Sort:
		add("sort", sorting{By: in.What, Order: in.Order})
	case goal.Filter:
		add("filter", filter{By: in.Filters})
	case goal.Paginate:
		add("paginate", paginate{To: in.Page})
	case goal.AddTo:
		add("add-to-cart", addToCart{Product: in.What})
	case goal.Upload:
		if len(in.Files) > 0 {
			add("upload", upload{Files: in.Files, Field: in.Field, Submit: in.Submit})
		}
	case goal.Delete:
		add("delete", remove{What: in.What})
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

// labelsOf are the possible labels of the page to open, the most certain first. A number alone is not a label: on most
// pages it is that of another page of a list.
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
		if relevance.Same(key, "username") {
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
	goal.Contact: pcd.PurposeContact, goal.Subscribe: pcd.PurposeNewsletter, goal.Signup: pcd.PurposeSignup,
	goal.Book: pcd.PurposeSchedule,
}

// plural is what lists of such things are called.
func plural(object string) string {
	switch object {
	case "invoice", "order", "product", "report", "file", "appointment", "job":
		return object + "s"
	}
	return object
}

// Intent is what an invocation asks for, as sentences say it.
func (u Invocation) Intent() goal.Intent {
	in := goal.Intent{Verb: u.Skill.Verb}
	switch own := u.use.(type) {
	case *download:
		in.Every = own.Every
	case *remove:
		in.What = own.What
	}
	return in
}

// Sentence is what a sentence asks for: a skill with its parameters.
type Sentence struct {
	Skill   string          `json:"skill"`
	Params  json.RawMessage `json:"params"`
	Missing []string        `json:"missing,omitempty"` // parameters that the sentence does not say
}

// ForSentence returns the skill that a sentence asks for.
func ForSentence(in goal.Intent) (s Sentence, ok bool, err error) {
	if uses := ForIntent(in, nil, nil); len(uses) > 0 {
		s = Sentence{Skill: uses[0].Skill.Name, Missing: uses[0].lacks(in)}
		s.Params, err = uses[0].Params()
		return s, true, err
	}
	if form, known := formsFor[in.Verb]; known || in.Verb == goal.Fill || in.Verb == goal.Apply {
		s = Sentence{Skill: fillSkill().Name, Missing: []string{"values"}}
		s.Params, err = json.Marshal(fillForm{Form: form, Submit: (in.Submit || in.Verb != goal.Fill) && !in.Unsent})
		return s, true, err
	}
	return s, false, nil
}

// Params are the parameters of an invocation, as JSON.
func (u Invocation) Params() (json.RawMessage, error) { return json.Marshal(u.use) }

// lacks are the parameters that a sentence leaves open, and that most pages want.
func (u Invocation) lacks(in goal.Intent) []string {
	switch own := u.use.(type) {
	case *login:
		return []string{"username", "password"}
	case *checkout:
		return []string{"values"}
	case *fillForm:
		if len(own.Values) == 0 {
			return []string{"values"}
		}
	case *addToCart:
		if own.Product == "" && in.Query != "" {
			return []string{"product"}
		}
	}
	return nil
}

// Until is the goal up to which an invocation does the same again.
func (u Invocation) Until() (until goal.Predicate, ok bool) {
	if own, is := u.use.(*paginate); is && own.Until != "" {
		return own.until, true
	}
	return until, false
}

// Absent are the slots of an invocation for which the page has nothing; nil means all of them.
func (u Invocation) Absent(page *pcd.Summary) []string {
	own, is := u.use.(*filter)
	if !is {
		return nil
	}
	absent := []string{}
	for _, key := range slices.Sorted(maps.Keys(own.By)) {
		if _, ok := own.find(page, key, own.By[key]); !ok {
			absent = append(absent, "by."+key)
		}
	}
	return absent
}
