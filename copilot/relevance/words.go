package relevance

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Words are the words and numbers of a text in lower case; camel case is several words.
func Words(s string) []string {
	var all []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			all = append(all, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	var last rune
	for _, r := range s {
		switch {
		case unicode.IsUpper(r) && unicode.IsLower(last):
			end()
			word = append(word, r)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word = append(word, r)
		case (r == '\'' || r == '’') && len(word) > 0: // last month's
			word = append(word, '\'')
		default:
			end()
		}
		last = r
	}
	end()
	for i, w := range all {
		w = strings.Trim(w, "'")
		all[i] = strings.TrimSuffix(w, "'s")
	}
	return all
}

// Singular is a word of [Words] in the singular, as far as that is plain.
func Singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "ss"):
		return s
	case hasAny(s, "sses", "xes", "shes", "rches", "nches", "tches"): // addresses, boxes, searches; not caches
		return s[:len(s)-2]
	case strings.HasSuffix(s, "s"):
		return s[:len(s)-1]
	case strings.HasSuffix(s, "ungen"):
		return s[:len(s)-2]
	}
	return s
}

func hasAny(s string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

// stem is a word as it is compared: in the singular, and without accents.
func stem(word string) string { return Singular(Unaccented(word)) }

func stems(text string) []string {
	words := Words(text)
	for i, w := range words {
		words[i] = stem(w)
	}
	return words
}

// Unaccented is a text in lower case without the accents of the languages whose words are known.
func Unaccented(text string) string {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < 0x80
	}
	if ascii {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch plain, ok := accentless[r]; {
		case r >= 0x300 && r <= 0x36f: // an accent that stands for itself
		case ok:
			b.WriteString(plain)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// accentless are letters without their accents.
var accentless = map[rune]string{
	'à': "a", 'á': "a", 'â': "a", 'ã': "a", 'ä': "a", 'å': "a", 'ç': "c", 'è': "e", 'é': "e", 'ê': "e", 'ë': "e", 'ì': "i", 'í': "i", 'î': "i",
	'ï': "i", 'ñ': "n", 'ò': "o", 'ó': "o", 'ô': "o", 'õ': "o", 'ö': "o", 'ø': "o", 'ù': "u", 'ú': "u", 'û': "u", 'ü': "u", 'ý': "y", 'ÿ': "y",
	'ß': "ss", 'œ': "oe", 'æ': "ae", 'ą': "a", 'ć': "c", 'ę': "e", 'ł': "l", 'ń': "n", 'ś': "s", 'ź': "z", 'ż': "z",
}

// fillers are words without a meaning of their own, as stems. None of them tells one control from another.
var fillers = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("a an the to of for and or in on at by with my your our this that is are be it page please der die das und oder zu im am le la les el los las il " +
		"het um uma de des et i me we us you can do does how what where which there want need") {
		m[stem(w)] = true
	}
	return m
}()

// telling are the stems that mean something, each once; all of them when none does.
func telling(stems []string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, w := range stems {
		if !fillers[w] && !seen[w] && (len(w) > 1 || w != "" && w[0] <= '9') {
			kept = append(kept, w)
			seen[w] = true
		}
	}
	if kept == nil {
		return stems
	}
	return kept
}

// Same reports whether two labels are equal, ignoring case, accents, punctuation and plural.
func Same(a, b string) bool {
	x, y := stems(a), stems(b)
	return len(x) == len(y) && contains(x, y) >= 0
}

// Says reports whether a text contains the words of a phrase in a row, ignoring what [Same] ignores. No text contains an empty phrase.
func Says(text, phrase string) bool { return contains(stems(text), stems(phrase)) >= 0 }

// Portion is how many of the words of want a text has, from 0 to 1.
func Portion(text, want string) float64 {
	has, wanted := stems(text), stems(want)
	if len(wanted) == 0 {
		return 0
	}
	n := 0
	for _, w := range wanted {
		if contains(has, []string{w}) >= 0 {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}

// contains returns where has contains want as consecutive words, or -1.
func contains(has, want []string) int {
	if len(want) == 0 {
		return -1
	}
	for i := 0; i+len(want) <= len(has); i++ {
		j := 0
		for j < len(want) && has[i+j] == want[j] {
			j++
		}
		if j == len(want) {
			return i
		}
	}
	return -1
}

// addressWords are the words of what an address says behind its host.
func addressWords(address string) []string {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return stems(u.Path + " " + u.RawQuery + " " + u.Fragment)
}
