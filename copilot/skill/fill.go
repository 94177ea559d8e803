package skill

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// fillForm fills the fields of a form.
type fillForm struct {
	Form    string            `json:"form,omitempty"`
	Values  map[string]string `json:"values,omitempty"`
	Secrets map[string]string `json:"secrets,omitempty"`
	Submit  bool              `json:"submit,omitempty"`
}

func fillSkill() Skill {
	return define[fillForm](Skill{
		Name: "fill",
		Verb: goal.Fill,
		About: "Fill in a form: texts, choices, boxes, dates. It is only sent when that is asked for, and not when a value " +
			"has no field.",
		Params: []Param{
			{Name: "form", Kind: Text, About: "its id, purpose or label; the one that the values fit best without it"},
			{Name: "values", Kind: Values, About: "what goes into a field, by its label or name; true or false for a box"},
			{
				Name:  "secrets",
				Kind:  Secrets,
				About: "vault:LOGIN.password or the name of a grant, by the label or name of a field",
			},
			{Name: "submit", Kind: Switch, About: "also send it"},
		},
		Ends:     "the fields hold the values; with submit, a request that carries them was answered, or the page says so",
		Confirms: "a secret; a control that orders, pays, books, deletes or sends a message",
		Effects:  []Effect{Changes, Navigates, Sends},
		Examples: []string{`{"values":{"Name":"Ann","Newsletter":"true"},"submit":true}`},
	}, func(p *fillForm) error {
		if len(p.Values)+len(p.Secrets) == 0 && (!p.Submit || p.Form == "") {
			return wrong("fill", "values", "says nothing to fill in")
		}
		for key := range p.Secrets {
			if _, ok := p.Values[key]; ok {
				return wrong("fill", "values", fmt.Sprintf("and secrets both have %q", key))
			}
		}
		return nil
	})
}

func (p *fillForm) wants() []Want {
	var all []Want
	if p.Form != "" {
		all = append(all, Want{Slot: "form", Text: p.Form, Of: []string{pcd.CandidateForm}})
	}
	return append(all, fieldWants(p.Values, p.Secrets)...)
}

// fieldWants are the fields that values and secrets are for.
func fieldWants(values, secrets map[string]string) []Want {
	var all []Want
	for _, key := range slices.Concat(slices.Sorted(maps.Keys(values)), slices.Sorted(maps.Keys(secrets))) {
		all = append(all, Want{Slot: key, Text: key, Of: []string{pcd.CandidateForm}})
	}
	return all
}

func (p *fillForm) values() map[string]string { return p.Values }

func (p *fillForm) match(page *pcd.Summary) []Match {
	var all []Match
	for _, f := range page.Forms {
		if f.Unseen || p.Form != "" && !isForm(f, p.Form) {
			continue
		}
		if len(p.Secrets) > 0 && len(f.FramePath) > 0 {
			continue // a frame may be another site's
		}
		entries, left := fit(f, p.Values, p.Secrets)
		if len(entries) == 0 && len(p.Values)+len(p.Secrets) > 0 {
			continue
		}
		confidence := f.Landmark.Weight()
		if len(f.FramePath) > 0 {
			confidence *= 0.5
		}
		asked := max(1, len(p.Values)+len(p.Secrets))
		m := matched("fill", confidence*(0.95-0.9*float64(len(left))/float64(asked)),
			fmt.Sprintf("the form %s has %d of %d", name(f), asked-len(left), asked), slots(f, entries))
		for _, key := range left {
			why := "the form has no field for it"
			if _, ok := p.Values[key]; ok && slices.ContainsFunc(f.Fields, func(x pcd.Field) bool {
				return x.Secret && !x.Unseen && called(x, key, alsoCalled)
			}) {
				why = "its field is for a secret, and needs a grant"
			}
			m.Left = append(m.Left, fmt.Sprintf("%q: %s", key, why))
		}
		if p.Submit && len(left) > 0 {
			m.Left = append(m.Left, "the form was not sent, since it would have been sent without these")
		} else if p.Submit {
			m.Missing = append(m.Missing, missing(f, entries)...)
			p.addSubmit(page, f, &m)
		}
		all = append(all, m)
	}
	return all
}

