package pcd

import (
	"slices"
	"strings"
)

// ListText is the known facts about a collection.
type ListText struct {
	Kind    string // table, list, feed or alike
	Label   string // its own
	Heading string // above it
	Words   string // its id and classes, and those of an item
	Fields  []string
	URL     string // of the page
}

// The names of collections that are known.
const (
	NameInvoices = "invoices"
	NameOrders   = "orders"
	NameCart     = "cartItems"
	NameProducts = "products"
	NameResults  = "results"
	NameMessages = "messages"
	NameArticles = "articles"
	NameComments = "comments"
	NameReviews  = "reviews"
	NameJobs     = "jobs"
	NameUsers    = "users"
	NameFiles    = "files"
)

// collectionWords are the words by which collections are known, in the order in which they are looked for.
var collectionWords = []struct{ name, words string }{
	{
		NameInvoices,
		"invoice|invoices|billing " +
			"history|receipts|statements|rechnung|rechnungen|facture|factures|factura|facturas|fattura|fatture|factuur|" +
			"facturen|fatura|faturas",
	},
	{
		NameCart,
		"cart|basket|shopping bag|warenkorb|panier|carrito|cesta|carrello|winkelwagen|carrinho|line items|cart " +
			"item|cart items",
	},
	{
		NameOrders,
		"order|orders|my orders|bestellung|bestellungen|commande|commandes|pedido|pedidos|ordini|bestelling|bestellingen",
	},
	{NameReviews, "reviews|review|bewertungen|avis|resenas|recensioni|avaliacoes"},
	{NameComments, "comments|comment|replies|kommentare|commentaires|comentarios|commenti|reacties"},
	{
		NameResults,
		"results|result|search " +
			"results|suchergebnisse|ergebnisse|treffer|resultats|resultados|risultati|resultaten|resultaat|hits",
	},
	{
		NameProducts,
		"product|products|productgrid|product grid|product " +
			"card|catalog|catalogue|produkt|produkte|produits|produit|productos|producto|prodotti|producten|produtos|" +
			"items for sale",
	},
	{NameJobs, "job|jobs|vacancies|openings|positions|stellen|stellenangebote|emplois|empleos|lavori|vacatures|vagas"},
	{NameMessages, "inbox|mail|emails|messages|message|nachrichten|posteingang|mensajes|messaggi|berichten|mensagens"},
	{
		NameUsers,
		"user|users|members|team|customers|people|benutzer|mitglieder|kunden|utilisateurs|usuarios|utenti|gebruikers",
	},
	{
		NameFiles,
		"file|files|documents|downloads|attachments|dateien|dokumente|fichiers|archivos|documentos|file " +
			"allegati|bestanden|ficheiros",
	},
	{
		NameArticles,
		"article|articles|post|posts|news|stories|blog|feed|artikel|beitrage|nachrichten " +
			"artikel|actualites|noticias|notizie|nieuws",
	},
}

// CollectionName returns what a collection is called: one of the names that are known, else one made of its label or of
// the heading above it.
func CollectionName(t ListText) string {
	for _, text := range []string{t.Label, t.Heading, separated(t.Words), path(t.URL)} {
		text = " " + Normal(text) + " "
		if text == "  " {
			continue
		}
		for _, c := range collectionWords {
			if containsPhrase(text, c.words) {
				return c.name
			}
		}
	}
	has := func(field string) bool { return slices.Contains(t.Fields, field) }
	if has("price") && (has("title") || has("name")) && t.Kind != "table" {
		return NameProducts
	}
	for _, text := range []string{t.Label, t.Heading} {
		if name := camel(text); name != "" {
			return name
		}
	}
	switch t.Kind {
	case "table":
		return "rows"
	case "feed":
		return "feed"
	}
	return "items"
}

// camel makes a name of the first words of a text.
func camel(text string) string {
	words := strings.Fields(Normal(text))
	var b strings.Builder
	for i, w := range words[:min(4, len(words))] {
		if i > 0 && w[0] >= 'a' && w[0] <= 'z' {
			w = string(w[0]-'a'+'A') + w[1:]
		}
		b.WriteString(w)
	}
	return b.String()
}

// path returns the path of an address, as words.
func path(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	_, path, _ := strings.Cut(rest, "/")
	path, _, _ = strings.Cut(path, "?")
	path, _, _ = strings.Cut(path, "#")
	return path
}
