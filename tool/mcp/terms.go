package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/tool/argv"
)

// Text puts the commands that a text of ours names between backquotes into the words of the client: by the tool that
// does the same. Advice for which the client has no tool is left out; what is wrong, which a text begins with, stays.
func (t terms) Text(text string) string {
	if !strings.Contains(text, "`") {
		return text
	}
	var kept []string
	for i, line := range strings.Split(text, "\n") {
		if rewritten := t.line(line, i == 0); rewritten != "" || line == "" {
			kept = append(kept, rewritten)
		}
	}
	return strings.Join(kept, "\n")
}

// line is Text for a line. Its first sentence stays if begins is set.
func (t terms) line(line string, begins bool) string {
	line = setAside(line)
	if strings.Count(line, "`")%2 != 0 { // they do not pair
		return putBack(line)
	}
	var kept []string
	for _, s := range sentences(line) {
		s = strings.TrimSuffix(s, " ")
		if rewritten := t.sentence(s, begins && len(kept) == 0); rewritten != "" {
			kept = append(kept, rewritten)
		}
		begins = begins && len(kept) == 0
	}
	return putBack(strings.Join(kept, " "))
}

// aside takes the place of a backquote in what a text quotes, such as the words of a page: they are not ours.
const aside = '\x00'

func setAside(line string) string {
	inQuotes := false
	return strings.Map(func(r rune) rune {
		if r == '"' {
			inQuotes = !inQuotes
		}
		if r == '`' && inQuotes {
			return aside
		}
		return r
	}, line)
}

func putBack(line string) string { return strings.ReplaceAll(line, string(aside), "`") }

// sentence is a sentence up to the first part of it that names a command for which the client has no tool; empty means
// that is its first part.
func (t terms) sentence(s string, stays bool) string {
	end := ""
	if strings.HasSuffix(s, ".") {
		s, end = s[:len(s)-1], "."
	}
	var b strings.Builder
	for i, part := range parts(s) {
		text, can := t.part(part, false)
		if !can && (i > 0 || !stays) {
			break
		}
		if !can {
			text, _ = t.part(part, true)
		}
		b.WriteString(text)
	}
	text := strings.TrimRight(b.String(), " ,;:—")
	if text == "" {
		return ""
	}
	if strings.Count(text, "(") > strings.Count(text, ")") {
		text += ")"
	}
	return text + end
}

// part is a part of a sentence, and whether the client has a tool for each command in it. Those for which it has none
// lose their backquotes if bare is set.
func (t terms) part(part string, bare bool) (text string, can bool) {
	can = true
	spans := strings.Split(part, "`")
	var b strings.Builder
	for i, span := range spans {
		if i%2 == 0 {
			b.WriteString(span)
			continue
		}
		name, is := t.command(span)
		switch {
		case !is:
			name = "`" + span + "`"
		case name != "":
			name = "`" + name + "`"
		default:
			can = false
			if name = span; !bare {
				name = "`" + span + "`"
			}
		}
		b.WriteString(name)
	}
	return b.String(), can
}

// command returns the call that does what a command line does, empty if the client has no tool for it. It reports
// whether the text is one.
func (t terms) command(text string) (call string, is bool) {
	words, err := grammar.SplitWords(text)
	if err != nil || len(words) == 0 {
		return "", false
	}
	if words[0] == product.Name || words[0] == grammar.UpstreamName {
		return "", true
	}
	w := argv.Read(words)
	if w.Entry == nil {
		return "", false
	}
	pattern := slices.ContainsFunc(w.Positionals, func(word string) bool { return strings.ContainsAny(word, "<[…") })
	for _, set := range t {
		if name, arguments := inSet(set, &w); name != "" && !pattern {
			if given, err := json.Marshal(arguments); err == nil && string(given) != "{}" {
				name += " " + string(given)
			}
			return name, true
		}
		if name := toolOf(set, &w); name != "" && len(w.Flags) == 0 {
			return name, true
		}
	}
	return "", true
}

// toolOf is the tool of the set for a command, whatever it is given, or empty.
func toolOf(set Set, w *argv.Words) string {
	if set == SetBrowser {
		if len(w.Entry.Tools) > 0 {
			return w.Entry.Tools[0].Name
		}
		return ""
	}
	tool, _ := toolbox.For(w.Entry.Name)
	return tool.MCP
}

// sentences returns the sentences of a line, each with the space after it.
func sentences(line string) []string {
	return cut(line, func(rest string) int {
		if len(rest) > 2 && rest[:2] == ". " && (rest[2] == '`' || rest[2] >= 'A' && rest[2] <= 'Z' || rest[2] == '-') {
			return 2
		}
		return 0
	})
}

// parts returns the parts of a sentence that stand without the ones after them, each with what divides it from the next
// one.
func parts(sentence string) []string {
	return cut(sentence, func(rest string) int {
		for _, mark := range [...]string{"; ", ", or ", ", and ", ", then ", ", `", ": `", " — "} {
			if strings.HasPrefix(rest, mark) {
				return strings.Index(rest, " ") + 1
			}
		}
		return 0
	})
}

// cut cuts a text where ends tells how many bytes of the rest belong to the part before, outside of backquotes.
func cut(text string, ends func(rest string) int) []string {
	var list []string
	from, quoted := 0, false
	for i := 0; i < len(text); i++ {
		if text[i] == '`' {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		if n := ends(text[i:]); n > 0 {
			list = append(list, text[from:i+n])
			from, i = i+n, i+n-1
		}
	}
	return append(list, text[from:])
}
