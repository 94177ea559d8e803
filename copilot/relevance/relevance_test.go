package relevance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/relevance"
)

func fit(text string, c relevance.Control) relevance.Fit {
	d := relevance.NewDocument(c)
	return relevance.NewText(text).Fit(&d, nil)
}

func label(l string) relevance.Control { return relevance.Control{Label: l} }

func TestFit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text  string
		control     relevance.Control
		by          relevance.By
		least, most float64
		beside      int
	}{
		{"the label itself", "Billing", label("Billing"), relevance.Equal, 1, 1, 0},
		{"in another case, number and with an icon", "invoice", label("\uf15b INVOICES"), relevance.Equal, 1, 1, 0},
		{"without accents", "Losch alles", label("Lösch alles"), relevance.Equal, 1, 1, 0},
		{"a name with a capital in it", "github", label("GitHub"), relevance.Equal, 1, 1, 0},
		{"a name in two words", "git hub", label("GitHub"), relevance.Equal, 1, 1, 0},
		{"words around a name", "GitHub releases", label("Releases on github"), relevance.AllWords, 0.7, 0.8, 0},
		{"camel case", "detail url", label("detailUrl"), relevance.Equal, 1, 1, 0},
		{"the label says it, and a count", "Billing", label("Billing (3)"), relevance.Saying, 0.85, 0.95, 1},
		{"the label says it in its end", "billing", label("Payment and billing"), relevance.Saying, 0.78, 0.85, 2},
		{"the text says the label", "View on GitHub", label("GitHub"), relevance.Said, 0.5, 0.7, 0},
		{"the label has all words", "delete my account", label("Account: delete"), relevance.AllWords, 0.75, 0.8, 0},
		{"the label has some words", "download the last invoice", label("Last seen"), relevance.SomeWords, 0.1, 0.35, 0},
		{"the kind", "add to cart", relevance.Control{Label: "+", Kind: "add_to_cart"}, relevance.Like, 0.5, 0.6, 0},
		{
			"the address", "warranty",
			relevance.Control{Label: "Details", Address: "https://shop.test/orders/warranty?x=1"},
			relevance.Like, 0.4, 0.5, 0,
		},
		{
			"the host says nothing", "shop",
			relevance.Control{Label: "Details", Address: "https://shop.test/orders"},
			relevance.Nothing, 0, 0, 0,
		},
		{
			"what belongs to it", "cardholder",
			relevance.Control{Label: "Pay", More: "Cardholder holder"},
			relevance.Like, 0.5,
			0.55, 0,
		},
		{"a misspelled word", "retruns", label("Returns policy"), relevance.Like, 0.3, 0.55, 0},
		{"the beginning of a word", "delet", label("Delete"), relevance.Like, 0.4, 0.6, 0},
		{"short words are like no other", "cart", label("Card"), relevance.Nothing, 0, 0, 0},
		{
			"fillers count where there is nothing else", "the of my", label("The best of my life"), relevance.AllWords, 0.7, 0.8,
			0,
		},
		{"fillers do not count beside others", "the account", label("The end"), relevance.Nothing, 0, 0, 0},
		{"nothing", "telescope", label("Billing"), relevance.Nothing, 0, 0, 0},
		{"no text", " - ", label("Billing"), relevance.Nothing, 0, 0, 0},
		{"no label", "Billing", label(""), relevance.Nothing, 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := fit(tt.text, tt.control)
			require.Equal(t, tt.by, f.By, "%+v", f)
			require.GreaterOrEqual(t, f.Score, tt.least)
			require.LessOrEqual(t, f.Score, tt.most)
			require.Equal(t, tt.beside, f.Beside)
		})
	}
}

// Of each row every control fits the text better than the one behind it.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text     string
		controls []relevance.Control
	}{
		{"billing", []relevance.Control{
			label("Billing"), label("Billing details"), label("Your billing details and more"),
			{Label: "Plan", Kind: "billing"},
			{Label: "Plan", Address: "/billing"},
			label("Help"),
		}},
		{
			"order history",
			[]relevance.Control{
				label("Order history"), label("History of your orders"), label("History"),
				{Label: "More", Address: "/orders"},
			},
		},
	} {
		for i := range len(tt.controls) - 1 {
			require.Greater(t, fit(tt.text, tt.controls[i]).Score, fit(tt.text, tt.controls[i+1]).Score, "%s: %+v", tt.text,
				tt.controls[i])
		}
	}
}

// A word that everything has tells less than one that little has.
func TestWeigh(t *testing.T) {
	t.Parallel()
	rare := func(stem string) float64 { return map[string]float64{"red": 3, "lamp": 0.1}[stem] }
	red, lamp := relevance.NewDocument(label("Red chair")), relevance.NewDocument(label("Blue lamp"))
	text := relevance.NewText("red lamp")
	require.Equal(t, text.Fit(&red, nil).Score, text.Fit(&lamp, nil).Score)
	require.Greater(t, text.Fit(&red, rare).Score, text.Fit(&lamp, rare).Score)
}

// Of several words one is enough, and the first ones tell more.
func TestBest(t *testing.T) {
	t.Parallel()
	words := relevance.Any("the invoice invoices billing")
	require.Len(t, words, 2)
	score := func(l string) float64 {
		d := relevance.NewDocument(label(l))
		return relevance.Best(words, &d, 0.1, 0.15).Score
	}
	require.Greater(t, score("Invoices"), score("Billing"))
	require.Greater(t, score("Billing"), score("Billing department"))
	require.Greater(t, score("Invoices and billing"), score("Invoices and payment"))
	require.Zero(t, score("Help"))
}

func TestSaysAndSame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, phrase string
		says, same   bool
	}{
		{"Load more results", "more result", true, false},
		{"Invoices", "invoice", true, true},
		{"Rechnungen", "rechnung", true, true},
		{"Prüfen", "prufen", true, true},
		{"last month's invoice", "last month", true, false},
		{"Addresses", "address", true, true},
		{"Recent searches", "search", true, false},
		{"Clear caches", "cache", true, false},
		{"scart", "cart", false, false},
		{"GitHub", "github", true, true},
		{"CustomerEmail", "email", true, false},
		{"Log-in", "login", true, true},
		{"anything", "", false, false},
		{"", "", false, false},
	} {
		require.Equal(t, tt.says, relevance.Contains(tt.text, tt.phrase), "%q says %q", tt.text, tt.phrase)
		require.Equal(t, tt.same, relevance.Same(tt.text, tt.phrase), "%q is %q", tt.text, tt.phrase)
	}
	require.InDelta(t, 0.5, relevance.Portion("the red lamp", "red sofa"), 0.001)
	require.Zero(t, relevance.Portion("x", ""))
}
