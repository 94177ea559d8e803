package search

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// How many characters are kept of each text.
const (
	maxTitle       = 180
	maxDescription = 320
	maxHighlights  = 3
	maxHighlight   = 320
	maxSource      = 120
	maxAge         = 80
	maxLanguage    = 40
	maxQuery       = 400
	maxID          = 120
	maxComplaint   = 200
)

// raw is a result as a provider gave it.
type raw struct {
	title, url, description, source, age, language string
	highlights                                     []string
}

// cleaner turns what providers say into plain texts without the key.
type cleaner struct{ secret veil }

// add appends a result, if it has a title and an address.
func (c cleaner) add(items []Item, r raw) []Item {
	item := Item{
		Title:       c.text(r.title, maxTitle),
		URL:         c.address(r.url),
		Description: c.text(r.description, maxDescription),
		Source:      c.text(r.source, maxSource),
		Age:         c.text(r.age, maxAge),
		Language:    c.text(r.language, maxLanguage),
	}
	if item.Title == "" || item.URL == "" {
		return items
	}
	for _, h := range r.highlights {
		if text := c.text(h, maxHighlight); text != "" && len(item.Highlights) < maxHighlights {
			item.Highlights = append(item.Highlights, text)
		}
	}
	return append(items, item)
}

// inline are the elements that stand within a word or a sentence; the others part words.
var inline = map[string]bool{
	"a": true, "b": true, "code": true, "em": true, "i": true, "mark": true, "span": true,
	"strong": true, "sub": true, "sup": true, "u": true,
}

// text makes HTML plain: entities decoded, tags dropped, white space folded, the key covered, and cut to n characters.
func (c cleaner) text(markup string, n int) string {
	var b strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(markup))
	hidden := false // within a script or a style sheet
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		switch kind {
		case html.TextToken:
			if !hidden {
				b.Write(tokens.Text())
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := tokens.TagName()
			if string(name) == "script" || string(name) == "style" {
				hidden = kind == html.StartTagToken
			}
			if !inline[string(name)] {
				b.WriteByte(' ')
			}
		}
	}
	return cut(c.secret.over(strings.Join(strings.Fields(strings.ToValidUTF8(b.String(), "\ufffd")), " ")), n)
}

// cut shortens a text to n characters, of which the last then says that there was more.
func cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	runes := []rune(text)
	return strings.TrimRight(string(runes[:n-1]), " ") + "…"
}

// address returns an http or https address; empty if the text is not one.
func (c cleaner) address(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return c.secret.over(u.String())
}

const covered = "[redacted]"

// over covers the key in a text.
func (v veil) over(text string) string {
	if v.key == "" {
		return text
	}
	text = strings.ReplaceAll(text, v.key, covered)
	return strings.ReplaceAll(strings.ReplaceAll(text, url.QueryEscape(v.key), covered), url.PathEscape(v.key), covered)
}

func first(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

// day is the date of a time, or the text itself if it is not a time.
func day(text string) string {
	date, _, _ := strings.Cut(text, "T")
	if len(date) == len("2006-01-02") {
		return date
	}
	return text
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}
