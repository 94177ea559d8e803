package snapshot

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// Kinds of a delta.
const (
	deltaFull      = "full"      // there is nothing to compare with, or more changed than stayed
	deltaUnchanged = "unchanged" // nothing changed
	deltaChanges   = "delta"
)

// Delta is what changed on a page between two snapshots of one tab.
type Delta struct {
	Kind     string
	Base     int // revision that it starts from; 0 for none
	Revision int
	Changes  []Change
	why      string // why it is full
	was, now *view
	digest   *view // with [Options.Digest]: what a snapshot would show now
	behind   behind
	redrawn  []redrawn

	unfocused int // how many nodes are different only in that they have lost the focus
}

// Op is the change of a node.
type Op string

// The values of Op.
const (
	Added   Op = "add"
	Removed Op = "remove"
	Changed Op = "replace"
)

// Change is one node that came, went, or says something else.
type Change struct {
	Op      Op
	Node    *axtree.Node // as it is now; of a removed one, as it was
	Was     *axtree.Node // of a changed one
	in      *axtree.Node // the nearest node around it that can be referred to; nil for none
	path    uint64
	deep    int   // how many added, or removed, nodes it is in
	at      int32 // of the node among those of its tree
	counted bool  // it has no line of its own
}

// memory is the last snapshot of a tab.
type memory struct {
	tree     *axtree.Tree
	o        Options
	revision int
}

// hugeTree is how many nodes a tree may have to be kept for a later delta.
const hugeTree = 200_000

// remember keeps a snapshot for the next delta, and returns the one before.
func (r *Refs) remember(tab string, tree *axtree.Tree, o Options) (last memory, revision int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	view := r.tabs[tab]
	if o.Aside {
		return memory{}, view.revision
	}
	view.revision++
	slot := view.slot(o)
	last = *slot
	for _, kept := range []*memory{&view.last, &view.part} {
		// what was seen of the page before is not the last that was seen
		if kept.tree != nil && kept.tree.Docs[0].DocID != tree.Docs[0].DocID {
			*kept = memory{}
		}
	}
	*slot = memory{tree: tree, o: o, revision: view.revision}
	if len(tree.Nodes) > hugeTree {
		slot.tree = nil
	}
	return last, view.revision
}

// slot is where a snapshot is remembered: one of a part of the page, or of what a search found there, does not take the
// place of one of the page.
func (v *tabView) slot(o Options) *memory {
	if o.Search.Text != "" || o.Role != "" || o.Viewport || len(o.Scope) > 0 {
		return &v.part
	}
	return &v.last
}

// settle takes back the number of a snapshot that is equal to the one before.
func (r *Refs) settle(tab string, o Options, revision int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if view := r.tabs[tab]; view != nil {
		view.slot(o).revision = revision
		view.revision = max(view.last.revision, view.part.revision)
	}
}

// Last returns the options of the last snapshot of a tab: of the page, or of a part of it where the options like are of
// one.
func (r *Refs) Last(tab string, like Options) (o Options, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	view := r.tabs[tab]
	if view == nil {
		return Options{}, false
	}
	last := view.slot(like)
	return last.o, last.tree != nil
}

// HasBase reports whether a delta of a document that a tab shows has a snapshot to compare with, or would have none as
// its tree is huge.
func (r *Refs) HasBase(tab, doc string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	view := r.tabs[tab]
	if view == nil || view.last.revision == 0 {
		return false
	}
	return view.last.tree == nil || view.last.tree.Docs[0].DocID == doc
}

// sameView reports whether two snapshots show the same part of a page.
func (o Options) sameView(p Options) bool {
	return o.Interactive == p.Interactive && o.Compact == p.Compact && o.Depth == p.Depth && o.Source == p.Source &&
		o.Search == p.Search &&
		o.Role == p.Role && o.Viewport == p.Viewport && o.Seen == p.Seen && string(o.Scope) == string(p.Scope) &&
		o.Until == p.Until
}

// compare makes the delta from the last snapshot to a new one.
func compare(last memory, tree *axtree.Tree, o Options, revision int) *Delta {
	d := &Delta{Kind: deltaFull, Revision: revision}
	switch {
	case o.Afresh:
		return d
	case last.tree == nil:
		d.why = "there is no earlier snapshot of this tab to compare with"
		return d
	case last.tree.Docs[0].DocID != tree.Docs[0].DocID:
		d.why = "the last snapshot was of another page, " + shortURL(last.tree.Docs[0].URL)
		return d
	case !last.o.sameView(o):
		d.why = "the last snapshot had other options"
		return d
	}
	d.Base = last.revision
	last.o.Upstream = o.Upstream
	d.was, d.now = newView(last.tree.Nodes, last.o.complete()), newView(tree.Nodes, o.complete())
	d.find()
	if o.isDigest() {
		o.MaxTokens, o.known = 0, nil
		d.digest = newView(tree.Nodes, o)
	}
	d.tell()
	switch {
	case len(d.Changes) == 0 && len(d.fresh()) == 0:
		d.Kind, d.Revision = deltaUnchanged, last.revision
	case d.weight() > 20 && d.weight()*2 > len(d.now.nodes) && !d.isShort(tree, o):
		d.why = "most of the page changed"
	default:
		d.Kind = deltaChanges
	}
	return d
}

