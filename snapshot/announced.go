package snapshot

import (
	"strings"

	"github.com/skua-browser/skua/snapshot/axtree"
)

// What announced something since the last snapshot of a tab comes first in a digest.

// mostAlerts is how many alerts may come first on a page that is new: where there are more, they are a part of the
// page.
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

// hear notes which places have announced something since the last snapshot. On a page that is new, these are its
// alerts.
func (v *view) hear(last memory, tree *axtree.Tree) {
	if !v.o.isDigest() {
		return
	}
	samePage := last.tree != nil && last.tree.Docs[0].DocID == tree.Docs[0].DocID
	if samePage && !last.o.isDigest() {
		return // other walks do not tell what is said
	}
	var before map[placeKey]string
	var texts map[string]bool
	if samePage {
		before, texts = announcements(last.tree), messages(last.tree)
	}
	var spoke []int32
	for i := range v.nodes {
		n := &v.nodes[i]
		switch {
		case !v.keep[i]:
		case n.MessageKind() != "" && n.Role == axtree.RoleStaticText:
			if samePage && !texts[n.Name] || !samePage && n.MessageKind() == axtree.MessageError {
				spoke = append(spoke, int32(i))
			}
		case announcing[n.Role] && !isDialog(n) && v.labels[n] != "":
			was := before[placeKey{tree.Docs[n.Doc].DocID, n.Token}]
			if samePage && was != said(tree, int32(i)) || !samePage && n.Role == "alert" {
				spoke = append(spoke, int32(i))
			}
		}
	}
	if samePage || len(spoke) <= mostAlerts {
		v.spoke = spoke
	}
}

// messages are the texts that are parts of messages.
func messages(t *axtree.Tree) map[string]bool {
	texts := map[string]bool{}
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.MessageKind() != "" {
			texts[n.Name] = true
		}
	}
	return texts
}
