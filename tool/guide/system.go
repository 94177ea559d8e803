package guide

import (
	"strings"
	"unicode"
)

// ForPrompt returns what a host adds to a model's instructions when a person's prompt sounds like one for a browser, else nothing. Every line
// names the tool, so that it makes sense wherever it is put.
func ForPrompt(prompt string) string {
	if !soundsLikeBrowsing(prompt) {
		return ""
	}
	return Text(System)
}

// browsing are words that by themselves speak of a browser or a page in one.
var browsing = map[string]bool{
	"browser": true, "browse": true, "browsing": true, "website": true, "websites": true, "webpage": true, "webpages": true, "webapp": true,
	"chrome": true, "chromium": true, "localhost": true, "url": true, "urls": true, "homepage": true, "login": true, "screenshot": true,
	"screenshots": true, "scrape": true, "dom": true, "electron": true, "playwright": true, "puppeteer": true, "storybook": true,
}

// pairs are words that do so together.
var pairs = []string{
	"web page", "web site", "web app", "log in", "sign in", "sign up", "on the page", "fill out", "fill in the form", "click the", "click on",
	"end to end", "e2e test", "in the ui", "agent_browser",
}

func soundsLikeBrowsing(prompt string) bool {
	lower := strings.ToLower(prompt)
	if strings.Contains(lower, "http://") || strings.Contains(lower, "https://") || strings.Contains(lower, "www.") {
		return true
	}
	words := strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
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
