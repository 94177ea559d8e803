package pcd_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/pcd"
)

func shop() *pcd.Summary {
	return &pcd.Summary{
		Actions: []pcd.Action{
			{
				ID: "e1", Label: "Home", Role: "link", Kind: pcd.KindHome, Landmark: pcd.Header, AboveFold: true,
				URL: "http://shop.test/",
			},
			{ID: "e2", Label: "Search", Role: "button", Kind: pcd.KindSearch, Landmark: pcd.Header, AboveFold: true},
			{
				ID: "e3", Label: "Billing", Role: "link", Kind: pcd.KindBilling, Landmark: pcd.Nav, AboveFold: true,
				URL: "http://shop.test/account/billing",
			},
			{
				ID: "e4", Label: "Rechnungen", Role: "link", Kind: pcd.KindInvoices, Landmark: pcd.Nav, AboveFold: true,
				URL: "http://shop.test/konto/r",
			},
			{ID: "e5", Label: "Delete account", Role: "button", Kind: pcd.KindDelete, Landmark: pcd.Main},
			{ID: "e6", Label: "Download", Role: "link", Kind: pcd.KindDownloadInvoice, Landmark: pcd.Main, CollectionID: "e20"},
			{
				ID: "e7", Label: "Invoice", Role: "link", Kind: pcd.KindInvoices, Landmark: pcd.Main, AboveFold: true,
				Unseen: true,
			},
			{ID: "e8", Label: "Returns policy", Role: "link", Landmark: pcd.Footer, URL: "http://shop.test/legal/returns"},
			{ID: "e9", Label: "Details", Role: "link", Landmark: pcd.Main, URL: "http://shop.test/orders/warranty"},
			{ID: "e10", Label: "Continue", Role: "button", Kind: pcd.KindNext, Landmark: pcd.Main, Disabled: true},
			{ID: "e11", Label: "Continue", Role: "button", Kind: pcd.KindNext, Landmark: pcd.Main},
			{ID: "e12", Label: "Newsletter", Role: "link", Landmark: pcd.Footer},
			{ID: "e13", Label: "Newsletter", Role: "link", Landmark: pcd.Main, AboveFold: true},
		},
		Forms: []pcd.Form{
			{
				ID: "e15", Purpose: pcd.PurposeSearchProducts, Landmark: pcd.Header, SubmitLabel: "Go", AboveFold: true,
				Fields: []pcd.Field{{Label: "Find products", Name: "q", Type: "search"}},
			},
			{
				ID: "e16", Purpose: pcd.PurposePaymentMethod, Landmark: pcd.Main, SubmitLabel: "Save card", Label: "Your card",
				Fields: []pcd.Field{{Label: "Cardholder", Name: "holder", Type: "text"}},
			},
		},
		Collections: []pcd.Collection{
			{ID: "e20", Name: "invoices", ItemFields: []string{"date", "amount", "downloadUrl"}, Landmark: pcd.Main},
			{ID: "e21", Name: "productGrid", ItemFields: []string{"title", "price"}, Landmark: pcd.Main, AboveFold: true},
		},
	}
}

func ids(found []pcd.Candidate) []string {
	out := []string{}
	for _, c := range found {
		out = append(out, c.ID)
	}
	return out
}

