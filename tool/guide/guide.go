package guide

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed guide.md
var source string

// Reader is for whom a part of the text is.
type Reader string

// The readers. Those of prompts are named in [Prompts].
const (
	Description  Reader = "description"  // a model that chooses among tools
	Slim         Reader = "slim"         // the same, in few words
	Instructions Reader = "instructions" // a model whose host has connected the MCP server
	System       Reader = "system"       // a model whose task sounds like one for a browser
	Shell        Reader = "shell"        // an agent that calls the command line
	Playbook     Reader = "playbook"     // an agent or a person that calls the tool
)

// part is a piece of the text with those whom it is for.
type part struct {
	readers []string
	text    string
}

// mark opens a part: a comment of Markdown with the readers. What comes before the first one is for those who edit the
// text.
const mark = "<!-- for: "

var parts = sync.OnceValue(func() []part { return split(source) })

func split(text string) []part {
	var all []part
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			readers, _, _ := strings.Cut(rest, " -->")
			all = append(all, part{readers: strings.Fields(readers)})
			continue
		}
		if n := len(all); n > 0 {
			all[n-1].text += line
		}
	}
	return all
}

// of returns the parts that are for a reader, one after the other.
func of(r Reader) string {
	var b strings.Builder
	for _, p := range parts() {
		if slices.Contains(p.readers, string(r)) {
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			b.WriteString(strings.Trim(p.text, "\n") + "\n")
		}
	}
	return b.String()
}

// Text returns the guide for a reader. Command lines are in the reader's form: words for a shell, or parameters of the
// tool.
func Text(r Reader) string {
	text := of(r)
	if r != Shell {
		text = asParams(text)
	}
	return strings.TrimRight(text, "\n")
}

// PlaybookFile is the text of docs/playbook.md. Links that lead from the source to the docs lead from one of them to
// another there.
func PlaybookFile() string { return strings.ReplaceAll(Text(Playbook), "](../../docs/", "](") + "\n" }

// CoreFile is the text of guides/core/SKILL.md.
func CoreFile() string { return Text(Shell) + "\n" }
