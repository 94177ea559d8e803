package risk

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// risky are kinds of actions, and sending, purposes of forms, that cannot be taken back.
var (
	risky   = map[string]bool{pcd.KindConfirm: true, pcd.KindDelete: true, pcd.KindBook: true, pcd.KindApply: true}
	sending = map[string]bool{
		pcd.PurposeCheckout: true, pcd.PurposePaymentMethod: true, pcd.PurposeBilling: true, pcd.PurposeContact: true,
		pcd.PurposeComment:  true,
		pcd.PurposeSchedule: true, pcd.PurposePasswordReset: true,
	}
)

// irrevocableWords begin the labels of actions that cannot be taken back; orders are whole labels, or their beginnings,
// of several words.
var (
	irrevocableWords = words(
		"pay buy purchase delete remove erase destroy send transfer publish withdraw wipe donate refund terminate " +
			"deactivate bezahlen zahlen kaufen bestellen löschen entfernen senden absenden überweisen kündigen " +
			"veröffentlichen spenden payer acheter commander supprimer envoyer pagar comprar eliminar borrar enviar")
	orders = []string{
		"place order", "place your order", "place my order", "order now", "order and pay", "submit order", "submit payment",
		"confirm order", "confirm and pay",
		"confirm payment", "confirm purchase", "confirm booking", "complete order", "complete purchase", "complete booking",
		"book now", "cancel subscription", "cancel order",
		"cancel booking", "close account", "close my account", "jetzt kaufen", "jetzt bestellen", "jetzt buchen",
		"zahlungspflichtig bestellen", "kostenpflichtig bestellen",
		"proceed to payment", "make payment", "subscribe", "unsubscribe", "post", "order",
	}
)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// Control is something on a page that can be used.
type Control struct {
	Label   string
	Role    string
	Kind    string // of an action
	Purpose string // of the form that it sends or is in
	URL     string // where a link leads
}

// OfClick says how bad a click on the control is that goes wrong.
func OfClick(c Control) toolbox.Risk {
	switch {
	case Kind(c.Kind), Sends(c.Purpose) && c.Role != "link" && c.Kind != pcd.KindCancel, Irrevocable(c.Label):
		return toolbox.High
	case c.Role == "link" && leads(c.URL):
		return toolbox.Low
	}
	return toolbox.Medium
}

func leads(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "" && address != "")
}

// Kind reports whether an action of this kind cannot be taken back.
func Kind(kind string) bool { return risky[kind] }

// Irrevocable reports whether the name of a control reads as if its action could not be taken back: it pays, sends,
// deletes or orders.
func Irrevocable(label string) bool {
	list := strings.FieldsFunc(strings.ToLower(label), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if len(list) == 0 {
		return false
	}
	if irrevocableWords[list[0]] || len(list) > 1 && irrevocableWords[list[len(list)-1]] && len(list) <= 3 {
		return true
	}
	text := strings.Join(list, " ")
	for _, o := range orders {
		if text == o || strings.Contains(o, " ") && strings.Contains(" "+text+" ", " "+o+" ") {
			return true
		}
	}
	return false
}

// Sends reports whether a form of this purpose sends something that cannot be taken back: an order, a payment, a
// message.
func Sends(purpose string) bool { return sending[purpose] }
