package snapshot

import (
	"slices"
	"strconv"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// AppendJSON appends the snapshot's data, {origin, refs, removedRefs, snapshot}, and returns the longer slice. refs
// holds every ref of the tree, or of the text alone where that has a budget which counts for JSON, too. With
// [Options.Tree] there is a fifth member, tree, see [axtree.Tree.AppendJSON]. With [Options.Delta] it is {origin,
// snapshot}, and snapshot is an object, see [Delta]. With [Options.Header], the member page holds the facts of the
// header. With [Options.Printed] the member text is [Snapshot.Text].
func (s *Snapshot) AppendJSON(b []byte) []byte {
	text := ""
	if !s.view.o.Short {
		text = s.completeText()
	}
	b = slices.Grow(b, len(text)+len(text)/8+256)
	b = append(b, `{"origin":`...)
	b = appendQuoted(b, s.URL)
	if s.Delta != nil {
		b = s.appendFacts(b)
		b = append(b, `,"snapshot":`...)
		b = s.Delta.appendJSON(b, s.appendRefs, text, s.view.o.Short)
		return append(s.appendPrinted(b), '}')
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
		b = append(axtree.AppendRefID(b, n), '"')
	}
	b = append(b, ']')
	if !s.view.o.Short {
		b = appendQuoted(append(b, `,"snapshot":`...), text)
	}
	b = s.appendPrinted(b)
	if s.view.o.Tree {
		b = append(b, `,"tree":`...)
		b = s.Tree.AppendJSON(b)
	}
	return append(b, '}')
}

// appendPrinted appends the member text after a comma, if the caller wants it.
func (s *Snapshot) appendPrinted(b []byte) []byte {
	if !s.view.o.Printed {
		return b
	}
	return appendQuoted(append(b, `,"text":`...), s.Text())
}

// appendRefs appends {"e1": {name, role}, …}, with [Options.Printed] also with states.
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
		b = axtree.AppendRefID(b, n.Ref)
		b = append(b, `":{"name":`...)
		b = appendQuoted(b, n.ExactName())
		b = append(b, `,"role":`...)
		b = appendQuoted(b, n.Role)
		if s.view.o.Printed {
			b = appendState(b, n)
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

// appendState appends what is known of an element beside its role and name, each member after a comma.
func appendState(b []byte, n *axtree.Node) []byte {
	b = phrase.Member(b, "value", n.Value)
	b = phrase.Member(b, "url", n.URL)
	if n.Level != 0 {
		b = strconv.AppendInt(append(b, `,"level":`...), int64(n.Level), 10)
	}
	return n.AppendBox(n.AppendStates(b))
}

// MarshalJSON returns what AppendJSON appends.
func (s *Snapshot) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// completeText returns the text for the JSON form: where that is to have the whole page, every element with a ref has a
// line.
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
func (s *Snapshot) sorted() []*axtree.Node {
	var lines []bool
	if !s.view.o.Whole && s.view.isCut() {
		lines = s.view.shownRefs()
	}
	refs := make([]*axtree.Node, 0, len(s.Tree.Nodes))
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
		slices.SortStableFunc(refs, func(a, b *axtree.Node) int { return int(a.Ref) - int(b.Ref) })
	}
	return refs
}
