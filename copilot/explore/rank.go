package explore

import (
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
)

// rankByWords is the [Ranker] that counts which of the words a link's label, kind and address have. Words that come first count more.
func rankByWords(words string, links []Link) []float64 {
	wanted := meaning(tokens(words))
	scores := make([]float64, len(links))
	for i, l := range links {
		scores[i] = byWords(wanted, l)
	}
	return scores
}

// weights of where a word is found.
const (
	inLabel     = 1.0
	beginsLabel = 0.7 // it begins a longer word of the label, or the other way round
	inKind      = 0.8
	inAddress   = 0.6
	each        = 0.15 // of what each further word that is found adds
	later       = 0.1  // of what each word counts less than the one before it
)

func byWords(wanted []string, l Link) float64 {
	label, kind, address := stems(tokens(l.Label)), stems(tokens(l.Kind)), addressWords(l.URL)
	best, more := 0.0, 0.0
	for i, w := range wanted {
		found := 0.0
		switch {
		case has(label, w):
			found = inLabel
		case has(kind, w):
			found = inKind
		case begins(label, w):
			found = beginsLabel
		case has(address, w):
			found = inAddress
		default:
			continue
		}
		found /= 1 + later*float64(i)
		more += each * min(best, found)
		best = max(best, found)
	}
	score := min(1, best+more)
	switch l.Landmark { // a nudge, so that of links that say the same those that a person would take come first
	case pcd.Nav, pcd.Main:
		score += 0.03
	case pcd.Header, pcd.Aside:
		score += 0.02
	}
	if l.AboveFold {
		score += 0.01
	}
	if l.NoFollow {
		score -= 0.05
	}
	return max(0, min(1, score))
}

func addressWords(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return stems(tokens(u.Path + " " + u.RawQuery + " " + u.Fragment))
}

// fillers are words that do not tell where a link leads.
var fillers = set("a an the to of for and or in on at by with my your our this that is are be it page der die das und oder zu im am le la les de des et")

// meaning is the stems of the words that mean something, each once.
func meaning(words []string) []string {
	var kept []string
	for _, w := range words {
		if w = stem(w); !fillers[w] && !has(kept, w) {
			kept = append(kept, w)
		}
	}
	return kept
}

func stems(words []string) []string {
	for i, w := range words {
		words[i] = stem(w)
	}
	return words
}

// stem makes one word of the singular and the plural, as far as that is plain.
func stem(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

func has(words []string, word string) bool {
	return slices.Contains(words, word)
}

// begins reports whether the word begins one of the words, or one of them begins it.
func begins(words []string, word string) bool {
	const enough = 4
	for _, w := range words {
		if len(word) >= enough && strings.HasPrefix(w, word) || len(w) >= enough && strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}