// addSubmit adds what sends the form.
func (p *fillForm) addSubmit(page *pcd.Summary, f pcd.Form, m *Match) {
	m.Slots["form"] = f.ID
	if id, _, ok := submitOf(page, f); ok {
		m.Slots["submit"] = id
	}
	m.IDs = ids(m.Slots)
}

func ids(slots map[string]string) []string {
	all := slices.Sorted(maps.Values(slots))
	return slices.Compact(all)
}

func slots(_ pcd.Form, entries []entry) map[string]string {
	all := make(map[string]string, len(entries)+2)
	for _, e := range entries {
		all[e.slot] = e.field.ID
	}
	return all
}

func isForm(f pcd.Form, name string) bool {
	return f.ID == strings.TrimPrefix(name, "@") || strings.EqualFold(f.Purpose, name) || relevance.Same(f.Label, name)
}

// name is what people know a form by.
func name(f pcd.Form) string {
	for _, n := range []string{f.Label, strings.ReplaceAll(f.Purpose, "_", " "), f.SubmitLabel} {
		if n != "" {
			return fmt.Sprintf("%q", short(n))
		}
	}
	return f.ID
}

func (p *fillForm) plan(b Binding) []toolbox.Step {
	f, entries := p.bound(b)
	steps := fillSteps(b, entries)
	if p.sends(b) {
		steps = append(steps, sending(b, f, submitRisk(b.page, f)), settle())
	}
	return steps
}

// bound is the form of a binding, and what goes into it.
func (p *fillForm) bound(b Binding) (pcd.Form, []entry) {
	for _, f := range b.page.Forms {
		entries, _ := fit(f, p.Values, p.Secrets)
		same := f.ID == b.Slots["form"] && b.Slots["form"] != ""
		for _, e := range entries {
			same = same || b.Slots[e.slot] == e.field.ID
		}
		if same {
			return f, entries
		}
	}
	return pcd.Form{}, nil
}

func fillSteps(b Binding, entries []entry) []toolbox.Step {
	var steps []toolbox.Step
	for _, e := range entries {
		if d, ok := b.Details[e.slot]; ok {
			steps = append(steps, e.step(d))
		}
	}
	return steps
}

// sending is the step that submits a form: a click on its button, as a person does, else the form itself.
func sending(b Binding, f pcd.Form, risk toolbox.Risk) toolbox.Step {
	if d, ok := b.Details["submit"]; ok {
		label := f.SubmitLabel
		if label == "" {
			label = "Submit"
		}
		return click(d, label, risk)
	}
	return step("dom.submit", b.Details["form"], toolArgs{}, risk, "Submit the form "+name(f))
}

// submitRisk is how bad it is to send the form by mistake.
func submitRisk(page *pcd.Summary, f pcd.Form) toolbox.Risk {
	if risky(kindOf(page, f.SubmitID), f.SubmitLabel) {
		return toolbox.High
	}
	switch f.Purpose {
	case pcd.PurposePaymentMethod, pcd.PurposeBilling, pcd.PurposeCheckout:
		if !leadsOn(f.SubmitLabel) {
			return toolbox.High
		}
	case pcd.PurposeSearch, pcd.PurposeSearchProducts, pcd.PurposeFilter:
		return toolbox.Low
	}
	return toolbox.Medium
}

func (p *fillForm) checks(b Binding) []Check {
	_, entries := p.bound(b)
	if p.sends(b) {
		return []Check{{Name: "the form was sent", Kind: SawSent, Changed: true}}
	}
	return valueChecks(b, entries)
}

// sends reports whether the form is sent: not where something that was given has no place in it.
func (p *fillForm) sends(b Binding) bool { return p.Submit && len(b.Left) == 0 }

func valueChecks(b Binding, entries []entry) []Check {
	var all []Check
	for _, e := range entries {
		if _, ok := b.Details[e.slot]; !ok {
			continue
		}
		check := Check{
			Name:     fmt.Sprintf("%q holds what was given", short(e.field.Label)),
			Kind:     SawValue,
			Selector: "@" + e.field.ID,
			Text:     e.text(),
		}
		if !e.written() {
			check.Kind = SawChoice
		}
		all = append(all, check)
	}
	return all
}
