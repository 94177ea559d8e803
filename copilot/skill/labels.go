package skill

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
)

// placing are words of controls that order or pay, in English and German.
var placing = []string{
	"place order", "place your order", "place my order", "submit order", "complete order", "complete purchase",
	"confirm order", "confirm purchase", "confirm payment",
	"confirm and pay", "pay now", "buy now", "order now", "purchase", "pay", "finish", "kostenpflichtig bestellen",
	"zahlungspflichtig bestellen", "jetzt kaufen",
	"jetzt bestellen", "jetzt bezahlen", "bestellung abschicken", "bestellung aufgeben", "bestellen", "bezahlen", "kaufen",
	"book now", "confirm booking", "subscribe",
}

// going are words of controls that lead to the next page of a checkout, and order nothing.
var going = []string{
	"continue", "next", "proceed", "review", "to payment", "to shipping", "to review", "weiter", "fortfahren",
	"zur zahlung", "zum versand", "zur kasse", "prüfen",
	"checkout", "check out", "save and continue", "use this address", "ship to this address", "go to checkout",
}

// destroying are words of controls that delete or end something.
var destroying = []string{
	"delete", "remove", "erase", "close account", "deactivate", "cancel subscription", "löschen", "entfernen", "kündigen",
	"unsubscribe",
}

// risky reports whether pressing the control cannot be taken back: it orders, pays or deletes.
func risky(kind, label string) bool {
	if kind == pcd.KindConfirm || kind == pcd.KindDelete || kind == pcd.KindBook || saysAny(label, destroying) {
		return true
	}
	return saysAny(label, placing) && !leadsOn(label)
}

// leadsOn reports whether a control says that it leads to another page before anything is ordered: "Continue to
// payment".
func leadsOn(label string) bool {
	text := strings.ToLower(strings.TrimSpace(label))
	return slices.ContainsFunc(going, func(g string) bool {
		return strings.HasPrefix(text, g) || strings.HasSuffix(text, " "+g)
	}) && !saysAny(label, []string{"place", "buy", "pay now", "bestellen", "kaufen", "and pay"})
}
