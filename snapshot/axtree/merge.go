package axtree

// part is one frame's share of a page.
type part struct {
	doc     Doc
	nodes   []Node
	iframes []int32 // indexes of the Iframe nodes
	inner   []*part // what is inside each of them
	unread  string  // why there are no nodes, in words for the one who reads the snapshot
}

// merge puts every frame's nodes under its Iframe node.
func (p *part) merge() *Tree {
	if len(p.iframes) == 0 {
		return &Tree{Nodes: p.nodes, Docs: []Doc{p.doc}}
	}
	t := &Tree{Nodes: make([]Node, 0, p.size())}
	t.graft(p, 0)
	SetEnds(t.Nodes)
	return t
}

// size is the number of nodes of p and all parts in it.
func (p *part) size() int {
	if p.unread != "" {
		return 1
	}
	size := len(p.nodes)
	for _, inner := range p.inner {
		size += inner.size()
	}
	return size
}

// graft appends p at a depth.
func (t *Tree) graft(p *part, depth int32) {
	doc := int32(len(t.Docs))
	t.Docs = append(t.Docs, p.doc)
	if p.unread != "" {
		t.Nodes = append(t.Nodes, Node{Role: RoleUnreadable, Name: p.unread, Depth: depth, Doc: doc})
		return
	}
	from := int32(0)
	for i, at := range p.iframes {
		t.copy(p.nodes[from:at+1], depth, doc)
		inner := len(t.Nodes)
		t.graft(p.inner[i], depth+p.nodes[at].Depth+1)
		t.hide(inner, p.nodes[at].Visibility)
		from = at + 1
	}
	t.copy(p.nodes[from:], depth, doc)
}

// hide marks the nodes from an index on as those of a frame that cannot be seen.
func (t *Tree) hide(from int, frame Visibility) {
	if !frame.IsHidden() {
		return
	}
	for i := range t.Nodes[from:] {
		if n := &t.Nodes[from+i]; !n.Visibility.IsHidden() && n.Name != "" {
			n.Visibility = frame
		}
	}
}

func (t *Tree) copy(nodes []Node, depth, doc int32) {
	at := len(t.Nodes)
	t.Nodes = append(t.Nodes, nodes...)
	for i := range t.Nodes[at:] {
		n := &t.Nodes[at+i]
		n.Depth += depth
		n.Doc = doc
	}
}
