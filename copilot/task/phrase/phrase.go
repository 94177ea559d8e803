package phrase

import (
	"net/url"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/internal/wording"
)

func Squeezed(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// longestShown is how much of a text a verdict repeats.
const longestShown = 200

func Clip(s string) string { return wording.Clip(s, longestShown) }

func Quoted(text string) string { return "“" + Clip(text) + "”" }

// Contains reports whether a text has a phrase, as whole words.
func Contains(text, phrase string) bool {
	want := Words(phrase)
	return want != "" && strings.Contains(" "+Words(text)+" ", " "+want+" ")
}

// Words are the words of a text in lower case, with one space between them.
func Words(text string) string { return goal.Words(text) }

func SameLabel(a, b string) bool {
	return a != "" && strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

func SamePlace(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}

// Place is an address without what is another one each time.
func Place(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

func Because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}
