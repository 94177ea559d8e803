package markdown

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// Heading is one heading of a Markdown text.
type Heading struct {
	Level int // 1-6
	Text  string
}

// section is a heading and what follows it up to the next one. The first section of a text may have no heading.
type section struct {
	Heading
	lines []string // the heading's own included
}

// sections cuts a Markdown text at its headings. Headings inside code blocks do not count.
func sections(text string) []section {
	all := []section{{}}
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		now := &all[len(all)-1]
		bare := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
		case headingLevel(line) > 0:
			level := headingLevel(line)
			all = append(all, section{Heading: Heading{Level: level, Text: strings.TrimSpace(strings.Trim(bare, "#"))}})
			now = &all[len(all)-1]
		case underlined(bare) > 0 && len(now.lines) > 0 && isParagraph(now.lines[len(now.lines)-1]):
			title := now.lines[len(now.lines)-1]
			now.lines = now.lines[:len(now.lines)-1]
			all = append(all, section{
				Heading: Heading{Level: underlined(bare), Text: strings.TrimSpace(title)},
				lines:   []string{title},
			})
			now = &all[len(all)-1]
		}
		now.lines = append(now.lines, line)
	}
	return all
}

// headingLevel is the level of a line that is a heading by its hashes, else 0.
func headingLevel(line string) int {
	if len(line)-len(strings.TrimLeft(line, " ")) > 3 {
		return 0
	}
	line = strings.TrimLeft(line, " ")
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level < 1 || level > 6 || len(line) > level && line[level] != ' ' && line[level] != '\t' {
		return 0
	}
	return level
}

// underlined is the level of the heading that a line makes of the one above it, else 0.
func underlined(line string) int {
	switch {
	case len(line) >= 3 && strings.Trim(line, "=") == "":
		return 1
	case len(line) >= 3 && strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

func isParagraph(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && !strings.ContainsAny(line[:1], "#>-*+|`~")
}

// Outline lists the headings of a Markdown text, of those that contain only when that is not empty, in any case.
func Outline(text, only string) []Heading {
	var found []Heading
	for _, s := range sections(text) {
		if s.Level > 0 && contains(s.Text, only) {
			found = append(found, Heading{Level: s.Level, Text: plain(s.Text)})
		}
	}
	return found
}

// Sections returns the sections of a Markdown text that contain a text, in any case: all below a heading that contains
// it, else the section that contains it.
func Sections(text, only string) string {
	var kept []string
	within := 0 // level of the heading above that contains it
	for _, s := range sections(text) {
		if within > 0 && s.Level > 0 && s.Level <= within {
			within = 0
		}
		if within == 0 && s.Level > 0 && contains(s.Text, only) {
			within = s.Level
		}
		if body := strings.TrimSpace(strings.Join(s.lines, "\n")); body != "" && (within > 0 || contains(body, only)) {
			kept = append(kept, body)
		}
	}
	return strings.Join(kept, "\n\n")
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// Link is one link of a Markdown text.
type Link struct {
	Section string // the heading above it
	Text    string
	URL     string // absolute
	Note    string // the rest of its line
}

var linkPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[((?:[^\]\\]|\\.)*)\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)(?:[ \t]*[:–—-][ \t]*(.*))?`)
})

// Links lists the links of a Markdown text whose address is base.
func Links(text, base string) []Link {
	at, err := url.Parse(base)
	if err != nil {
		return nil
	}
	var found []Link
	for _, s := range sections(text) {
		for _, m := range linkPattern().FindAllStringSubmatch(strings.Join(s.lines, "\n"), -1) {
			to, err := at.Parse(m[2])
			if err != nil {
				continue
			}
			found = append(found, Link{Section: plain(s.Text), Text: m[1], URL: to.String(), Note: strings.TrimSpace(m[3])})
		}
	}
	return found
}

var inlineLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`!?\[((?:[^\]\\]|\\.)*)\]\([^)]*\)`)
})

// plain is a heading without its links and emphasis.
func plain(heading string) string {
	heading = inlineLink().ReplaceAllString(heading, "$1")
	return strings.TrimSpace(strings.NewReplacer("**", "", "`", "", `\`, "").Replace(heading))
}
