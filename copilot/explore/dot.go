package explore

import (
	"fmt"
	"strings"
)

// DOT writes the graph in the language of Graphviz: pages as boxes, the goal with a double frame, the way on which the
// search came in bold.
func (g *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph site {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n")
	for _, n := range g.Nodes {
		label := n.Title
		if label == "" {
			label = "(" + string(n.State) + ")"
		}
		if n.Status >= 400 {
			label += fmt.Sprintf(" [%d]", n.Status)
		}
		style := ""
		switch {
		case n.Goal:
			style = ", peripheries=2"
		case n.State == Failed:
			style = ", color=red"
		case n.State == Redirected:
			style = ", shape=plain"
		case n.State == File:
			style = ", shape=note"
		}
		fmt.Fprintf(&b, "  %s [label=%s, URL=%s%s];\n", n.ID, dotString(label+"\n"+n.URL), dotString(n.URL), style)
	}
	for _, e := range g.Edges {
		style := ""
		if e.Taken {
			style = ", penwidth=2"
		}
		if e.Kind == ByRedirect {
			style += ", style=dashed"
		}
		fmt.Fprintf(&b, "  %s -> %s [label=%s%s];\n", e.From, e.To, dotString(e.Label), style)
	}
	b.WriteString("}\n")
	return b.String()
}

// mostLabel is how many characters of a title or a label a drawing shows.
const mostLabel = 80

// dotString quotes what a page wrote. In a quoted string of DOT a backslash begins an escape of the label, and a quote
// ends it.
func dotString(s string) string {
	first, rest, lines := strings.Cut(s, "\n")
	if r := []rune(first); len(r) > mostLabel {
		first = string(r[:mostLabel-1]) + "…"
	}
	clean := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", " ", "\t", " ", "\n", " ", "\x00", "").Replace
	if !lines {
		return `"` + clean(first) + `"`
	}
	return `"` + clean(first) + `\n` + clean(rest) + `"`
}
