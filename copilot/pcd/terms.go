package pcd

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// alternative is one of the texts of a question.
type alternative struct {
	normal   string // as Normal writes it
	terms    []string
	kinds    map[string]bool // that its words name
	families map[string]bool // of those kinds
}

func alternativesOf(text string) []alternative {
	var all []alternative
	for part := range strings.SplitSeq(text, "|") {
		a := alternative{normal: Normal(part)}
		if a.normal == "" {
			continue
		}
		a.terms = termsOf(a.normal)
		a.kinds, a.families = map[string]bool{}, map[string]bool{}
		for _, kind := range kindsNamed(a.normal) {
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

// familyOf names the families of kinds and purposes that lead to one another: where there are invoices, there is billing. What has no family is alone.
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

// idle are words without a meaning of their own.
var idle = map[string]bool{
	"the": true, "of": true, "to": true, "and": true, "or": true, "in": true, "on": true, "for": true, "my": true, "your": true, "this": true,
	"that": true, "with": true, "der": true, "die": true, "das": true, "und": true, "le": true, "la": true, "les": true, "de": true, "el": true,
	"los": true, "las": true, "il": true, "het": true, "um": true, "uma": true, "please": true,
}

// termsOf are the words of a text of [Normal] that say something; all of them when none does.
func termsOf(normal string) []string {
	words := strings.Fields(normal)
	terms := make([]string, 0, len(words))
	for _, word := range words {
		if !idle[word] && (len(word) > 1 || word[0] <= '9') {
			terms = append(terms, word)
		}
	}
	if len(terms) == 0 {
		return words
	}
	return terms
}

// pathOf is the path of an address.
func pathOf(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
		if at := strings.IndexByte(url, '/'); at >= 0 {
			url = url[at:]
		} else {
			url = ""
		}
	}
	if at := strings.IndexAny(url, "?#"); at >= 0 {
		url = url[:at]
	}
	return url
}

// wordsOfName puts spaces between the words of a name such as detailUrl.
func wordsOfName(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// phraseIn says how a label contains a text: as all of it, at its beginning, as whole words, or as a part of one.
func phraseIn(label, text string) float64 {
	at := strings.Index(label, text)
	switch {
	case at < 0 || text == "":
		return 0
	case label == text:
		return 1
	}
	share := float64(len(text)) / float64(len(label))
	end := at + len(text)
	whole := (at == 0 || label[at-1] == ' ') && (end == len(label) || label[end] == ' ')
	switch {
	case whole && at == 0:
		return 0.7 + 0.2*share
	case whole:
		return 0.6 + 0.2*share
	case len(text) < 3:
		return 0
	}
	return 0.4 + 0.2*share
}

// Words that are shorter than this are like no other: "cart" is not "card".
const fuzzyLength = 5

// similarity is 1 for equal words, less for the beginning of a word and for words with a letter or two in another place, else 0.
func similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) >= 3 && strings.HasPrefix(b, a) {
		return 0.5 + 0.45*float64(len(a))/float64(len(b))
	}
	if len(a) < fuzzyLength {
		return 0
	}
	most := 1
	if len(a) >= 8 {
		most = 2
	}
	if n := utf8.RuneCountInString(b); len(b)-len(a) <= most {
		if d := distance(a, b, most); d <= most {
			return 1 - 2*float64(d)/float64(n)
		}
	}
	return 0
}

// distance is how many letters have to be put in, taken out, exchanged for others or for their neighbors to make b of a; most+1 for more than most.
func distance(a, b string, most int) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return most + 1
	}
	var rows [3][longest + 1]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		now, before, earlier := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		now[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(before[j]+1, now[j-1]+1, before[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], earlier[j-2]+1)
			}
			least = min(least, now[j])
		}
		if least > most {
			return most + 1
		}
	}
	return rows[len(a)%3][len(b)]
}
