package pagetext

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// How much of a page's text is kept and reported, in characters. A page may write megabytes where a person writes a
// line, and the text of a reply goes into journals, protocol frames and the context of a model. Longer text is
// truncated, with a note of its length.
const (
	MaxTitle   = 1000 // titles of pages, names of frames and of elements that a note reports
	MaxAddress = 8000 // addresses that are shown; what goes back to a page goes by the whole one
	MaxMessage = 4000 // of JavaScript dialogs and errors
)

// Bounded is a text that a page wrote, cut after so many characters. One that is short enough is returned as it is.
func Bounded(text string, most int) string {
	if len(text) <= most { // no text has more characters than bytes
		return text
	}
	count := utf8.RuneCountInString(text)
	if count <= most {
		return text
	}
	return strings.Clone(Beginning(text, most)) + "… (" + grouped(count) + " characters)" // the clone lets go of the rest
}

// reportedTitle is how much of a title Chromium reports, in characters.
const reportedTitle = 4096

// Title returns a bounded title. It prefers the known title if that one starts with the given one: Chromium and the
// in-page script cut long titles, and the known one may have the full length.
func Title(known, title string) string {
	count := utf8.RuneCountInString(title)
	if count >= MaxTitle && count <= reportedTitle && strings.HasPrefix(known, Beginning(title, MaxTitle)) {
		return known
	}
	return Bounded(title, MaxTitle)
}

// Beginning is the first characters of a text, at most so many.
func Beginning(text string, most int) string {
	end := 0
	for range most {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end]
}

// grouped writes a number with commas: 5,000,000.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
