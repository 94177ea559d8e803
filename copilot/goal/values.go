package goal

import (
	"cmp"
	"strings"
	"time"
	"unicode"

	"github.com/skua-browser/skua/internal/lazyregexp"
)

// Comparing returns how values of a column are compared: as sums or numbers, as dates, or as texts.
func Comparing(texts []string) func(a, b string) int {
	numbers, dates := map[string]float64{}, map[string]time.Time{}
	order := OrderOf(texts)
	now := time.Now()
	for _, text := range texts {
		if n, ok := numberIn(text); ok {
			numbers[text] = n
		}
		if p, ok := ParsePeriod(text, now, order); ok {
			dates[text] = p.From
		}
	}
	all := map[string]bool{}
	for _, text := range texts {
		all[text] = true
	}
	switch {
	case len(dates) == len(all):
		return func(a, b string) int { return dates[a].Compare(dates[b]) }
	case len(numbers) == len(all):
		return func(a, b string) int { return cmp.Compare(numbers[a], numbers[b]) }
	}
	return func(a, b string) int { return cmp.Compare(Words(a), Words(b)) }
}

var numeric = lazyregexp.New(`^\D{0,4}-?\d[\d.,'\s]*\D{0,8}$`)

// numberIn is the sum or number that a text is.
func numberIn(text string) (float64, bool) {
	if !numeric.MatchString(text) {
		return 0, false
	}
	if a, ok := ParseAmount(text); ok {
		return a.Value, true
	}
	return ParseNumber(strings.TrimFunc(text, func(c rune) bool { return (c < '0' || c > '9') && c != '-' }))
}

// Words are the words of a text in lower case, with one space between them.
func Words(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}), " ")
}
