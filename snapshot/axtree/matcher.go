package axtree

import (
	"regexp"
	"strings"
)

// pattern is how a search spells a regular expression: /text/, or /text/i for any case.
var pattern = regexp.MustCompile(`(?s)^/(.+)/([ims]*)$`)

// IsPattern reports whether a search is for a regular expression.
func IsPattern(search string) bool { return pattern.MatchString(search) }

// Matcher finds what a search is for. The zero value finds nothing.
type Matcher struct {
	text string         // in lower case
	re   *regexp.Regexp // nil: it is a text
}

// NewMatcher reads a search: a text that is found in any case, or a regular expression between slashes. Beside an error
// it returns a matcher of the text as it is written.
func NewMatcher(search string) (Matcher, error) {
	parts := pattern.FindStringSubmatch(search)
	if parts == nil {
		return Matcher{text: strings.ToLower(search)}, nil
	}
	flags := ""
	if parts[2] != "" {
		flags = "(?" + parts[2] + ")"
	}
	re, err := regexp.Compile(flags + parts[1])
	if err != nil {
		return Matcher{text: strings.ToLower(search)}, err
	}
	return Matcher{re: re}, nil
}

// Find reports whether a text is one of those.
func (m Matcher) Find(text string) bool {
	from, _ := m.Index(text)
	return from >= 0
}

// Index returns where in a text the first match is, and a negative from without one.
func (m Matcher) Index(text string) (from, to int) {
	if m.re != nil {
		if at := m.re.FindStringIndex(text); at != nil {
			return at[0], at[1]
		}
		return -1, -1
	}
	if m.text == "" {
		return -1, -1
	}
	from = strings.Index(strings.ToLower(text), m.text)
	return from, from + len(m.text)
}
