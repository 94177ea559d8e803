package addressee

import (
	"strings"
	"sync"
)

// The search for hints goes through a text in steps of up to three bytes: two bytes tell how far the next hint is away
// at least (Wu and Manber, 1994).

const (
	window  = 4 // bytes of a hint that are looked at first
	classes = 64
)

// frequent are pairs of bytes that are in most texts: the window of a hint should not end with one, since each is
// looked at closely.
const frequent = "th he in er an re nd on en at ou ed ha to or it is hi es ng st ar te se me ve nt ti al le ro ne ea " +
	"om co ur li ce ri io e  s  t  d  n  r  y  o  f  l  g  h  a  t  a  s  o  i  c  w  b  p  f  m  d  h  u"

// hintTable is what a pair of bytes tells.
type hintTable struct {
	class [256]uint8               // of a byte: letters of both cases are alike
	shift [classes * classes]uint8 // how far the end of the window of a hint is away at least
	ends  [classes * classes][]hint
}

// hint is a text whose window begins at a place in it.
type hint struct {
	text string
	at   int
}

func (t *hintTable) pair(a, b byte) int { return int(t.class[a])*classes + int(t.class[b]) }

var hinted = sync.OnceValue(func() *hintTable {
	t := &hintTable{}
	for c := range t.class {
		switch c := byte(c); {
		case 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80:
			t.class[c] = c & 31
		case c == ' ':
			t.class[c] = 27
		case '0' <= c && c <= '9':
			t.class[c] = 28
		case c == '@':
			t.class[c] = 29
		case c < 0x80:
			t.class[c] = 30
		default:
			t.class[c] = 32 + c&31
		}
	}
	for i := range t.shift {
		t.shift[i] = window - 1
	}
	for _, text := range hints {
		h := hint{text: text}
		for h.at+window < len(text) && strings.Contains(frequent, text[h.at+window-2:h.at+window]) {
			h.at++
		}
		for i := 1; i < window; i++ {
			p := t.pair(text[h.at+i-1], text[h.at+i])
			t.shift[p] = min(t.shift[p], uint8(window-1-i))
		}
		p := t.pair(text[h.at+window-2], text[h.at+window-1])
		t.ends[p] = append(t.ends[p], h)
	}
	return t
})

// MayAddress reports whether a text has a word that a phrase needs. It is fast, and true for many texts that speak to
// no agent.
func MayAddress(text string) bool {
	if len(text) < window {
		return false
	}
	t := hinted()
	for i := window - 1; i < len(text); {
		p := t.pair(text[i-1], text[i])
		if n := t.shift[p]; n > 0 {
			i += int(n)
			continue
		}
		for _, h := range t.ends[p] {
			if from := i - (window - 1) - h.at; from >= 0 && isHint(text[from:], h.text) {
				return true
			}
		}
		i++
	}
	return hasInvisible(text)
}

func isHint(text, hint string) bool {
	if len(text) < len(hint) {
		return false
	}
	for i := range len(hint) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != hint[i] {
			return false
		}
	}
	return true
}

// hasInvisible reports whether a text may have characters that hide a word: invisible copies of letters, or spaces
// without a width in it.
func hasInvisible(text string) bool {
	const tag, zeroWidth, joiner = "\xf3\xa0", "\u200b", "\u2060"
	return strings.Contains(text, tag) || strings.Contains(text, zeroWidth) || strings.Contains(text, joiner)
}