func TestQuery(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		ask  pcd.Question
		want []string
	}{
		{
			"the label, then its family, hidden elements last",
			pcd.Question{Text: "billing", Of: []string{"action"}},
			[]string{"e3", "e4", "e6", "e7"},
		},
		{
			"another language's word for a kind",
			pcd.Question{Text: "Rechnung", Of: []string{"action"}, Top: 2},
			[]string{"e4", "e3"},
		},
		{"a collection by what it is called", pcd.Question{Text: "invoices", Of: []string{"collection"}}, []string{"e20"}},
		{"a name of two words", pcd.Question{Text: "product grid", Of: []string{"collection"}}, []string{"e21"}},
		{"the fields of a collection", pcd.Question{Text: "price", Of: []string{"collection"}}, []string{"e21"}},
		{"the purpose of a form", pcd.Question{Text: "payment method", Of: []string{"form"}}, []string{"e16"}},
		{"the label of a field", pcd.Question{Text: "cardholder", Of: []string{"form"}}, []string{"e16"}},
		{"what a form is submitted with", pcd.Question{Text: "save card", Of: []string{"form"}}, []string{"e16"}},
		{"the path of an address", pcd.Question{Text: "warranty"}, []string{"e9"}},
		{"a misspelt word", pcd.Question{Text: "retruns"}, []string{"e8"}},
		{"the beginning of a word", pcd.Question{Text: "delet"}, []string{"e5"}},
		{"what is disabled behind what is not", pcd.Question{Text: "continue"}, []string{"e11", "e10"}},
		{"the main part in view before the foot", pcd.Question{Text: "newsletter"}, []string{"e13", "e12"}},
		{"words that stand nowhere", pcd.Question{Text: "telescope"}, []string{}},
		{"short words are like no other", pcd.Question{Text: "hone"}, []string{}},
		{"one of several texts", pcd.Question{Text: "telescope|delete|", Of: []string{"action", "form"}}, []string{"e5"}},
		{
			"no text: what is at hand, in the page's order",
			pcd.Question{Of: []string{"action"}, Top: 3},
			[]string{"e13", "e1", "e2"},
		},
		{"forms without a text", pcd.Question{Of: []string{"form"}}, []string{"e15", "e16"}},
		{
			"of the same family, though no word is the same",
			pcd.Question{Text: "payments", Of: []string{"action", "collection"}, Top: 3},
			[]string{"e3", "e4", "e6"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found := pcd.Query(shop(), tt.ask)
			require.Equal(t, tt.want, ids(found), "%+v", found)
			require.Equal(t, found, pcd.Query(shop(), tt.ask), "the same each time")
			for _, c := range found {
				require.True(t, c.Score > 0 && c.Score <= 1, "%+v", c)
			}
		})
	}
}

// The question of an invoice's download finds the way there in whatever words the page has for it.
func TestQueryForTheWayToAnInvoice(t *testing.T) {
	t.Parallel()
	found := pcd.Query(shop(), pcd.Question{Text: "invoice|billing|statement", Top: 20})
	require.Subset(t, ids(found)[:5], []string{"e3", "e4", "e20"})
	require.Equal(t, "e7", ids(found)[len(found)-1], "a hidden element, although nothing fits better")
	require.NotContains(t, ids(found), "e5")
	c := found[slices.Index(ids(found), "e3")]
	require.Equal(t,
		pcd.Candidate{
			ID: "e3", Of: "action", Label: "Billing", Kind: "billing", Landmark: "nav", Score: c.Score,
			Role: "link", URL: "http://shop.test/account/billing",
		}, c)
}

// With more candidates than one query scores, the best fit is found at any position; equal ones stay in the page's
// order.
func TestQueryOfALargePage(t *testing.T) {
	t.Parallel()
	s := large(5000)
	s.Actions[4900].Label = "Export everything"
	require.Equal(t, []string{"e4900"}, ids(pcd.Query(s, pcd.Question{Text: "export everything", Top: 1})))
	found := pcd.Query(s, pcd.Question{Text: "open"})
	require.Len(t, found, pcd.MaxCandidates)
	require.Equal(t, []string{"e0", "e1", "e2"}, ids(found)[:3])
	require.Len(t, pcd.Query(s, pcd.Question{}), pcd.MaxCandidates)
}

func large(n int) *pcd.Summary {
	s := new(pcd.Summary)
	for i := range n {
		s.Actions = append(s.Actions, pcd.Action{
			ID: fmt.Sprintf("e%d", i), Label: "Open", Role: "link", Landmark: pcd.Main,
			URL: fmt.Sprintf("http://shop.test/orders/%d", i),
		})
	}
	return s
}

func FuzzQuery(f *testing.F) {
	f.Add("invoice|billing", "Rechnung")
	f.Add("||", "")
	f.Add("é\u0301 ß", "\xff\xfe")
	f.Fuzz(func(t *testing.T, text, label string) {
		s := &pcd.Summary{
			Actions:     []pcd.Action{{ID: "e1", Label: label, URL: label}},
			Collections: []pcd.Collection{{ID: "e2", Name: label}},
		}
		for _, c := range pcd.Query(s, pcd.Question{Text: text}) {
			require.True(t, c.Score > 0 && c.Score <= 1, "%+v", c)
		}
	})
}

// At most what one query scores, of a page of so many links.
func BenchmarkQuery(b *testing.B) {
	for _, n := range []int{30, 200, 5000} {
		s := large(n)
		for i := range s.Actions {
			s.Actions[i].Label = fmt.Sprintf("Open the order %d of last month", i)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pcd.Query(s, pcd.Question{Text: "invoice|billing|statement of an order", Top: 20})
			}
		})
	}
}
