package snapshot

import (
	"slices"
	"strconv"

	"github.com/skua-browser/skua/snapshot/axtree"
)

// Why a text that is on the screen is not in the tree, in the words of the walk.
const (
	barModal  = "modal"
	barHidden = "aria-hidden"
)

// tellShutOut notes the texts that the search found on the screen and that the tree does not have. What aria-hidden
// leaves out is often said by another element in other words: it matters where the search found nothing else.
func (v *view) tellShutOut() {
	for i := range v.nodes {
		v.keep[i] = v.keep[i] && v.nodes[i].Role != axtree.RoleShutOut
	}
	foundElse := slices.Contains(v.keep, true)
	for i := range v.nodes {
		n := &v.nodes[i]
		if n.Role != axtree.RoleShutOut || n.Value == barHidden && foundElse {
			continue
		}
		v.shutOut = true
		line := "the page shows " + strconv.Quote(v.clip(n.Name))
		switch n.Value {
		case barModal:
			v.note("%s, which is inert: it is outside of the open modal dialog, and cannot be used until that closes", line)
		case barHidden:
			v.note("%s, which aria-hidden keeps out of this tree", line)
		default:
			v.note("%s, which is inert: the page keeps that part from being used", line)
		}
	}
}
