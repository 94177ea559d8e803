package snapshot

import (
	"strings"

	"github.com/skua-browser/skua/snapshot/axtree"
)

// What announced something since the last snapshot of a tab comes first in a digest.

// mostAlerts is how many alerts may come first on a page that is new: where there are more, they are a part of the page.
const mostAlerts = 3

// announcements returns what the places that announce things say, by place.
func announcements(t *axtree.Tree) map[placeKey]string {
	texts := map[placeKey]string{}
	for i := range t.Nodes {
		if n := &t.Nodes[i]; announcing[n.Role] && !isDialog(n) && n.Token != 0 {
			texts[placeKey{t.Docs[n.Doc].DocID, n.Token}] = said(t, int32(i))
		}
	}
	return texts
}

// placeKey is an element of any tree.
type placeKey struct {
	doc   string
	token int64
}

// said returns the texts in a node as they are compared.
func said(t *axtree.Tree, at int32) string {
	var b strings.Builder
	for i := at + 1; i < t.Nodes[at].End; i++ {
		if n := &t.Nodes[i]; n.Role == axtree.RoleStaticText {
			b.WriteString(n.Name)
		}
	}
	return b.String()
}

// hear notes which places have announced something since the last snapshot. On a page that is new, these are its alerts.
func (v *view) hear(last memory, tree *axtree.Tree) {
	if !v.o.isDigest() || len(v.labels) == 0 {
		return
	}
	samePage := last.tree != nil && last.tree.Docs[0].DocID == tree.Docs[0].DocID
	if samePage && !last.o.isDigest() {
		return // other walks do not tell what is said
	}
	var before map[placeKey]string
	if samePage {
		before = announcements(last.tree)
	}
	var spoke []int32
	for i := range v.nodes {
		n := &v.nodes[i]
		if !announcing[n.Role] || isDialog(n) || !v.keep[i] || v.labels[n] == "" {
			continue
		}
		was := before[placeKey{tree.Docs[n.Doc].DocID, n.Token}]
		if samePage && was != said(tree, int32(i)) || !samePage && n.Role == "alert" {
			spoke = append(spoke, int32(i))
		}
	}
	if samePage || len(spoke) <= mostAlerts {
		v.spoke = spoke
	}
}
