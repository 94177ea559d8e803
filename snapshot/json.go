package snapshot

import (
	"slices"
	"strconv"
)

// AppendJSON appends the snapshot's data, {origin, refs, removedRefs, snapshot}, and returns the longer slice. refs holds every ref of
// the tree. With [Options.Tree] there is a fifth member, tree, see [Tree.AppendJSON].
func (s *Snapshot) AppendJSON(b []byte) []byte {
	refs := s.sorted()
	b = slices.Grow(b, len(s.text)+len(s.text)/8+64*len(refs)+256)
	b = append(b, `{"origin":`...)
	b = appendQuoted(b, s.URL)
	b = append(b, `,"refs":{`...)
	last := uint32(0)
	for _, n := range refs {
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
	b = append(b, `},"removedRefs":[`...)
	for i, n := range s.Removed {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `"@`...)
		b = append(appendRefID(b, n), '"')
	}
	b = append(b, `],"snapshot":`...)
	b = appendQuoted(b, s.text)
	if s.options.Tree {
		b = append(b, `,"tree":`...)
		b = s.Tree.AppendJSON(b)
	}
	return append(b, '}')
}

// MarshalJSON returns what AppendJSON appends.
func (s *Snapshot) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// sorted returns the nodes with a ref by its number.
func (s *Snapshot) sorted() []*Node {
	refs := make([]*Node, 0, len(s.Tree.Nodes))
	ordered := true
	for i := range s.Tree.Nodes {
		n := &s.Tree.Nodes[i]
		if n.Ref == 0 {
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
	refs := map[activeKey]uint32{}
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Ref != 0 {
			refs[activeKey{n.Doc, n.Token}] = n.Ref
		}
	}
	return t.appendNodes(b, 0, int32(len(t.Nodes)), refs)
}

// activeKey is an element of the tree.
type activeKey struct {
	doc   int32
	token int64
}

func (t *Tree) appendNodes(b []byte, from, end int32, refs map[activeKey]uint32) []byte {
	b = append(b, '[')
	for i := from; i < end; i = t.Nodes[i].End {
		if i > from {
			b = append(b, ',')
		}
		b = t.appendNode(b, i, refs)
	}
	return append(b, ']')
}

func (t *Tree) appendNode(b []byte, i int32, refs map[activeKey]uint32) []byte {
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
	} {
		if flag.set {
			b = appendTrue(b, flag.name)
		}
	}
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

func (p *Properties) appendMembers(b []byte, doc int32, refs map[activeKey]uint32) []byte {
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
	if ref := refs[activeKey{doc, p.Active}]; p.Active != 0 && ref != 0 {
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