// isShort reports whether a digest of the changes takes fewer words than one of the page, such as where a panel opened
// that is as large as the page around it.
func (d *Delta) isShort(tree *axtree.Tree, o Options) bool {
	return d.digest != nil && len(d.appendText(nil, 0))*10 <= len(newView(tree.Nodes, o).text())*9
}

// textKey identifies a node without a ref by its line and its position.
type textKey struct {
	path uint64
	line string
}

// find compares the nodes: by their refs, and those without one by their lines within the same element.
func (d *Delta) find() {
	old := d.was.index()
	inner := []int{0} // by depth: how many added nodes are around
	d.now.each(func(i int32, n, in *axtree.Node, path uint64) {
		inner = inner[:n.Depth+1]
		change := Change{
			Node: n,
			in:   in,
			path: path,
			deep: inner[n.Depth],
			at:   i,
		}
		switch was := old.take(d.now, n, path); {
		case !d.now.keep[i]:
		case was == nil:
			change.Op = Added
			d.Changes = append(d.Changes, change)
			inner = append(inner, change.deep+1)
			return
		case n.Ref != 0 && !d.now.sameLine(was, n):
			change.Op, change.Was = Changed, was
			d.Changes = append(d.Changes, change)
		}
		inner = append(inner, change.deep)
	})
	var removed []Change
	gone := int32(0) // end of the removed node that is around
	d.was.each(func(i int32, n, in *axtree.Node, path uint64) {
		if !d.was.keep[i] || !old.left[i] {
			return
		}
		change := Change{
			Op:   Removed,
			Node: n,
			in:   in,
			path: path,
			at:   i,
		}
		if i < gone {
			change.deep = 1
		} else {
			gone = n.End
		}
		removed = append(removed, change)
	})
	d.pair(removed)
}

// pair makes one change of a text that went and one that came in the same element.
func (d *Delta) pair(removed []Change) {
	type place struct {
		path uint64
		role string
	}
	came, went := map[place]int{}, map[place]int{}
	at := func(c *Change) place { return place{c.path, c.Node.Role} }
	for i := range d.Changes {
		if c := &d.Changes[i]; c.Op == Added && c.Node.Ref == 0 {
			came[at(c)]++
		}
	}
	for i := range removed {
		if removed[i].Node.Ref == 0 {
			went[at(&removed[i])]++
		}
	}
	gone := make(map[place]*Change, len(went))
	for i := range removed {
		if p := at(&removed[i]); removed[i].Node.Ref == 0 && came[p] == 1 && went[p] == 1 {
			gone[p] = &removed[i]
		}
	}
	for i := range d.Changes {
		if c := &d.Changes[i]; c.Op == Added && c.Node.Ref == 0 && gone[at(c)] != nil {
			was := gone[at(c)]
			c.Op, c.Was, c.deep = Changed, was.Node, 0
			was.Op = ""
		}
	}
	for _, c := range removed {
		if c.Op != "" {
			d.Changes = append(d.Changes, c)
		}
	}
}

// lineIndex finds the nodes of a view again.
type lineIndex struct {
	nodes []axtree.Node
	byRef map[uint32]int32
	texts map[textKey][]int32
	left  []bool // nodes that were not found again
	line  []byte
}

func (v *view) index() *lineIndex {
	x := &lineIndex{
		nodes: v.nodes,
		byRef: map[uint32]int32{},
		texts: map[textKey][]int32{},
		left:  make([]bool, len(v.nodes)),
	}
	v.each(func(i int32, n, _ *axtree.Node, path uint64) {
		x.left[i] = true
		switch {
		case n.Ref != 0:
			x.byRef[n.Ref] = i
		case v.keep[i]:
			x.line = v.appendLine(x.line[:0], n, 0)
			key := textKey{path, string(x.line)}
			x.texts[key] = append(x.texts[key], i)
		}
	})
	return x
}

// take finds the node that n was, once.
func (x *lineIndex) take(v *view, n *axtree.Node, path uint64) *axtree.Node {
	if n.Ref != 0 {
		i, ok := x.byRef[n.Ref]
		if !ok {
			return nil
		}
		x.left[i] = false
		return &x.nodes[i]
	}
	x.line = v.appendLine(x.line[:0], n, 0)
	key := textKey{path, string(x.line)}
	same := x.texts[key]
	if len(same) == 0 {
		return nil
	}
	x.texts[key] = same[1:]
	x.left[same[0]] = false
	return &x.nodes[same[0]]
}

