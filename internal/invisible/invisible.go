package invisible

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	flag        = 0x1F3F4 // the black flag, which tags make that of a country
	cancelTag   = 0xE007F
	leastTags   = 3 // of a flag: gbeng
	mostTags    = 6
	longestRun  = 3 // of honest characters: a selector and joiners between the parts of an emoji
	leastHidden = 4 // single selectors behind letters that are a text together
)

// Clean returns the text without the characters that hide something, and whether there were any. Flags, emoji of
// several parts, variants of ideographs and joiners in words stay.
func Clean(text string) (clean string, hidden bool) {
	if !mayHide(text) {
		return text, false
	}
	var b strings.Builder
	selectors := 0 // single ones behind letters
	before := rune(-1)
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isInvisible(r) {
			if n := flagLength(text[at:]); n > 0 {
				size = n
			}
			b.WriteString(text[at : at+size])
			at += size
			before = r
			continue
		}
		run := text[at:]
		run = run[:len(run)-len(strings.TrimLeftFunc(run, isInvisible))]
		at += len(run)
		switch {
		case hides(run, before):
			hidden = true
		case isSelector(r) && isPlainLetter(before):
			selectors++
		default:
			b.WriteString(run)
		}
	}
	if selectors > 0 && selectors < leastHidden && !hidden {
		return text, false
	}
	return b.String(), hidden || selectors > 0
}

// mayHide reports whether the text has a byte that begins one of the characters: most texts have none.
func mayHide(text string) bool {
	for i := range len(text) {
		if text[i] >= 0xE1 && strings.IndexByte("\xE1\xE2\xE3\xEF\xF3", text[i]) >= 0 {
			return strings.ContainsFunc(text, isInvisible)
		}
	}
	return false
}

// hides reports whether a run of invisible characters is more than what a text needs behind the character before it.
func hides(run string, before rune) bool {
	if utf8.RuneCountInString(run) > longestRun {
		return true
	}
	for _, r := range run {
		if isTag(r) || isVariant(r) && !unicode.Is(unicode.Han, before) {
			return true
		}
	}
	return false
}

// flagLength returns the length of the flag that the text begins with, or 0.
func flagLength(text string) int {
	rest, isFlag := strings.CutPrefix(text, string(rune(flag)))
	if !isFlag {
		return 0
	}
	tags := 0
	for at, r := range rest {
		switch {
		case r == cancelTag && tags >= leastTags && tags <= mostTags:
			return len(text) - len(rest) + at + utf8.RuneLen(r)
		case r >= 0xE0030 && r <= 0xE0039 || r >= 0xE0061 && r <= 0xE007A:
			tags++
		default:
			return 0
		}
	}
	return 0
}

// isInvisible reports whether nothing is drawn for a character.
func isInvisible(r rune) bool {
	switch {
	case r < 0x115F:
		return false
	case isTag(r), isSelector(r), isVariant(r):
		return true
	case r >= 0x200B && r <= 0x200D, r >= 0x2060 && r <= 0x2064, r >= 0x206A && r <= 0x206F:
		return true
	}
	return r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 || r == 0xFEFF || r == 0x180E
}

func isTag(r rune) bool         { return r >= 0xE0000 && r <= cancelTag }
func isSelector(r rune) bool    { return r >= 0xFE00 && r <= 0xFE0F }
func isVariant(r rune) bool     { return r >= 0xE0100 && r <= 0xE01EF } // a selector of ideographs
func isPlainLetter(r rune) bool { return r == ' ' || unicode.Is(unicode.Latin, r) }
