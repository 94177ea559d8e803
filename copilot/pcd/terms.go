package pcd

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/relevance"
)

// alternative is one of the texts of a question.
type alternative struct {
	text     relevance.Text
	kinds    map[string]bool // that its words name
	families map[string]bool // of those kinds
}

func alternativesOf(text string) []alternative {
	var all []alternative
	for part := range strings.SplitSeq(text, "|") {
		a := alternative{text: relevance.NewText(part)}
		if a.text.IsZero() {
			continue
		}
		a.kinds, a.families = map[string]bool{}, map[string]bool{}
		for _, kind := range KindsNamed(part) {
			a.kinds[kind] = true
			if family := familyOf[kind]; family != "" {
				a.families[family] = true
			}
		}
		all = append(all, a)
	}
	return all
}

// KindsNamed returns the kinds of actions that a text names, in any of the languages that are known.
func KindsNamed(text string) []string { return kindsNamed(Normal(text)) }

// kindsNamed returns the kinds that have a phrase in a text of [Normal], in either number.
func kindsNamed(normal string) []string {
	words := strings.Fields(normal)
	index := phrasesByWord()
	longest := 0
	var kinds []string
	for at, word := range words {
		for _, spelling := range spellings(word) {
			for _, p := range index[spelling] {
				if len(words)-at < len(p.words) || !hasPrefix(words[at+1:], p.words[1:]) {
					continue
				}
				if len(p.words) > longest { // "download invoice" names more than "download"
					longest, kinds = len(p.words), kinds[:0]
				}
				if len(p.words) == longest && !slices.Contains(kinds, p.kind) {
					kinds = append(kinds, p.kind)
				}
			}
		}
	}
	return kinds
}

// spellings are a word, and what it may be in the other number.
func spellings(word string) []string {
	all := []string{word, word + "s", word + "n", word + "en"}
	for _, end := range []string{"s", "es", "n", "en"} {
		if rest, ok := strings.CutSuffix(word, end); ok && len(rest) > 2 {
			all = append(all, rest)
		}
	}
	return all
}

// familyOf names the families of kinds and purposes that lead to one another: where there are invoices, there is
// billing. What has no family is alone.
var familyOf = map[string]string{
	KindBilling: "money", KindInvoices: "money", KindDownloadInvoice: "money", PurposePaymentMethod: "money",
	KindCart: "purchase", KindAddToCart: "purchase", KindCheckout: "purchase", PurposeShippingAddress: "purchase",
	KindLogin: "identity", PurposeOTP: "identity", PurposePasswordReset: "identity",
	KindAccount: "self", KindSettings: "self", PurposeProfile: "self",
	KindSearch: "finding", PurposeSearchProducts: "finding",
	KindFilter: "narrowing", KindSort: "narrowing",
	KindNext: "paging", KindPrevious: "paging", KindPage: "paging",
	KindHelp: "help", KindContact: "help",
	KindBook: "booking", PurposeSchedule: "booking",
	KindCookieAccept: "consent", KindCookieReject: "consent",
}
