package skill

import (
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
)

// usable reports whether a person could do the action.
func usable(a pcd.Action) bool { return !a.Unseen && !a.Disabled }

// usableActions are the actions of the page that a person could do and that fit.
func usableActions(page *pcd.Summary, fits func(pcd.Action) bool) []pcd.Action {
	var all []pcd.Action
	for _, a := range page.Actions {
		if usable(a) && fits(a) {
			all = append(all, a)
		}
	}
	return all
}

func ofKind(kinds ...string) func(pcd.Action) bool {
	return func(a pcd.Action) bool { return slices.Contains(kinds, a.Kind) }
}

// usableForms are the forms that a person can see and that are for one of the purposes.
func usableForms(page *pcd.Summary, purposes ...string) []pcd.Form {
	var all []pcd.Form
	for _, f := range page.Forms {
		if !f.Unseen && slices.Contains(purposes, f.Purpose) {
			all = append(all, f)
		}
	}
	return all
}

// submitOf is the button of a form, if a person can press it.
func submitOf(page *pcd.Summary, f pcd.Form) (id, label string, ok bool) {
	if f.SubmitID == "" {
		return "", "", false
	}
	at := slices.IndexFunc(page.Actions, func(a pcd.Action) bool { return a.ID == f.SubmitID })
	if at >= 0 && !usable(page.Actions[at]) {
		return "", "", false
	}
	return f.SubmitID, f.SubmitLabel, true
}

// kindOf is the kind of the action with an id.
func kindOf(page *pcd.Summary, id string) string {
	for _, a := range page.Actions {
		if a.ID == id {
			return a.Kind
		}
	}
	return ""
}

// sameSite reports whether an address is on the page's own host, or on one below or above it. An empty address is.
func sameSite(page *pcd.Summary, address string) bool {
	if address == "" {
		return true
	}
	here, err := url.Parse(page.URL)
	there, err2 := url.Parse(address)
	if err != nil || err2 != nil {
		return false
	}
	a, b := here.Hostname(), there.Hostname()
	return b == "" || a == b || strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a)
}

// saysAny reports whether a text has one of the phrases.
func saysAny(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return relevance.Contains(text, p) })
}

// isAny reports whether a label is one of the phrases, and nothing more.
func isAny(label string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return relevance.Same(label, p) })
}

// completed is the page with a submit action for each form without a button: another element near its fields with such
// a label. Pages often make submit buttons of plain elements.
func completed(page *pcd.Summary) *pcd.Summary {
	own := *page
	own.Forms = slices.Clone(page.Forms)
	for i := range own.Forms {
		f := &own.Forms[i]
		if f.SubmitID != "" {
			continue
		}
		var found []pcd.Action
		for _, a := range page.Actions {
			if usable(a) && a.URL == "" && a.CollectionID == "" && a.Landmark == f.Landmark &&
				slices.Equal(a.FramePath, f.FramePath) &&
				(a.Role == "button" || a.Role == "other") && sends(*f, a) && !submits(page, a.ID) {
				found = append(found, a)
			}
		}
		if len(found) == 1 { // of several none is known to be it
			f.SubmitID, f.SubmitLabel = found[0].ID, found[0].Label
		}
	}
	return &own
}

// sends reports whether the action reads as if it sent the form.
func sends(f pcd.Form, a pcd.Action) bool {
	switch f.Purpose {
	case "", pcd.PurposeShippingAddress, pcd.PurposeCheckout, pcd.PurposePaymentMethod, pcd.PurposeBilling:
		if leadsOn(a.Label) || saysAny(a.Label, placing) {
			return true
		}
	}
	return slices.Contains(sendingKinds[f.Purpose], a.Kind)
}

// sendingKinds are the kinds of what sends forms, by their purpose. A search has one field, which sends it.
var sendingKinds = map[string][]string{
	"":                         {pcd.KindCheckout, pcd.KindConfirm},
	pcd.PurposeLogin:           {pcd.KindLogin, pcd.KindSubmit, pcd.KindNext, pcd.KindConfirm},
	pcd.PurposeOTP:             {pcd.KindLogin, pcd.KindSubmit, pcd.KindNext, pcd.KindConfirm},
	pcd.PurposeShippingAddress: {pcd.KindNext, pcd.KindSubmit, pcd.KindSave, pcd.KindCheckout},
	pcd.PurposeCheckout:        {pcd.KindNext, pcd.KindSubmit, pcd.KindCheckout, pcd.KindConfirm},
	pcd.PurposePaymentMethod:   {pcd.KindNext, pcd.KindSubmit, pcd.KindSave, pcd.KindCheckout, pcd.KindConfirm},
	pcd.PurposeBilling:         {pcd.KindNext, pcd.KindSubmit, pcd.KindSave, pcd.KindCheckout, pcd.KindConfirm},
	pcd.PurposeContact:         {pcd.KindSubmit},
	pcd.PurposeProfile:         {pcd.KindSubmit, pcd.KindSave},
}
