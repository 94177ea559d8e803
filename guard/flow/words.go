package flow

import (
	"regexp"
	"unicode"
)

// span is how many letters and digits a fingerprint is of.
const span = 8

// stream is a text as its letters and digits alone, in lower case, with what is known about the words that they stand
// in.
type stream struct {
	runes []rune
	word  []int32 // by rune: the word that it is in
	words []word
}

// word is a run of letters and digits, with single signs between them as in addresses, numbers and names of things:
// a.b@c.example, 12-34, 1.000.
type word struct {
	from, to int // among the runes
	digits   int // how many of the runes are digits
}

// moments finds dates and times, which do not show which site a text is of: many pages have them.
var moments = regexp.MustCompile(
	`\b(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\d{1,2}[./]\d{1,2}[./](?:\d\d){1,2}|\d{1,2}:\d\d(?::\d\d)?)\b`)

// read makes the stream of a text.
func read(text string) *stream {
	s := &stream{runes: make([]rune, 0, len(text)), word: make([]int32, 0, len(text))}
	open, gap := false, 0 // a word is open, and how many signs stand behind its last rune
	for _, r := range text {
		if unicode.Is(unicode.Cf, r) { // not seen, such as a space of no width
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if gap++; gap > 1 || !joins(r) {
				open = false
			}
			continue
		}
		if !open {
			s.words = append(s.words, word{from: len(s.runes)})
		}
		open, gap = true, 0
		w := &s.words[len(s.words)-1]
		s.runes = append(s.runes, unicode.ToLower(r))
		s.word = append(s.word, int32(len(s.words)-1)) //nolint:gosec // a text has fewer words
		w.to = len(s.runes)
		if unicode.IsDigit(r) {
			w.digits++
		}
	}
	return s
}

// joins reports whether a sign between two letters leaves them one word.
func joins(r rune) bool {
	switch r {
	case '.', '-', '_', '@', '+', '#', '\'', '’':
		return true
	}
	return false
}

// areCodes reports whether all words of a row are codes, as the groups of an account's number.
func (s *stream) areCodes(first, last int32) bool {
	for _, w := range s.words[first : last+1] {
		if w.digits == 0 {
			return false
		}
	}
	return true
}

// tells reports whether a word by itself says whose it is: one of eight letters and digits and more, unless it is a
// frequent one.
func (s *stream) tells(w word) bool {
	return w.to-w.from >= span && !frequent[string(s.runes[w.from:w.to])]
}

// numbers returns the words that are short numbers: too short for a fingerprint of their parts, and long enough to be a
// code.
func (s *stream) numbers() (all [][]rune) {
	for _, w := range s.words {
		if n := w.to - w.from; n == w.digits && n > shortest && n < span {
			all = append(all, s.runes[w.from:w.to])
		}
	}
	return all
}

// runsOfDigits returns the short numbers that digits make with each other, whatever signs are between them and letters
// around them.
func (s *stream) runsOfDigits() (all [][]rune) {
	for from := 0; from < len(s.runes); from++ {
		to := from
		for to < len(s.runes) && unicode.IsDigit(s.runes[to]) {
			to++
		}
		if n := to - from; n > shortest && n < span {
			all = append(all, s.runes[from:to])
		}
		from = to
	}
	return all
}

// reversed is the stream from its end to its beginning.
func (s *stream) reversed() *stream {
	n := len(s.runes)
	r := &stream{runes: make([]rune, n), word: make([]int32, n)}
	for i := range s.words {
		w := s.words[len(s.words)-1-i]
		r.words = append(r.words, word{n - w.to, n - w.from, w.digits})
	}
	for i, c := range s.runes {
		r.runes[n-1-i], r.word[n-1-i] = c, int32(len(s.words)-1)-s.word[i] //nolint:gosec // a text has fewer words
	}
	return r
}
