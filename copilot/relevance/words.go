package relevance

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Words are the words and numbers of a text in lower case; camel case is several words.
func Words(s string) []string { return split(s, true) }

// split returns the words of a text. A word with a capital inside that begins with one, such as GitHub, is several
// words if names is true; one that does not, such as detailUrl, always is.
func split(s string, names bool) []string {
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
		case unicode.IsUpper(r) && unicode.IsLower(last) && (names || len(word) > 0 && unicode.IsLower(word[0])):
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

// stems are the words of a text as they are compared.
func stems(text string) []string {
	words := split(text, false)
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
	'à': "a", 'á': "a", 'â': "a", 'ã': "a", 'ä': "a", 'å': "a", 'ç': "c", 'è': "e", 'é': "e", 'ê': "e", 'ë': "e", 'ì': "i",
	'í': "i", 'î': "i",
	'ï': "i", 'ñ': "n", 'ò': "o", 'ó': "o", 'ô': "o", 'õ': "o", 'ö': "o", 'ø': "o", 'ù': "u", 'ú': "u", 'û': "u", 'ü': "u",
	'ý': "y", 'ÿ': "y",
	'ß': "ss", 'œ': "oe", 'æ': "ae", 'ą': "a", 'ć': "c", 'ę': "e", 'ł': "l", 'ń': "n", 'ś': "s", 'ź': "z", 'ż': "z",
}

// fillers are words without a meaning of their own, as stems. None of them tells one control from another.
var fillers = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(
		"a an the to of for and or in on at by with my your our this that is are be it page please der die das und oder zu " +
			"im am le la les el los las il het um uma de des et i me we us you can do does how what where which there " +
			"want need from") {
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

// Same reports whether two labels are equal, ignoring case, accents, punctuation, plural and whether words are written
// as one.
func Same(a, b string) bool {
	x, y := stems(strings.Join(Words(a), " ")), stems(strings.Join(Words(b), " "))
	return len(x) > 0 && strings.Join(x, "") == strings.Join(y, "")
}

// Contains reports whether a text contains the words of a phrase in a row, ignoring what [Same] ignores. No text
// contains an empty phrase.
func Contains(text, phrase string) bool {
	at, _ := contains(stems(strings.Join(Words(text), " ")), stems(strings.Join(Words(phrase), " ")))
	return at >= 0
}

// Portion is how many of the words of want a text has, from 0 to 1.
func Portion(text, want string) float64 {
	has, wanted := stems(strings.Join(Words(text), " ")), stems(strings.Join(Words(want), " "))
	if len(wanted) == 0 {
		return 0
	}
	n := 0
	for _, w := range wanted {
		if slices.Contains(has, w) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}

// contains returns where has contains want as consecutive words, and how many words of has these are: one may be
// written as several in the other. It returns -1 if it does not.
func contains(has, want []string) (at, n int) {
	joined := strings.Join(want, "")
	if joined == "" {
		return -1, 0
	}
	for i := range has {
		rest := joined
		for k := i; k < len(has) && has[k] != ""; k++ {
			var ok bool
			if rest, ok = strings.CutPrefix(rest, has[k]); !ok {
				break
			}
			if rest == "" {
				return i, k + 1 - i
			}
		}
	}
	return -1, 0
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
