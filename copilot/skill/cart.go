package skill

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// addToCart puts a product into the cart.
type addToCart struct {
	Product  string            `json:"product,omitempty"`
	Quantity int               `json:"quantity,omitempty"`
	Options  map[string]string `json:"options,omitempty"`
}

func addToCartSkill() Skill {
	return define[addToCart](Skill{
		Name:  "add-to-cart",
		Verb:  goal.AddTo,
		About: "Put one product into the cart: that of the page, or one of a list by its name.",
		Params: []Param{
			{Name: "product", Kind: Text, About: "words of its name; needed where the page lists several"},
			{Name: "quantity", Kind: Number, About: "how many; what the page has set without it"},
			{Name: "options", Kind: Values, About: "size, color and the like, by the name of the choice"},
		},
		Ends:     "the page says that it is in the cart, or the cart has more in it",
		Effects:  []Effect{Changes, Navigates, Sends},
		Examples: []string{`{"product":"Blue lamp"}`, `{"quantity":2,"options":{"Size":"M"}}`},
	}, func(p *addToCart) error { return nil })
}

func (p *addToCart) wants() []Want {
	all := []Want{{Slot: "product", Text: strings.Trim(p.Product+"|add to cart|add to basket|in den warenkorb", "|")}}
	for _, key := range slices.Sorted(maps.Keys(p.Options)) {
		all = append(all, Want{Slot: "options." + key, Text: key, Of: []string{pcd.CandidateForm}})
	}
	return all
}

// fields are what is set before the button is pressed, by the names of fields.
func (p *addToCart) fields() map[string]string {
	all := maps.Clone(p.Options)
	if all == nil {
		all = map[string]string{}
	}
	if p.Quantity > 0 {
		all["quantity"] = strconv.Itoa(p.Quantity)
	}
	return all
}

func (p *addToCart) values() map[string]string { return p.fields() }

// addWords are what buttons are called that put something into the cart.
var addWords = []string{
	"add to cart", "add to basket", "add to bag", "add to shopping cart", "add to trolley", "in den warenkorb",
	"in den einkaufswagen", "zum warenkorb hinzufügen", "add item",
}

func adds(kind, label string) bool { return kind == pcd.KindAddToCart || saysAny(label, addWords) }

func (p *addToCart) match(page *pcd.Summary) []Match {
	var all []Match
	for _, a := range page.Actions {
		if !usable(a) || a.CollectionID != "" || len(a.FramePath) > 0 || !adds(a.Kind, a.Label) || a.Landmark == pcd.Aside {
			continue
		}
		confidence := 0.8
		switch {
		case p.Product == "":
		case relevance.Contains(a.Label, p.Product): // "Add Blue lamp to cart"
			confidence = 0.95
		case relevance.Contains(page.Title, p.Product):
			confidence = 0.9
		default:
			continue
		}
		all = append(all, p.single(page, a, confidence))
	}
	if len(all) > 1 && p.Product == "" {
		for i := range all {
			all[i].Several = []string{
				fmt.Sprintf("the page has %d controls that put something into the cart; say which by product", len(all)),
			}
		}
	}
	for _, c := range page.Collections {
		has := slices.ContainsFunc(c.ItemFields, func(f string) bool { return f == "addToCart" || adds("", f) }) ||
			slices.ContainsFunc(page.Actions, func(a pcd.Action) bool { return a.CollectionID == c.ID && adds(a.Kind, a.Label) })
		if c.Unseen || !has {
			continue
		}
		m := matched(rowStage, 0.85*c.Landmark.Weight(), "an item of "+c.Name, map[string]string{"list": c.ID})
		m.IDs = nil
		m.Look = []toolbox.Call{*call("dom.extract", toolArgs{Collection: c.ID})}
		all = append(all, m)
	}
	return all
}

// single is the match for a button that is not of a list, with the fields of its form.
func (p *addToCart) single(page *pcd.Summary, a pcd.Action, confidence float64) Match {
	m := matched("single", confidence*a.Landmark.Weight(), fmt.Sprintf("%q", short(a.Label)),
		map[string]string{"add": a.ID})
	if len(p.fields()) == 0 {
		return m
	}
	f, entries, left := p.form(page, a.ID)
	for _, e := range entries {
		m.Slots[e.slot] = e.field.ID
	}
	if f.ID != "" {
		m.Slots["form"] = f.ID
	}
	m.Missing = append(m.Missing, left...)
	m.IDs = ids(m.Slots)
	return m
}

// form is the form that sets what is added: that of the button, else the one that the options fit best.
func (p *addToCart) form(page *pcd.Summary, button string) (best pcd.Form, entries []entry, left []string) {
	left = slices.Sorted(maps.Keys(p.fields()))
	for _, f := range page.Forms {
		if f.Unseen {
			continue
		}
		own, rest := fit(f, p.fields(), nil)
		if len(rest) < len(left) || f.SubmitID == button && len(rest) <= len(left) {
			best, entries, left = f, own, rest
		}
	}
	return best, entries, left
}

// bind chooses the item that is meant. It chooses nothing where several are called so: which one is for the caller to
// say.
func (p *addToCart) bind(b *Binding, facts Facts) bool {
	for _, rows := range facts.Rows {
		if rows.CollectionID != b.Slots["list"] {
			continue
		}
		var fitting, exact []pcd.Item
		for _, item := range rows.Items {
			if addRef(item) == "" {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(item.Fields)) {
				if p.Product != "" && relevance.Same(item.Fields[name], p.Product) {
					exact = append(exact, item)
					break
				}
			}
			if p.Product == "" || relevance.Contains(textOf(item), p.Product) {
				fitting = append(fitting, item)
			}
		}
		if len(exact) == 1 {
			fitting = exact
		}
		if len(fitting) > 1 {
			names := make([]string, len(fitting))
			for i, item := range fitting {
				names[i] = rowName(item)
			}
			b.Several = []string{fmt.Sprintf("%d products fit: %s; say which by product", len(fitting), listed(names))}
			return false
		}
		if len(p.fields()) > 0 && len(fitting) == 1 {
			b.Missing = slices.Sorted(maps.Keys(p.fields())) // an item of a list has none of its own
		}
		b.items = fitting
		return len(fitting) == 1
	}
	return false
}

func textOf(item pcd.Item) string {
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(item.Fields)) {
		all.WriteString(item.Fields[name] + " | ")
	}
	return all.String()
}

func addRef(item pcd.Item) string {
	for _, label := range slices.Sorted(maps.Keys(item.Actions)) {
		if adds("", label) {
			return item.Actions[label]
		}
	}
	return ""
}

func (p *addToCart) plan(b Binding) []toolbox.Step {
	if len(b.items) == 1 {
		ref := addRef(b.items[0])
		return []toolbox.Step{click(pcd.Detail{
			ID: ref,
		}, labelIn(b.items[0], ref)+" of "+rowName(b.items[0]), toolbox.Medium), settle()}
	}
	_, entries, _ := p.form(b.page, b.Slots["add"])
	steps := fillSteps(b, entries)
	return append(steps, click(b.Details["add"], labelOf(b.page, b.Slots["add"]), toolbox.Medium), settle())
}

func (p *addToCart) checks(b Binding) []Check {
	what := p.Product
	if what == "" && len(b.items) == 1 {
		what = rowName(b.items[0])
	}
	return []Check{{Name: "it is in the cart", Kind: SawInCart, Text: what}}
}
