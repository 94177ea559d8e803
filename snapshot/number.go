package snapshot

import (
	"slices"

	"github.com/skua-browser/skua/snapshot/axtree"
)

// tabView is what the last snapshot of a whole page of a tab showed.
type tabView struct {
	root     docKey           // the document that the snapshot started from
	docs     []*document      // all documents in it
	at       uint64           // Refs.clock
	last     memory           // for the next delta
	part     memory           // the last one of a part of the page, for a delta of that part
	revision int              // of the last snapshot
	folds    map[uint32]int64 // by the ref that a fold shows: token of the last element in it
	known    []knownPart      // what digests have shown, the latest first
}

// span is a run of numbers that belong to one document.
type span struct {
	first, last uint32
	doc         *document
}

// number gives every element of tree that has a token its ref, in document order, and returns the numbers of the refs
// that vanished since the previous snapshot of the same page, ascending. partial says that the walk of the root covered
// a part of its document, so that what it did not show may well be there. The same holds for what source never showed.
func (r *Refs) number(tab string, tree *axtree.Tree, source axtree.Source, partial bool) (removed []uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock++
	docs := r.enter(tab, tree)
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Token > 0 && !n.Spare {
			n.Ref = r.assign(docs[n.Doc], n, source)
		}
	}
	for i, d := range docs {
		if d != nil && (i > 0 || !partial) {
			removed = d.vanished(removed, source)
			d.dropOld(r.limits.goneRefs)
		}
	}
	switch {
	case !partial:
		removed = r.see(tab, tree, source, docs, removed)
	case r.tabs[tab] == nil:
		r.tabs[tab] = &tabView{at: r.clock}
	}
	r.forget()
	slices.Sort(removed)
	return removed
}

// enter finds or makes the tree's documents; nil stands for one that could not be read.
func (r *Refs) enter(tab string, tree *axtree.Tree) []*document {
	docs := make([]*document, len(tree.Docs))
	counts := make([]int, len(docs))
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Token > 0 && !n.Spare {
			counts[n.Doc]++
		}
	}
	for i, doc := range tree.Docs {
		if doc.DocID == "" {
			continue
		}
		key := docKey{tab: tab, frame: doc.FrameID, doc: doc.DocID}
		d := r.docs[key]
		if d == nil {
			d = &document{key: key}
			r.docs[key] = d
		}
		d.setURL(doc.URL)
		d.seen = r.clock
		d.walks++
		d.expect(counts[i])
		docs[i] = d
	}
	return docs
}

// assign returns the number of an element, a new one if it has none.
func (r *Refs) assign(d *document, node *axtree.Node, source axtree.Source) uint32 {
	if at, ok := d.byToken[node.Token]; ok {
		e := &d.entries[at]
		role := e.role
		if r.roles[role] != node.Role {
			role = r.role(node.Role)
		}
		d.update(e, node, role, source)
		return e.n
	}
	n := r.take(d)
	d.add(n, node, r.role(node.Role), source)
	return n
}

// take returns the next number, which is for an element of d.
func (r *Refs) take(d *document) uint32 {
	n := r.next
	r.next++
	if last := len(r.spans) - 1; last >= 0 && r.spans[last].doc == d && r.spans[last].last == n-1 {
		r.spans[last].last = n
	} else {
		r.spans = append(r.spans, span{first: n, last: n, doc: d})
	}
	return n
}

// see compares the documents of a whole page with those of the snapshot before and remembers them. Refs of child
// documents that the page no longer shows have vanished too. While a frame cannot be read, a document that is missing
// may be in it.
func (r *Refs) see(tab string, tree *axtree.Tree, source axtree.Source, docs []*document, removed []uint32) []uint32 {
	view := r.tabs[tab]
	if view == nil {
		view = &tabView{}
		r.tabs[tab] = view
	}
	before, root := view.docs, docs[0].key
	samePage := view.root == root
	view.root, view.at, view.docs = root, r.clock, make([]*document, 0, len(docs))
	read := map[string]bool{}
	for i, d := range docs {
		if d != nil {
			view.docs = append(view.docs, d)
			read[tree.Docs[i].FrameID] = true
		}
	}
	if !samePage {
		return removed
	}
	blind := len(view.docs) < len(docs)
	for _, d := range before {
		switch {
		case d.seen == r.clock || d.fate != kept:
		case blind && !read[d.key.frame]:
			view.docs = append(view.docs, d)
		default:
			d.walks++ // so that no entry counts as shown
			removed = d.vanished(removed, source)
		}
	}
	return removed
}

// fold gives the first element of each fold a ref, if it has none, and remembers what it stands for. partial is as for
// number.
func (r *Refs) fold(tab string, tree *axtree.Tree, folds []fold, partial bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	view := r.tabs[tab]
	if !partial {
		view.folds = nil
	}
	for i := range folds {
		f := &folds[i]
		if f.head < 0 {
			continue
		}
		head := &tree.Nodes[f.head]
		if head.Ref == 0 {
			doc := &tree.Docs[head.Doc]
			d := r.docs[docKey{tab: tab, frame: doc.FrameID, doc: doc.DocID}]
			head.Ref = r.assign(d, head, axtree.Page)
			d.entry(head.Ref).shownBy |= foldHead
		}
		if view.folds == nil {
			view.folds = map[uint32]int64{}
		}
		f.ref = head.Ref
		view.folds[f.ref] = f.until
	}
}

// Folded returns the token of the last element that a ref stands for, when the last snapshot of its tab folded a run of
// items there.
func (r *Refs) Folded(ref Ref) (until int64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if view := r.tabs[ref.Tab]; view != nil {
		until, ok = view.folds[ref.N]
	}
	return until, ok
}
