package axtree

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/addressee"
)

// Texts that speak to agents are marked. A sentence may be several texts, since a part of it is bold or a link: what is
// beside a text that may be a part of one is looked at, too.

const (
	mostTogether = 200 // texts of a document that are compared with what is beside them
	nearTexts    = 8   // texts before and after one
	nearBytes    = 400 // of each side
	maxInline    = 4   // elements around a text that are parts of a line
)

// inline are the roles of elements that are parts of a line.
var inline = map[string]bool{
	"strong": true, "emphasis": true, "code": true, "mark": true, "link": true, "insertion": true, "deletion": true,
	"superscript": true, "subscript": true,
	"Abbr": true, "time": true, RoleGeneric: true, RoleNone: true,
}

// markAddressed marks the nodes that speak to agents.
func markAddressed(nodes []Node) {
	together := 0
	for i := range nodes {
		n := &nodes[i]
		if !n.anyText(addressee.MayAddress) {
			continue
		}
		switch {
		case n.anyText(addressee.Speaks):
			n.setSaysToAgents()
		case (n.Role == RoleStaticText || inline[n.Role]) && together < mostTogether:
			together++
			markTogether(nodes, i)
		}
	}
}

// anyText reports whether what is asked is true for one of the texts that a line may show.
func (n *Node) anyText(is func(text string) bool) bool {
	if is(n.Name) || n.Value != "" && is(n.Value) || n.Placeholder != "" && is(n.Placeholder) {
		return true
	}
	p := n.More
	return p != nil && (is(p.Description) || is(p.ValueText) || is(p.Needs) || is(p.Inferred))
}

func (n *Node) setSaysToAgents() {
	if n.More == nil {
		n.More = &Properties{}
	}
	n.More.SaysToAgents = true
}

// SaysToAgents reports whether a text of the node speaks to agents.
func (n *Node) SaysToAgents() bool { return n.More != nil && n.More.SaysToAgents }

// markTogether marks a text and those beside it if they speak to agents as one.
func markTogether(nodes []Node, at int) {
	first, end := lineAround(nodes, at)
	texts := textsAround(nodes, first, at, end)
	if len(texts) < 2 {
		return
	}
	var line strings.Builder
	ends := make([]int, len(texts))
	for i, text := range texts {
		if i > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(nodes[text].Name)
		ends[i] = line.Len()
	}
	from, to, ok := addressee.Find(line.String())
	if !ok {
		return
	}
	for i, text := range texts {
		if start := ends[i] - len(nodes[text].Name); start < to && from < ends[i] {
			nodes[text].setSaysToAgents()
		}
	}
}

// lineAround returns the nodes in the element that a text is a line of.
func lineAround(nodes []Node, at int) (first, end int) {
	first, end = at, at+1
	depth := nodes[at].Depth
	for i, levels := at-1, 0; i >= 0 && levels < maxInline; i-- {
		n := &nodes[i]
		if n.Depth >= depth {
			continue
		}
		depth, levels = n.Depth, levels+1
		first, end = i, int(n.End)
		if !inline[n.Role] {
			break
		}
	}
	return first, end
}

// textsAround returns the texts that are near one.
func textsAround(nodes []Node, first, at, end int) (texts []int) {
	near := func(i, step int) {
		for count, bytes := 0, 0; i >= first && i < end && count < nearTexts && bytes < nearBytes; i += step {
			if n := &nodes[i]; n.Name != "" && int(n.End) == i+1 && (n.Role == RoleStaticText || inline[n.Role]) {
				texts = append(texts, i)
				count, bytes = count+1, bytes+len(nodes[i].Name)
			}
		}
	}
	near(at-1, -1)
	slices.Reverse(texts)
	near(at, 1)
	return texts
}