// each calls back for every node with the nearest one around it that has a ref, and a number for the roles between the
// two.
func (v *view) each(visit func(i int32, n, in *axtree.Node, path uint64)) {
	type spot struct {
		in   *axtree.Node
		path uint64
	}
	around := make([]spot, 1, 32)
	for i := range v.nodes {
		n := &v.nodes[i]
		at := around[n.Depth]
		visit(int32(i), n, at.in, at.path)
		if n.Ref != 0 && !n.Spare { // a spare ref is given after the comparison
			at = spot{in: n, path: uint64(n.Ref)}
		} else {
			h := fnv.New64a()
			h.Write(binary.LittleEndian.AppendUint64(nil, at.path))
			h.Write([]byte(n.Role))
			at.path = h.Sum64()
		}
		around = append(around[:n.Depth+1], at)
	}
}

// sameLine reports whether two nodes say the same.
func (v *view) sameLine(a, b *axtree.Node) bool {
	if a.Name != b.Name || a.Value != b.Value || a.Role != b.Role {
		return false
	}
	return string(v.appendLine(nil, a, 0)) == string(v.appendLine(nil, b, 0))
}

// fields are what a change can be about, in the words of the JSON form of a tree.
func fields(n *axtree.Node) map[string]string {
	f := map[string]string{
		"role": n.Role, "name": n.Name, "value": n.Value, "url": n.URL, "placeholder": n.Placeholder,
		"checked":  n.Checked.String(),
		"expanded": n.Expanded.String(), "pressed": n.Pressed.String(), "unseen": n.Visibility.String(),
	}
	for name, set := range map[string]bool{
		"selected": n.Selected, "disabled": n.Disabled, "required": n.Required, "readonly": n.Readonly, "invalid": n.Invalid,
		"focused": n.Focused,
		"covered": n.More != nil && n.More.Covered, "busy": n.More != nil && n.More.Busy,
		"modal":        n.More != nil && n.More.Modal,
		"saysToAgents": n.SaysToAgents(),
	} {
		f[name] = strconv.FormatBool(set)
	}
	if n.More != nil {
		f["description"], f["current"], f["valuetext"] = n.More.Description, n.More.Current, n.More.ValueText
	} else {
		f["description"], f["current"], f["valuetext"] = "", "", ""
	}
	return f
}

// appendJSON appends the delta in agent-browser's form: {kind: "full", refs, revision, tree}, {kind: "unchanged",
// baseRevision, revision} or {kind: "delta", baseRevision, revision, changes, treeChange}. A change is {op: "replace",
// ref, field, value, was}, {op: "add", ref, role, name, in} or {op: "remove", ref, role, name, in}; in is the ref
// around. treeChange is how the lines of the whole text change. The short form is without tree, changes and treeChange.
func (d *Delta) appendJSON(b []byte, refs func([]byte) []byte, text string, short bool) []byte {
	b = append(b, `{"kind":`...)
	b = appendQuoted(b, d.Kind)
	if d.Base != 0 && d.Kind != deltaFull {
		b = strconv.AppendInt(append(b, `,"baseRevision":`...), int64(d.Base), 10)
	}
	b = strconv.AppendInt(append(b, `,"revision":`...), int64(d.Revision), 10)
	switch {
	case d.Kind == deltaFull:
		b = refs(append(b, `,"refs":`...))
		if !short {
			b = appendQuoted(append(b, `,"tree":`...), text)
		}
	case d.Kind == deltaChanges && !short:
		b = append(b, `,"changes":[`...)
		start := len(b)
		for i := range d.Changes {
			b = d.Changes[i].appendJSON(b, start)
		}
		b = append(b, `],"treeChange":`...)
		b = phrase.Splice(b, d.was.text(), d.now.text())
	}
	return append(b, '}')
}

func (c *Change) appendJSON(b []byte, start int) []byte {
	open := func() {
		if len(b) > start {
			b = append(b, ',')
		}
		b = appendQuoted(append(b, `{"op":`...), string(c.Op))
		if c.Node.Ref != 0 {
			b = append(axtree.AppendRefID(append(b, `,"ref":"@`...), c.Node.Ref), '"')
		} else if c.in != nil {
			b = append(axtree.AppendRefID(append(b, `,"in":"@`...), c.in.Ref), '"')
		}
	}
	if c.Op != Changed {
		open()
		b = appendQuoted(append(b, `,"role":`...), c.Node.Role)
		b = phrase.Member(b, "name", c.Node.Name)
		b = phrase.Member(b, "value", c.Node.Value)
		return append(b, '}')
	}
	was, now := fields(c.Was), fields(c.Node)
	names := make([]string, 0, len(now))
	for name := range now {
		if was[name] != now[name] {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, cmp.Compare)
	for _, name := range names {
		open()
		b = appendQuoted(append(b, `,"field":`...), name)
		b = appendQuoted(append(b, `,"value":`...), now[name])
		b = appendQuoted(append(b, `,"was":`...), was[name])
		b = append(b, '}')
	}
	return b
}
