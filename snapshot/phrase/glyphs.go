package phrase

import (
	"strings"
	"unicode"
)

// WithoutGlyphs returns a text without the characters of icon fonts, which stand for pictures and have no meaning of
// their own.
func WithoutGlyphs(text string) string {
	isGlyph := func(r rune) bool { return unicode.Is(unicode.Co, r) }
	if !strings.ContainsFunc(text, isGlyph) {
		return text
	}
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if isGlyph(r) {
			return -1
		}
		return r
	}, text)), " ")
}
