package snapshot

import (
	"slices"
	"strconv"
)

// AppendJSON appends the snapshot's data, {origin, refs, removedRefs, snapshot}, and returns the longer slice. refs holds every ref of
// the tree, or of the text alone where that has a budget which counts for JSON, too. With [Options.Tree] there is a fifth member, tree, see [Tree.AppendJSON]. With
// [Options.Delta] it is {origin, snapshot}, and snapshot is an object, see [Delta]. With [Options.Header], the member page holds the facts of the
// header.
func (s *Snapshot) AppendJSON(b []byte) []byte {
	text := s.completeText()
	b = slices.Grow(b, len(text)+len(text)/8+256)
	b = append(b, `{"origin":`...)
	b = appendQuoted(b, s.URL)
	if s.Delta != nil {
		b = s.appendFacts(b)
		b = append(b, `,"snapshot":`...)
		return append(s.Delta.appendJSON(b, s.appendRefs, text), '}')
	}
	b = s.appendFacts(b)
	b = append(b, `,"refs":`...)
	b = s.appendRefs(b)
	b = append(b, `,"removedRefs":[`...)
	for i, n := range s.Removed {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `"@`...)
		b = append(appendRefID(b, n), '"')
	}
	b = append(b, `],"snapshot":`...)
	b = appendQuoted(b, text)
	if s.view.o.Tree {
		b = append(b, `,"tree":`...)
		b = s.Tree.AppendJSON(b)
	}
	return append(b, '}')
}

// appendRefs appends {"e1": {name, role}, …}.
func (s *Snapshot) appendRefs(b []byte) []byte {
	b = append(b, '{')
	last := uint32(0)
	for _, n := range s.sorted() {
		if n.Ref == last {
			continue
		}
		if last != 0 {
			b = append(b, ',')
		}
		last = n.Ref
		b = append(b, '"')
		b = appendRefID(b, n.Ref)
		b = append(b, `":{"name":`...)
		b = appendQuoted(b, n.Name)
		b = append(b, `,"role":`...)
		b = appendQuoted(b, n.Role)
		b = append(b, '}')
	}
	return append(b, '}')
}

// MarshalJSON returns what AppendJSON appends.
func (s *Snapshot) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// completeText returns the text for the JSON form: where that is to have the whole page, every element with a ref has a line.
func (s *Snapshot) completeText() string {
	if s.view.o.Whole && (s.view.isCut() || s.view.o.isDigest()) {
		return render(s.Tree.Nodes, s.view.o.complete())
	}
	return s.text
}

// isCut reports whether lines were left out for want of room.
func (v *view) isCut() bool { return len(v.folds) > 0 || v.clipAt > 0 }

// complete returns the options without a budget.
func (o Options) complete() Options {
	o.MaxTokens, o.Digest = 0, false
	return o
}

// sorted returns the nodes with a ref by its number: all, or those that the text shows.
func (s *Snapshot) sorted() []*Node {
	var lines []bool
	if !s.view.o.Whole && s.view.isCut() {
		lines = s.view.shownRefs()
	}
	refs := make([]*Node, 0, len(s.Tree.Nodes))
	ordered := true
	for i := range s.Tree.Nodes {
		n := &s.Tree.Nodes[i]
		if n.Ref == 0 || (lines != nil && !lines[i]) {
			continue
		}
		if len(refs) > 0 && refs[len(refs)-1].Ref > n.Ref {
			ordered = false
		}
		refs = append(refs, n)
	}
	if !ordered {
		slices.SortStableFunc(refs, func(a, b *Node) int { return int(a.Ref) - int(b.Ref) })
	}
	return refs
}

// AppendJSON appends the tree: a list of nodes, {role, name, ref, …, children}. A member that says nothing is left out: an empty string,
// false, a state that is not there. An Iframe whose document was read has url, the address of that; checked, expanded and pressed are
// "true", "false" or "mixed".
func (t *Tree) AppendJSON(b []byte) []byte {
	return t.appendNodes(b, 0, int32(len(t.Nodes)), refsOf(t.Nodes))
}

// refsOf finds the refs of elements by their tokens.
func refsOf(nodes []Node) map[elementKey]uint32 {
	refs := map[elementKey]uint32{}
	for i := range nodes {
		if n := &nodes[i]; n.Ref != 0 {
			refs[elementKey{n.Doc, n.Token}] = n.Ref
		}
	}
	return refs
}

