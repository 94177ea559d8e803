package pcd

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/skua-browser/skua/copilot/relevance"
)

// class says how much of a label its words have to be.
type class uint8

const (
	verbs class = iota
	nouns
)

// wording is the phrases of a kind, separated by bars.
type wording struct {
	kind    string
	class   class
	phrases string
}

// phrase is one of them.
type phrase struct {
	words []string
	kind  string
	class class
	rank  int // of its kind among all
}

// phrasesByWord returns the phrases by their first word.
var phrasesByWord = sync.OnceValue(func() map[string][]phrase {
	index := map[string][]phrase{}
	for rank, w := range kindWords {
		for text := range strings.SplitSeq(w.phrases, "|") {
			words := strings.Fields(text)
			index[words[0]] = append(index[words[0]], phrase{words: words, kind: w.kind, class: w.class, rank: rank})
		}
	}
	return index
})

// ActionContext is the known facts about an action besides its label.
type ActionContext struct {
	Role     string // an action's role
	URL      string // where a link leads
	Landmark Landmark
	Purpose  string // of the form that the action submits
	Submits  bool   // it submits a form
	Paging   bool   // it is among links to other pages of a list
	Expands  bool   // it shows or hides something on the page
	Pops     string // what it opens: menu, dialog, …
	Invoices bool   // it is in a list of invoices
	Cookies  bool   // it is in a cookie notice
}

// Kind returns the kind of an action, "" for none that is known. It depends on nothing but its arguments.
func Kind(label string, a ActionContext) string {
	words := strings.Fields(Normal(label))
	kind, all := kindOfWords(words, a.Role == "link")
	switch {
	case a.Cookies &&
		(kind == "" || kind == KindClose || kind == KindSubmit || kind == KindSave || kind == KindConfirm ||
			kind == KindCancel):
		if k := consent(words); k != "" {
			return k
		}
	case kind == KindDownload && (a.Invoices || all[KindInvoices]):
		return KindDownloadInvoice
	}
	if len(words) == 1 && isFigure(words[0]) && (a.Paging || strings.Contains(strings.ToLower(a.URL), "page")) {
		return KindPage
	}
	if kind == "" && a.Invoices && isDocument(a.URL) {
		return KindDownloadInvoice
	}
	if kind == KindApply && a.Purpose == PurposeFilter {
		return KindFilter
	}
	if kind == "" || (kind == KindSubmit && a.Purpose != "") {
		if k := kindOfSubmit(a); k != "" {
			return k
		}
	}
	switch {
	case kind != "":
		return kind
	case a.Role == "link":
		if k := kindOfAddress(a.URL, len(words) == 0); k != "" {
			return k
		}
		if a.Landmark == Nav {
			return KindNavigate
		}
	case a.Pops == "menu":
		return KindMenu
	case a.Expands:
		return KindExpand
	}
	return ""
}

// kindOfWords returns the kind of the longest phrase in the words, and all kinds that have one there.
func kindOfWords(words []string, isLink bool) (kind string, all map[string]bool) {
	index := phrasesByWord()
	best := phrase{rank: len(kindWords)}
	for at, word := range words {
		for _, p := range index[word] {
			if !hasPrefix(words[at:], p.words) || !p.fits(len(words), at, isLink) {
				continue
			}
			if all == nil {
				all = map[string]bool{}
			}
			all[p.kind] = true
			if len(p.words) > len(best.words) || len(p.words) == len(best.words) && p.rank < best.rank {
				best = p
			}
		}
	}
	return best.kind, all
}

// fits reports whether the phrase says what a label of so many words is about: headlines are made of the same words.
func (p phrase) fits(words, at int, isLink bool) bool {
	share := 100 * len(p.words) / words
	switch {
	case p.class == nouns && isLink:
		return share >= 50
	case p.class == nouns:
		return share >= 34
	case !isLink:
		return share >= 20
	}
	return at == 0 && words <= 6 || share >= 50
}

