package snapshot

import (
	"context"
	"slices"
)

// Options says what a snapshot shows.
type Options struct {
	Interactive bool   // only elements that have a ref
	Compact     bool   // leave out lines that say nothing
	URLs        bool   // show where links lead
	Depth       int    // deepest level that is shown, 0 being the top; negative for no limit
	Scope       []byte // JSON of the in-page target to whose subtree the snapshot is limited; empty for the whole page
}

// Snapshot is a page at one moment, as an agent sees it. It is not changed after it was taken.
type Snapshot struct {
	URL     string   // address of the root's document
	Tree    *Tree    // everything that was read, also what Depth and Compact left out of the text
	Removed []uint32 // refs of the previous snapshot of the same page that are gone, ascending
	text    string
}

// Take reads the page below root, which usually is the page's main frame, and gives new elements their refs. tab names the tab of the
// session in refs. It ends with ctx; a child frame that does not answer in time, or cannot be read, gets a line that says so.
func Take(ctx context.Context, tab string, root Frame, refs *Refs, o Options) (*Snapshot, error) {
	tree, err := readPage(ctx, root, WalkArg{Interactive: o.Interactive, Scope: o.Scope})
	if err != nil {
		return nil, err
	}
	removed := refs.number(tab, tree, len(o.Scope) > 0)
	return &Snapshot{URL: tree.Docs[0].URL, Tree: tree, Removed: removed, text: render(tree.Nodes, o)}, nil
}

// Text returns the snapshot as lines, without a line end after the last.
func (s *Snapshot) Text() string { return s.text }

// AppendJSON appends the snapshot's data, {origin, refs, removedRefs, snapshot}, and returns the longer slice. refs holds every ref of
// the tree.
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
