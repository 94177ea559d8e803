package guide

import (
	"encoding/json"
	"strings"
	"unicode"
)

// ForPrompt returns what a host adds to a model's instructions when a person's prompt sounds like one for a browser,
// else nothing. Every line names the tool, so that it makes sense wherever it is put.
func ForPrompt(prompt string, user Browser) string {
	if !soundsLikeBrowsing(prompt) {
		return ""
	}
	return joined(Text(System), ForBrowser(user))
}

// ForInstructions returns the instructions of the MCP server for a model.
func ForInstructions(user Browser) string { return joined(Text(Instructions), ForBrowser(user)) }

// Browser is the user's own, as the configuration of the tool names it.
type Browser struct {
	Profile        string // its name; empty means that none is set
	Policy         string // when to use it: explicit-only, authenticated-only or always
	ExecutablePath string // empty means that none is set
}

// ForBrowser returns the model's instructions about the user's browser; it launches nothing.
func ForBrowser(user Browser) string {
	var text string
	if user.Profile != "" {
		text = strings.ReplaceAll(Text(Reader("profile:"+user.Policy)), "\n\n", "\n")
		text = strings.ReplaceAll(text, "{{profile}}", inJSON(user.Profile))
	}
	if user.ExecutablePath != "" {
		text = joined(text, strings.ReplaceAll(Text(executable), "{{executable}}", inJSON(user.ExecutablePath)))
	}
	return text
}

// executable are the lines on a browser that is not where browsers are.
const executable Reader = "executable"

// inJSON is a text as it is between the quotes of a JSON string.
func inJSON(s string) string {
	quoted, _ := json.Marshal(s) // strings can always be encoded
	return string(quoted[1 : len(quoted)-1])
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// browsing are words that by themselves speak of a browser or a page in one.
var browsing = map[string]bool{
	"browser": true, "browse": true, "browsing": true, "website": true, "websites": true, "webpage": true,
	"webpages": true, "webapp": true,
	"chrome": true, "chromium": true, "localhost": true, "url": true, "urls": true, "homepage": true, "login": true,
	"screenshot":  true,
	"screenshots": true, "scrape": true, "dom": true, "electron": true, "playwright": true, "puppeteer": true,
	"storybook": true,
}

// pairs are words that do so together.
var pairs = []string{
	"web page", "web site", "web app", "log in", "sign in", "sign up", "on the page", "fill out", "fill in the form",
	"click the", "click on",
	"end to end", "e2e test", "in the ui", "agent_browser",
}

func soundsLikeBrowsing(prompt string) bool {
	lower := strings.ToLower(prompt)
	if strings.Contains(lower, "http://") || strings.Contains(lower, "https://") || strings.Contains(lower, "www.") {
		return true
	}
	words := strings.FieldsFunc(lower, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})
	for _, w := range words {
		if browsing[w] {
			return true
		}
	}
	line := " " + strings.Join(words, " ") + " "
	for _, p := range pairs {
		if strings.Contains(line, " "+p+" ") {
			return true
		}
	}
	return false
}
