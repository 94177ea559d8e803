package addressee

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a word of a text in lower case, or a mark between words: "," for a pause, ":" for a colon, "." for the end of
// a sentence, and a quotation mark.
type word struct {
	text     string
	from, to int // in the text as it was given
}

const quotation = `"`

func (w *word) isQuotation() bool { return w.text == quotation }

// marks are the characters between words that phrases know, by what they are for them.
var marks = map[rune]string{
	',': ",", ';': ",", '—': ",", '–': ",", '(': ",", ')': ",", ']': ",", '，': ",", '、': ",",
	':': ":", '：': ":",
	'.': ".", '!': ".", '?': ".", '•': ".", '|': ".", '·': ".", '。': ".", '！': ".", '¡': ".", '¿': ".", '…': ".",
	'"': quotation, '“': quotation, '”': quotation, '„': quotation, '«': quotation, '»': quotation, '`': quotation,
	'‘': quotation, '‹': quotation, '›': quotation,
	'*': quotation,
}

// shortened are words with an apostrophe, by what follows that.
var shortened = map[string]string{"re": "are", "ll": "will", "ve": "have", "t": "not", "m": "am"}

// wordsOf takes a text apart. A mark ends it, too.
func wordsOf(text string) []word {
	words := make([]word, 0, len(text)/5+2)
	lower := strings.ToLower(text)
	if len(lower) != len(text) { // positions would differ
		lower = ""
	}
	from, changed := -1, false // the word that is read, and whether it has characters to replace
	end := func(at int) {
		if from < 0 {
			return
		}
		var w string
		if changed || lower == "" {
			w = plainWord(text[from:at])
		} else {
			w = lower[from:at]
		}
		if n := len(words); n > 0 && shortened[w] != "" && words[n-1].to < from && isApostrophe(text[words[n-1].to:from]) {
			if w == "t" { // don't, mustn't
				words[n-1].text = strings.TrimSuffix(words[n-1].text, "n")
			}
			w = shortened[w]
		}
		words = append(words, word{w, from, at})
		from, changed = -1, false
	}
	wasTag, linkEnd := false, 0
	for at, r := range text {
		if at < linkEnd {
			continue
		}
		plain := plainRune(r)
		if isTag(r) != wasTag { // what is visible and what is not are two texts
			end(at)
			words = append(words, word{".", at, at})
			wasTag = !wasTag
		}
		switch {
		case plain < 0:
			changed = true
			continue
		case isInWord(plain, from < 0):
			if from < 0 {
				from, changed = at, false
			}
			changed = changed || plain != r
			continue
		}
		end(at)
		if linkEnd = at + linkTarget(text[at:]); linkEnd > at {
			continue
		}
		mark := markOf(plain)
		if plain == '\n' && endsLine(text[at+1:]) {
			mark = "."
		}
		if mark == "" || plain == '.' && !endsSentence(text[at+1:]) {
			continue
		}
		words = append(words, word{mark, at, at + utf8.RuneLen(r)})
	}
	end(len(text))
	return append(words, word{".", len(text), len(text)})
}

// plainWord returns a word in lower case and as a model reads it.
func plainWord(text string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(plainRune(r)) }, text)
}

// markOf returns what a character between words is for phrases, or "".
func markOf(r rune) string {
	if r == ' ' {
		return ""
	}
	return marks[r]
}

func isApostrophe(s string) bool { return s == "'" || s == "’" }

// longestTarget is how many bytes of the target of a link are skipped.
const longestTarget = 2000

// linkTarget returns the length of what a link of Markdown has behind its text, if the text begins with that.
func linkTarget(text string) int {
	const open = "]("
	if !strings.HasPrefix(text, open) {
		return 0
	}
	target := text[len(open):min(len(text), longestTarget)]
	if end := strings.IndexAny(target, ") \n"); end >= 0 && target[end] == ')' {
		return len(open) + end + 1
	}
	return 0
}

// endsLine reports whether a line before this ends more than the line: another one that is empty, or an item of a list,
// follows.
func endsLine(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r")
	return rest == "" || strings.IndexByte("\n-*#>|+0123456789", rest[0]) >= 0
}

func isInWord(r rune, isFirst bool) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '_' || r == '@' && isFirst
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// endsSentence reports whether a dot before this is more than one of an address or a number.
func endsSentence(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !isInWord(r, false)
}

// plainRune returns what a model reads for a character: letters of full width and invisible tags are ASCII, and what
// has no width is nothing (-1).
func plainRune(r rune) rune {
	switch {
	case r == '\\': // an escape of Markdown
		return -1
	case r < 0x80:
		return r
	case r == 0xAD, 0x200B <= r && r <= 0x200F, 0x2060 <= r && r <= 0x2064, r == 0xFEFF, r == 0xFE0F:
		return -1
	case 0xFF01 <= r && r <= 0xFF5E:
		return r - 0xFF01 + '!'
	case isTag(r):
		return r - firstTag
	}
	return r
}

// Tags are invisible copies of ASCII that models read.
const firstTag, lastTag = 0xE0000, 0xE007F

func isTag(r rune) bool { return firstTag+' ' <= r && r < lastTag }
