package goal

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/relevance"
)

// Goal is the page on which what the sentence asks for can be done. It is zero where the sentence does not say what
// that is.
func (in Intent) Goal() Predicate {
	if len(in.Path) > 0 {
		return in.Named()
	}
	for _, what := range targets {
		if what.verb == in.Verb && (what.object == in.Object || what.object == "*") {
			return in.dated(what.goal)
		}
	}
	if in.Query != "" && in.Verb != Fill {
		return either([]Predicate{{Title: in.Query}, {Text: in.Query}})
	}
	return in.Named()
}

// Named is the page that is called as the goal says, by its title or its address; zero where the goal does not ask for
// a page by its name.
func (in Intent) Named() Predicate {
	name := in.name()
	if name == "" {
		return Predicate{}
	}
	return either([]Predicate{{Title: name}, {URL: "*/" + strings.ReplaceAll(norm(name), " ", "-") + "*"}})
}

// Way is a page from which what is asked for can be opened, or that page itself: it may be called otherwise than what
// leads to it.
func (in Intent) Way() Predicate {
	name := in.name()
	if name == "" {
		return in.Goal()
	}
	var any []Predicate
	for _, p := range []Predicate{in.Goal(), in.Named(), {Text: name}} {
		if len(p.Any) == 0 {
			p = Predicate{Any: []Predicate{p}}
		}
		for _, part := range p.Any {
			if !slices.ContainsFunc(any, func(q Predicate) bool { return q.String() == part.String() }) {
				any = append(any, part)
			}
		}
	}
	return either(any)
}

// name is what the page to open is called.
func (in Intent) name() string {
	switch {
	case in.Verb != Open:
		return ""
	case len(in.Path) > 0:
		return in.Path[len(in.Path)-1]
	case in.Object == "" && in.Query != "":
		return in.Query
	}
	return in.What
}

// dated is the goal where one of several things is meant: a page that offers just one of them has to say that it is the
// right one.
func (in Intent) dated(p Predicate) Predicate {
	if in.Period == nil || p.Form != "" {
		return p
	}
	parts := p.Any
	if len(parts) == 0 {
		parts = []Predicate{p}
	}
	var any []Predicate
	for _, part := range parts {
		if part.Action == "" {
			any = append(any, part)
			continue
		}
		for _, text := range in.Period.Spellings() {
			any = append(any, Predicate{All: []Predicate{part, {Text: text}}})
		}
	}
	return either(any)
}

// Spellings are ways in which a page writes a period that is a month or a day.
func (p Period) Spellings() []string {
	layouts := []string{"2006-01-02", "2 January 2006", "January 2, 2006", "Jan 2, 2006", "02.01.2006"}
	switch {
	case p.From.AddDate(0, 1, 0).Equal(p.To):
		layouts = []string{"January 2006", "Jan 2006", "2006-01", "01/2006"}
	case p.From.AddDate(1, 0, 0).Equal(p.To):
		layouts = []string{"2006"}
	}
	texts := make([]string, len(layouts))
	for i, layout := range layouts {
		texts[i] = p.From.Format(layout)
	}
	return texts
}

// Hints are words that lead to what the sentence asks for, the best ones first.
func (in Intent) Hints() []string {
	hints := append([]string{}, in.Path...)
	if in.Object != "" {
		hints = join(hints, []string{in.Object})
	}
	for _, p := range targetsOf(in.Verb, in.Object) {
		hints = join(hints, p.Hints())
	}
	return join(hints, relevance.Words(in.Query))
}

func targetsOf(verb Verb, object string) []Predicate {
	for _, what := range targets {
		if what.verb == verb && (what.object == object || what.object == "*") {
			return []Predicate{what.goal}
		}
	}
	return nil
}

// target is the page for a verb and an object. A star is any object, also none.
type target struct {
	verb   Verb
	object string
	goal   Predicate
}

var targets = []target{
	{Download, "invoice", either([]Predicate{{Collection: "invoices", Fields: []string{"date", "download"}}, {
		Action: "download_invoice",
	}})},
	{Open, "invoice", either([]Predicate{{Collection: "invoices"}, {Action: "download_invoice"}})},
	{Search, "invoice", either([]Predicate{{Collection: "invoices"}, {Action: "download_invoice"}})},
	{Pay, "invoice", either([]Predicate{{Form: "payment_method"}, {Form: "billing"}, {Collection: "invoices"}})},
	{Download, "*", Predicate{Action: "download"}},
	{Open, "order", Predicate{Collection: "orders"}},
	{Open, "product", Predicate{Collection: "products"}},
	{Open, "cart", Predicate{Action: "checkout"}},
	{Open, "payment", either([]Predicate{{Form: "payment_method"}, {Form: "billing"}})},
	{Open, "address", Predicate{Form: "shipping_address"}},
	{Open, "profile", Predicate{Form: "profile"}},
	{Open, "support", Predicate{Form: "contact"}},
	{Open, "newsletter", Predicate{Form: "newsletter"}},
	{Open, "job", Predicate{Action: "apply"}},
	{Open, "appointment", either([]Predicate{{Form: "schedule"}, {Action: "book"}})},
	{Search, "*", either([]Predicate{{Form: "search"}, {Form: "search_products"}, {Action: "search"}})},
	{Buy, "*", either([]Predicate{{Form: "checkout"}, {Form: "payment_method"}, {Action: "checkout"}, {
		Action: "add_to_cart",
	}})},
	{Book, "*", either([]Predicate{{Form: "schedule"}, {Action: "book"}})},
	{Apply, "*", Predicate{Action: "apply"}},
	{Login, "*", Predicate{Form: "login"}},
	{Logout, "*", Predicate{Action: "logout"}},
	{Signup, "*", Predicate{Form: "signup"}},
	{Upload, "*", either([]Predicate{{Form: "upload"}, {Action: "upload"}})},
	{Pay, "*", either([]Predicate{{Form: "payment_method"}, {Form: "billing"}, {Form: "checkout"}})},
	{Contact, "*", Predicate{Form: "contact"}},
	{Subscribe, "*", Predicate{Form: "newsletter"}},
	{Change, "password", Predicate{Form: "password_reset"}},
	{Change, "payment", either([]Predicate{{Form: "payment_method"}, {Form: "billing"}})},
	{Change, "address", Predicate{Form: "shipping_address"}},
	{Change, "profile", Predicate{Form: "profile"}},
	{Change, "account", Predicate{Form: "profile"}},
	{Change, "appointment", Predicate{Form: "schedule"}},
	{Delete, "*", Predicate{Action: "delete"}},
	{Cancel, "*", Predicate{Action: "cancel"}},
}
