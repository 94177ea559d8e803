package pagewords

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/internal/wording"
)

// Quote returns a text of the page in quotes, of at most so many bytes.
func Quote(text string, most int) string {
	return strconv.Quote(wording.ClipBytes(oneLine(text), most))
}

// oneLine puts a text on one line, without the characters that have no picture: they turn text around, or hide it between letters.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text)), " ")
}
