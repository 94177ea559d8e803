//go:build linux

package main

import (
	"regexp"
	"strconv"
	"strings"
)

// line is a line of a snapshot: `- role "name" [attribute=value, ref=e1]: text`, or prose such as what was left out.
type line struct {
	role, name string
	ref        string
	rest       string // what else it says: attributes but the ref, and the text behind the colon
	raw        string
}

var (
	linePattern = regexp.MustCompile(`^\s*- ([A-Za-z][\w-]*)(?: "((?:[^"\\]|\\.)*)")?(.*)$`)
	refPattern  = regexp.MustCompile(`^ @(e\d+)|,? ?\bref=(e\d+)`)
	titleRole   = regexp.MustCompile(`^h[1-6]$`)
	quoteEscape = regexp.MustCompile(`\\(["\\nrt])`)
	spaces      = regexp.MustCompile(`\s+`)
	invisible   = regexp.MustCompile(`[\x{200b}-\x{200f}\x{feff}\x{ad}\p{Co}]`) // with those of icon fonts
)

var markPattern = regexp.MustCompile(`[\[,] ?unseen[,\]]`)

// isMarked reports whether the line says that a person does not see what it names.
func (l *line) isMarked() bool { return markPattern.MatchString(l.rest) }

// parseSnapshot takes a snapshot apart. A line that does not have the form of one is prose.
func parseSnapshot(text string) []line {
	var lines []line
	for raw := range strings.Lines(text) {
		raw = strings.TrimRight(raw, "\n")
		if strings.TrimSpace(raw) == "" {
			continue
		}
		found := linePattern.FindStringSubmatch(raw)
		if found == nil {
			lines = append(lines, line{rest: raw, raw: raw})
			continue
		}
		if several := parseJoined(found); several != nil {
			lines = append(lines, several...)
			continue
		}
		l := line{role: found[1], name: unquote(found[2]), rest: found[3], raw: raw}
		if ref := refPattern.FindStringSubmatch(l.rest); ref != nil {
			l.ref = ref[1] + ref[2]
			l.rest = strings.Replace(l.rest, ref[0], "", 1)
		}
		l.rest = unquote(l.rest)
		if titleRole.MatchString(l.role) {
			l.role = "heading"
		}
		switch l.role { // what skua calls elements without a role
		case "clickable", "focusable", "editable":
			l.role, l.rest = "generic", l.role+l.rest
		}
		lines = append(lines, l)
	}
	return lines
}

// joinedPattern is one of the controls that share a line: `- links: "Home" @e1, "Orders" @e2 [current=page]`.
var joinedPattern = regexp.MustCompile(`^(?:, )?(?:"((?:[^"\\]|\\.)*)" )?@(e\d+)( \[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\])?`)

// parseJoined takes a line with several controls apart; nil if it has not that form.
func parseJoined(found []string) (lines []line) {
	role := strings.TrimSuffix(found[1], "s")
	if role == "checkboxe" || role == "switche" {
		role = strings.TrimSuffix(role, "e")
	}
	shared, rest, _ := strings.Cut(found[3], ": ") // what all of them have is before the colon
	if found[2] != "" || rest == "" {
		return nil
	}
	for rest != "" {
		one := joinedPattern.FindStringSubmatch(rest)
		if one == nil {
			return nil
		}
		l := line{
			role: role,
			name: unquote(one[1]),
			ref:  one[2],
			rest: unquote(shared + one[3]),
			raw:  one[0],
		}
		if titleRole.MatchString(role) {
			l.role = "heading"
		}
		if role == "clickable" {
			l.role, l.rest = "generic", role+l.rest
		}
		lines = append(lines, l)
		rest = rest[len(one[0]):]
	}
	return lines
}

func unquote(s string) string {
	return quoteEscape.ReplaceAllStringFunc(s, func(e string) string {
		switch e[1] {
		case 'n', 'r', 't':
			return " "
		}
		return e[1:]
	})
}

// plain is text as it is compared: in lower case, with single spaces.
func plain(s string) string {
	return strings.TrimSpace(spaces.ReplaceAllString(strings.ToLower(invisible.ReplaceAllString(s, "")), " "))
}

var (
	// What a line says that stands for others which are not there.
	omitsPattern = regexp.MustCompile(
		`(?i)\b(omitted|folded|left out|not shown|more|same \d+|hidden here|hidden from|behind)\b|\d+ options?\b|rendered of`)
	controlNouns = regexp.MustCompile(
		`(?i)\b(\d[\d,]*) (?:more |same |equal )?(controls?|links?|buttons?|options?|items?|rows?|listitems?|menuitems?|cells?|tabs?|fields?|treeitems?|elements?|lines?|groups?[a-z ]*)\b`)
	// and controls, which mostly have one
	textNouns = regexp.MustCompile(`(?i)\b(\d[\d,]*) (?:more |same |equal )?(texts?|headings?|paragraphs?|images?)\b`)
)

// counted is how many controls and texts the lines of a snapshot say that they leave out.
func counted(lines []line) (controls, texts int) {
	for _, l := range lines {
		text := l.raw
		if l.role != "" { // what a page says is not what the snapshot says
			text = l.rest
		}
		if !omitsPattern.MatchString(text) {
			continue
		}
		n := numbers(controlNouns, text)
		controls += n
		texts += n + numbers(textNouns, text)
	}
	return controls, texts
}

func numbers(pattern *regexp.Regexp, text string) int {
	sum := 0
	for _, found := range pattern.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
		if err == nil {
			sum += n
		}
	}
	return sum
}