// elementKey is an element of the tree.
type elementKey struct {
	doc   int32
	token int64
}

func (t *Tree) appendNodes(b []byte, from, end int32, refs map[elementKey]uint32) []byte {
	b = append(b, '[')
	for i := from; i < end; i = t.Nodes[i].End {
		if i > from {
			b = append(b, ',')
		}
		b = t.appendNode(b, i, refs)
	}
	return append(b, ']')
}

func (t *Tree) appendNode(b []byte, i int32, refs map[elementKey]uint32) []byte {
	n := &t.Nodes[i]
	b = append(b, `{"role":`...)
	b = appendQuoted(b, n.Role)
	b = appendMember(b, "name", n.Name)
	if n.Ref != 0 {
		b = append(appendRefID(append(b, `,"ref":"`...), n.Ref), '"')
	}
	b = appendMember(b, "value", n.Value)
	url := n.URL
	if n.Role == roleIframe && i+1 < n.End {
		url = t.Docs[t.Nodes[i+1].Doc].URL
	}
	b = appendMember(b, "url", url)
	b = appendMember(b, "placeholder", n.Placeholder)
	if n.Level != 0 {
		b = strconv.AppendInt(append(b, `,"level":`...), int64(n.Level), 10)
	}
	b = appendMember(b, "checked", n.Checked.String())
	b = appendMember(b, "expanded", n.Expanded.String())
	b = appendMember(b, "pressed", n.Pressed.String())
	for _, flag := range [...]struct {
		name string
		set  bool
	}{
		{"selected", n.Selected},
		{"disabled", n.Disabled},
		{"required", n.Required},
		{"readonly", n.Readonly},
		{"invalid", n.Invalid},
		{"focused", n.Focused},
		{"secret", n.Secret},
		{"inView", n.InView},
	} {
		if flag.set {
			b = appendTrue(b, flag.name)
		}
	}
	b = appendMember(b, "unseen", n.Visibility.String())
	if n.More != nil {
		b = n.More.appendMembers(b, n.Doc, refs)
	}
	if n.Hints != 0 {
		b = append(b, `,"hints":[`...)
		b = append(appendHintNames(b, n.Hints, `"`, `","`), `"]`...)
	}
	if n.Box != nil {
		b = append(b, `,"box":`...)
		b = n.Box.appendJSON(b)
	}
	if n.End > i+1 {
		b = append(b, `,"children":`...)
		b = t.appendNodes(b, i+1, n.End, refs)
	}
	return append(b, '}')
}

func (p *Properties) appendMembers(b []byte, doc int32, refs map[elementKey]uint32) []byte {
	b = appendMember(b, "description", p.Description)
	b = appendMember(b, "current", p.Current)
	b = appendMember(b, "haspopup", p.HasPopup)
	b = appendMember(b, "orientation", p.Orientation)
	b = appendMember(b, "valuetext", p.ValueText)
	b = appendMember(b, "valuemin", p.ValueMin)
	b = appendMember(b, "valuemax", p.ValueMax)
	if p.Busy {
		b = appendTrue(b, "busy")
	}
	if p.Multiselectable {
		b = appendTrue(b, "multiselectable")
	}
	if p.Modal {
		b = appendTrue(b, "modal")
	}
	if p.Covered {
		b = appendTrue(b, "covered")
	}
	if ref := refs[elementKey{doc, p.CoveredBy}]; p.CoveredBy != 0 && ref != 0 {
		b = append(appendRefID(append(b, `,"coveredBy":"`...), ref), '"')
	}
	if ref := refs[elementKey{doc, p.Active}]; p.Active != 0 && ref != 0 {
		b = append(appendRefID(append(b, `,"activeDescendant":"`...), ref), '"')
	}
	return b
}

func (x *Box) appendJSON(b []byte) []byte {
	for i, side := range [...]struct {
		name string
		of   float64
	}{{"x", x.X}, {"y", x.Y}, {"width", x.Width}, {"height", x.Height}} {
		b = append(b, "{,,,"[i], '"')
		b = append(append(b, side.name...), '"', ':')
		b = strconv.AppendFloat(b, side.of, 'f', -1, 64)
	}
	return append(b, '}')
}

// appendMember appends a member whose value is a string, unless that is empty.
func appendMember(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(append(append(b, `,"`...), name...), `":`...)
	return appendQuoted(b, value)
}

func appendTrue(b []byte, name string) []byte {
	return append(append(append(b, `,"`...), name...), `":true`...)
}
