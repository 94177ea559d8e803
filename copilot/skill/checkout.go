package skill

import (
	"fmt"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// checkout goes through a checkout, up to the control that places the order.
type checkout struct {
	Values  map[string]string `json:"values,omitempty"`
	Secrets map[string]string `json:"secrets,omitempty"`
	Order   bool              `json:"order,omitempty"`
}

func checkoutSkill() Skill {
	return define[checkout](Skill{
		Name: "checkout",
		Verb: goal.Buy,
		About: "Go from the cart through the pages of a checkout with the given data, up to the control that places the " +
			"order. It stops there, and says so.",
		Params: []Param{
			{Name: "values", Kind: Values, About: "what goes into fields, by label or name: names, address, shipping"},
			{Name: "secrets", Kind: Secrets, About: "names of grants, by field: the card's number and code"},
			{Name: "order", Kind: Switch, About: "also press the control that places the order, once a person has confirmed it"},
		},
		Ends: "the control that places the order is there, and was not pressed; with order, the site says that it " +
			"has taken it",
		Confirms: "a secret; the control that places the order",
		Effects:  []Effect{Changes, Navigates, Sends},
		Examples: []string{`{"values":{"Full name":"Ann Lee","Street":"1 Main St"}}`},
	}, func(p *checkout) error {
		for key := range p.Secrets {
			if _, ok := p.Values[key]; ok {
				return wrong("checkout", "values", fmt.Sprintf("and secrets both have %q", key))
			}
		}
		return nil
	})
}

const (
	dataStage  = "data"
	placeStage = "place"
	onStage    = "on"
)

// placed are words with which shops say that an order was taken.
const placed = `title:"thank you" or text:"thank you" or title:"order confirmed" or text:"order confirmed" or title:"order complete" or text:"order number" or ` +
	`title:"vielen dank" or text:"vielen dank" or text:bestellnummer or title:bestellbestätigung or url:*confirmation* or url:*thank* or url:*bestaetigung*`

func (p *checkout) wants() []Want {
	return append([]Want{{
		Slot: "checkout",
		Text: "checkout|cart|place order|continue|kasse",
	}}, fieldWants(p.Values, p.Secrets)...)
}

func (p *checkout) values() map[string]string { return p.Values }

func (p *checkout) match(page *pcd.Summary) []Match {
	var all []Match
	for _, f := range page.Forms {
		if f.Unseen || len(f.FramePath) > 0 || f.Landmark == pcd.Aside || f.Landmark == pcd.Footer || !p.isPart(page, f) {
			continue
		}
		all = append(all, p.form(page, f))
	}
	if len(all) > 0 {
		return all
	}
	own := func(kind string) []pcd.Action {
		return usableActions(page, func(a pcd.Action) bool {
			return a.Kind == kind && a.CollectionID == "" && a.Landmark != pcd.Aside && len(a.FramePath) == 0 &&
				sameSite(page, a.URL)
		})
	}
	for _, a := range own(pcd.KindConfirm) {
		if saysAny(a.Label, placing) {
			all = append(all,
				matched(placeStage, 0.9*a.Landmark.Weight(), fmt.Sprintf("%q places the order", short(a.Label)),
					map[string]string{"go": a.ID}))
		}
	}
	if len(all) > 0 {
		return all
	}
	for i, kind := range []string{pcd.KindCheckout, pcd.KindCart} {
		for _, a := range own(kind) {
			all = append(all,
				matched(onStage, (0.9-0.2*float64(i))*a.Landmark.Weight(), fmt.Sprintf("%q leads to the checkout", short(a.Label)),
					map[string]string{"go": a.ID}))
		}
	}
	return all
}

// isPart reports whether the form is a page of a checkout: by what it is for, or because it leads on to a payment or an
// order.
func (p *checkout) isPart(page *pcd.Summary, f pcd.Form) bool {
	switch f.Purpose {
	case pcd.PurposeCheckout, pcd.PurposeShippingAddress, pcd.PurposePaymentMethod, pcd.PurposeBilling:
		return true
	case pcd.PurposeSearch, pcd.PurposeSearchProducts, pcd.PurposeFilter, pcd.PurposeNewsletter, pcd.PurposeLogin,
		pcd.PurposeSignup, pcd.PurposeComment:
		return false
	}
	kind := kindOf(page, f.SubmitID)
	if kind == pcd.KindCheckout {
		return true
	}
	return saysAny(f.SubmitLabel, placing) && !saysAny(f.SubmitLabel, []string{"subscribe", "finish"})
}

func (p *checkout) form(page *pcd.Summary, f pcd.Form) Match {
	entries, _ := fit(f, p.Values, p.Secrets)
	stage, why := dataStage, "a form of the checkout: "+name(f)
	switch {
	case risky(kindOf(page, f.SubmitID), f.SubmitLabel):
		stage, why = placeStage, why+", which places the order"
	case submitRisk(page, f) == toolbox.High:
		why += ", which does not say where it leads"
	}
	if submitRisk(page, f) == toolbox.High && !p.Order {
		stage = placeStage // what may order is not pressed
	}
	m := matched(stage, 0.95*f.Landmark.Weight(), why, slots(f, entries))
	m.Missing = missing(f, entries)
	if stage == placeStage && !p.Order {
		for _, label := range m.Missing {
			m.Left = append(m.Left, fmt.Sprintf("%q has no value", short(label)))
		}
		m.Missing = nil
	}
	m.Slots["form"] = f.ID
	if id, _, ok := submitOf(page, f); ok {
		m.Slots["submit"] = id
	}
	m.IDs = ids(m.Slots)
	return m
}

func (p *checkout) plan(b Binding) []toolbox.Step {
	if b.stage == placeStage && !p.Order {
		entries, _ := fit(formOf(b), p.Values, p.Secrets)
		return append(fillSteps(b, entries), settle())
	}
	if d, ok := b.Details["go"]; ok {
		risk := toolbox.Low
		if b.stage == placeStage {
			risk = toolbox.High
		}
		return []toolbox.Step{click(d, labelOf(b.page, d.ID), risk), settle()}
	}
	f := formOf(b)
	entries, _ := fit(f, p.Values, p.Secrets)
	return append(fillSteps(b, entries), sending(b, f, submitRisk(b.page, f)), settle())
}

func (p *checkout) checks(b Binding) []Check {
	if b.stage == placeStage && !p.Order {
		label := formOf(b).SubmitLabel
		if id := b.Slots["go"]; id != "" {
			label = labelOf(b.page, id)
		}
		return []Check{{Name: "the order was not placed", Kind: SawUnsent, Text: label}}
	}
	if b.stage == placeStage {
		return []Check{{Name: "the order was taken", Kind: SawOrder, Goal: placed, Changed: true}}
	}
	return []Check{{Name: "the checkout went on", Kind: SawPage, Changed: true, Part: true}}
}
