package wording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const ellipsis = "…"

// Clip returns the first characters of s, at most so many, with an ellipsis behind them when something was left out.
func Clip(s string, most int) string {
	if len(s) <= most { // no text has more characters than bytes
		return s
	}
	end := 0
	for range most {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	if end == len(s) {
		return s
	}
	return s[:end] + ellipsis
}

// ClipBytes is Clip for a limit in bytes, which cuts no character in two.
func ClipBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return Head(s, most) + ellipsis
}

// Head returns the beginning of s, at most so many bytes, without cutting a character in two.
func Head[T string | []byte](s T, most int) T {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// longestQuote is how many characters of foreign text a message repeats.
const longestQuote = 80

// Quote returns s in double quotes for a message, clipped and with control characters escaped.
func Quote(s string) string { return strconv.Quote(Clip(s, longestQuote)) }

// QuoteEach returns words in double quotes.
func QuoteEach(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strconv.Quote(w)
	}
	return out
}

// Plural returns a number with its noun: "1 tab", "2 tabs", "2 entries".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if noun == "entry" {
		noun = "entrie"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// OneLine makes foreign text fit for one line of a message: clipped, and without control characters.
func OneLine(s string) string {
	return Clip(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")), longestQuote)
}

// mostNamed is how many things a sentence names.
const mostNamed = 10

// ClipList bounds the items of a sentence: after ten of them it says how many more there are.
func ClipList(list []string) []string {
	if n := len(list) - mostNamed; n > 0 {
		return append(slices.Clone(list[:mostNamed]), fmt.Sprintf("and %d more", n))
	}
	return list
}

// Bytes returns a size for people.
func Bytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d kB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
