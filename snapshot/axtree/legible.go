package axtree

import (
	"slices"

	"github.com/skua-browser/skua/internal/invisible"
)

// Legible returns the nodes without invisible characters that may spell a text. A node that had such is partly unseen.
// The nodes themselves stay as they are: elements are found again by their names.
func Legible(nodes []Node) []Node {
	cloned := false
	for i := range nodes {
		n := nodes[i]
		hidden := clean(&n.Name)
		hidden = clean(&n.Value) || hidden
		hidden = clean(&n.Placeholder) || hidden
		if n.More != nil {
			more := *n.More
			found := clean(&more.Description)
			found = clean(&more.ValueText) || found
			found = clean(&more.Inferred) || found
			if found {
				n.More, hidden = &more, true
			}
		}
		if !hidden {
			continue
		}
		if !cloned {
			nodes, cloned = slices.Clone(nodes), true
		}
		if n.Visibility == Seen {
			n.Visibility = PartSeen
		}
		nodes[i] = n
	}
	return nodes
}

func clean(text *string) (hidden bool) {
	*text, hidden = invisible.Clean(*text)
	return hidden
}
