package goal

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/relevance"
)

// way is what leads to a form, an action or a collection.
type way struct {
	kinds map[string]float64 // of actions: how likely they lead there
	words []string
}

// ways are by purpose of forms, kind of actions and name of collections.
var ways = map[string]way{
	"login": {map[string]float64{"login": 0.7, "account": 0.4}, []string{"log in", "sign in", "anmelden"}},
	"signup": {
		map[string]float64{"signup": 0.7, "login": 0.4, "account": 0.3},
		[]string{"sign up", "register", "registrieren"},
	},
	"search":          {map[string]float64{"search": 0.7}, []string{"find", "suche"}},
	"search_products": {map[string]float64{"search": 0.7}, []string{"shop", "products"}},
	"billing": {
		map[string]float64{"billing": 0.7, "invoices": 0.6, "account": 0.4, "settings": 0.4},
		[]string{"payment", "plan", "subscription", "abrechnung"},
	},
	"payment_method": {
		map[string]float64{"billing": 0.6, "checkout": 0.5, "account": 0.4, "settings": 0.4, "cart": 0.3},
		[]string{"payment", "card", "zahlung"},
	},
	"checkout": {
		map[string]float64{"checkout": 0.8, "cart": 0.6, "add_to_cart": 0.4},
		[]string{"order", "basket", "kasse", "warenkorb"},
	},
	"shipping_address": {
		map[string]float64{"checkout": 0.7, "cart": 0.5, "account": 0.3},
		[]string{"address", "delivery", "adresse"},
	},
	"upload":   {map[string]float64{"upload": 0.8, "apply": 0.3}, []string{"file", "documents", "hochladen"}},
	"schedule": {map[string]float64{"book": 0.7}, []string{"appointment", "calendar", "reserve", "termin"}},
	"contact":  {map[string]float64{"contact": 0.8, "help": 0.4}, []string{"support", "message", "kontakt"}},
	"profile":  {map[string]float64{"account": 0.7, "settings": 0.6}, []string{"profil"}},
	"download_invoice": {map[string]float64{
		"invoices": 0.7, "billing": 0.6, "download": 0.4, "account": 0.35,
		"settings": 0.3, "menu": 0.1,
	}, invoiceWords},
	"invoices": {map[string]float64{
		"invoices": 0.75, "download_invoice": 0.7, "billing": 0.6, "account": 0.35,
		"settings": 0.3, "menu": 0.1,
	}, invoiceWords},
	"download": {
		map[string]float64{"download_invoice": 0.5, "invoices": 0.4},
		[]string{"downloads", "herunterladen"},
	},
	"confirm": {
		map[string]float64{"checkout": 0.6, "submit": 0.3, "next": 0.3, "cart": 0.3},
		[]string{"review", "bestätigen"},
	},
	"book": {
		map[string]float64{"apply": 0.1, "search": 0.1},
		[]string{"reserve", "appointment", "buchen", "termin"},
	},
	"apply":    {nil, []string{"jobs", "careers", "vacancies", "bewerben", "karriere"}},
	"orders":   {map[string]float64{"account": 0.5}, []string{"order", "purchases", "bestellungen"}},
	"products": {map[string]float64{"search": 0.3}, []string{"shop", "catalog", "produkte"}},
	"results":  {map[string]float64{"search": 0.5}, nil},
}

var invoiceWords = []string{
	"invoice", "billing", "statement", "receipt", "payment", "subscription", "rechnung",
	"rechnungen", "abrechnung",
}

// synonyms are words for the same field of an item; the first is the one that summaries use.
var synonyms = [][]string{
	{
		"date", "issued", "created", "period", "month", "day", "datum", "zeitraum", "monat", "when", "invoice date",
		"billing date", "rechnungsdatum", "issue date",
	},
	{"amount", "total", "price", "sum", "cost", "betrag", "summe", "preis", "gesamt"},
	{
		"download", "pdf", "file", "document", "downloadurl", "download url", "herunterladen", "dokument",
		"download invoice",
	},
	{"number", "no", "id", "nr", "invoice number", "invoice", "rechnungsnummer", "nummer", "reference"},
	{"title", "name", "product", "item", "subject", "titel", "produkt", "headline"},
	{"status", "state", "zustand"},
	{"detailurl", "detail url", "url", "link", "href"},
}

// SameField reports whether two names mean the same field of an item: "Total" and "amount".
func SameField(a, b string) bool {
	a, b = norm(a), norm(b)
	if a == "" || b == "" {
		return false
	}
	if a == b || strings.ReplaceAll(a, " ", "") == strings.ReplaceAll(b, " ", "") {
		return true
	}
	return meaning(a) >= 0 && meaning(a) == meaning(b)
}

// meaning is the place in synonyms of a field's name, or -1.
func meaning(field string) int {
	for i, group := range synonyms {
		if slices.Contains(group, field) {
			return i
		}
	}
	return -1
}

// same are names of collections that mean the same.
var same = map[string]string{
	"rechnung": "invoice", "bill": "invoice", "receipt": "invoice", "statement": "invoice", "produkt": "product",
	"productgrid":  "product",
	"product grid": "product", "ergebnisse": "result", "ergebniss": "result", "treffer": "result", "bestellung": "order",
	"purchase":      "order",
	"search result": "result", "billing history": "invoice", "payment history": "invoice", "beleg": "invoice",
}

// sameName reports whether two names of collections mean the same things.
func sameName(a, b string) bool {
	a, b = relevance.Singular(norm(a)), relevance.Singular(norm(b))
	return a != "" && (a == b || oneOf(a) == oneOf(b) || strings.HasSuffix(a, " "+b))
}

func oneOf(name string) string {
	if s, ok := same[name]; ok {
		return s
	}
	return name
}

// plain writes a kind or purpose as words.
func plain(kind string) string { return strings.ReplaceAll(kind, "_", " ") }

// norm is the text in lower case with a space between its words, and without signs.
func norm(s string) string { return strings.Join(relevance.Words(s), " ") }

// SameCollection reports whether two names of collections mean the same: "receipts" and "invoices".
func SameCollection(a, b string) bool { return sameName(a, b) }