func hasPrefix(words, prefix []string) bool {
	if len(words) < len(prefix) {
		return false
	}
	for i, w := range prefix {
		if words[i] != w {
			return false
		}
	}
	return true
}

// consent returns the kind of a button in a notice about cookies whose words mean little elsewhere.
func consent(words []string) string {
	for _, w := range words {
		switch w {
		case "reject", "decline", "refuse", "deny", "ablehnen", "refuser", "rechazar", "rifiuta", "weigeren", "rejeitar",
			"recusar", "necessary", "notwendige":
			return KindCookieReject
		case "accept", "agree", "allow", "ok", "okay", "akzeptieren", "zustimmen", "einverstanden", "accepter", "accepte",
			"aceptar", "accetta", "accetto", "accepteren", "akkoord", "aceitar", "concordo":
			return KindCookieAccept
		}
	}
	return ""
}

// kindOfSubmit returns the kind of what submits a form, by what the form is for.
func kindOfSubmit(a ActionContext) string {
	if !a.Submits {
		return ""
	}
	switch a.Purpose {
	case PurposeLogin, PurposeOTP:
		return KindLogin
	case PurposeSignup:
		return KindSignup
	case PurposeSearch, PurposeSearchProducts:
		return KindSearch
	case PurposeFilter:
		return KindFilter
	case PurposeUpload:
		return KindUpload
	}
	return KindSubmit
}

// addressWords are the parts of a path that say where a link leads.
var addressWords = map[string]string{
	"login": KindLogin, "signin": KindLogin, "sign-in": KindLogin, "sign_in": KindLogin, "logout": KindLogout,
	"signout":  KindLogout,
	"sign-out": KindLogout, "sign_out": KindLogout, "signup": KindSignup, "sign-up": KindSignup, "register": KindSignup,
	"cart":   KindCart,
	"basket": KindCart, "checkout": KindCheckout, "invoices": KindInvoices, "billing": KindBilling,
	"settings": KindSettings,
	"account":  KindAccount, "profile": KindAccount, "help": KindHelp, "support": KindHelp, "contact": KindContact,
	"search":    KindSearch,
	"warenkorb": KindCart, "panier": KindCart, "carrito": KindCart, "carrello": KindCart, "rechnungen": KindInvoices,
	"factures": KindInvoices,
}

// kindOfAddress returns the kind of a link by the last part of its path, as far as that is what a link of its own would
// be called. A link without a label, such as an icon, is also told by its being the way home.
func kindOfAddress(url string, unlabelled bool) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	_, path, _ := strings.Cut(rest, "/")
	path, _, _ = strings.Cut(path, "?")
	path, _, _ = strings.Cut(path, "#")
	path = strings.TrimSuffix(path, "/")
	if path == "" && unlabelled {
		return KindHome
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	last, _, _ = strings.Cut(strings.ToLower(last), ".")
	return addressWords[last]
}

func isDocument(url string) bool {
	url, _, _ = strings.Cut(url, "?")
	return strings.HasSuffix(strings.ToLower(url), ".pdf")
}

func isFigure(word string) bool {
	for i := range len(word) {
		if word[i] < '0' || word[i] > '9' {
			return false
		}
	}
	return word != "" && len(word) <= 5
}

// Normal returns a text as texts are compared: words in lower case, without accents and signs, one space between them.
func Normal(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range text {
		if r < utf8.RuneSelf {
			switch {
			case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			case 'A' <= r && r <= 'Z':
				r += 'a' - 'A'
			default:
				space = true
				continue
			}
		} else if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			space = true
			continue
		} else if unicode.IsMark(r) {
			if r >= 0x300 && r <= 0x36f {
				continue // an accent that stands for itself
			}
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
			continue
		}
		b.WriteString(relevance.Unaccented(string(unicode.ToLower(r))))
	}
	return b.String()
}
