package skill

import (
	"encoding/json"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
)

// For returns the skills that do what a sentence asks for, in the order in which they are tried; none where no skill does. Values are what goes into
// fields, by label; secrets are names of grants, by label, for a login those of username, password and otp.
func For(in goal.Intent, values, secrets map[string]string) []Use {
	var uses []Use
	add := func(name string, params any) {
		b, err := json.Marshal(params)
		if err != nil {
			return // texts only
		}
		if u, err := Read(name, b); err == nil {
			uses = append(uses, u)
		}
	}
	switch in.Verb {
	case goal.Login:
		add("login", login{Username: values["username"], Password: secrets["password"], OTP: secrets["otp"]})
	case goal.Search:
		add("search", search{Query: in.Query})
	case goal.Download:
		add("download", download{Collection: plural(in.Object), Period: in.Period, Latest: in.Latest, Text: in.Query, Amount: in.Amount, Every: in.Every})
	case goal.Buy, goal.Pay:
		add("checkout", checkout{Values: values, Secrets: secrets})
	case goal.Fill, goal.Contact, goal.Book, goal.Apply, goal.Subscribe, goal.Signup:
		if len(values)+len(secrets) > 0 {
			add("fill", fillForm{Form: formsFor[in.Verb], Values: values, Secrets: secrets, Submit: in.Verb != goal.Fill})
		}
	case goal.Open:
		switch {
		case len(in.Path) > 0:
			add("navigate", navigate{Path: in.Path})
		case in.Query != "":
			add("navigate", navigate{Path: []string{in.Query}})
		case in.Object != "":
			add("navigate", navigate{Path: []string{plural(in.Object)}})
		}
	}
	return uses
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
