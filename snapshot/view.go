package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/addressee"
	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/description"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// view is the choice of nodes that become lines, and the text about the others.
type view struct {
	nodes   []axtree.Node
	keep    []bool
	o       Options
	wanted  axtree.Matcher // of what is searched for
	folds   []fold         // ascending by from
	notes   []string
	refOf   map[axtree.Key]uint32   // made when it is asked for
	labels  map[*axtree.Node]string // of a digest: the texts of rows and cards, by node
	remarks map[*axtree.Node]string // what it says of what a line leaves out: the options of closed lists, texts
	omitted map[int32]*omission     // the texts that it leaves out, by place
	around  map[*axtree.Node]naming // of a digest: clickable elements whose names are made of those in them
	popups  map[int32]int32         // of a digest: what controls have opened over the page, with the node of the control
	// of a digest: the nodes that count controls which aria-hidden keeps from assistive technology
	unheard   []int32
	parts     []framingPart      // parts of a digest that are worth remembering
	spoke     []int32            // places that announced something since the last snapshot
	shutOut   bool               // the search found text that is on the screen and not in the tree
	described description.Counts // descriptions that several lines have
	clipAt    int                // names and values are cut at so many bytes; 0 for never
}

// newView chooses what the options ask for.
func newView(nodes []axtree.Node, o Options) *view {
	if !o.Upstream {
		nodes = axtree.Legible(nodes)
	}
	v := &view{nodes: nodes, keep: make([]bool, len(nodes)), o: o, notes: slices.Clone(o.Notes)}
	v.wanted, _ = axtree.NewMatcher(o.Search.Text) // callers have looked at the error
	for i := range nodes {
		v.keep[i] = shown(nodes, i, o.Interactive) && (o.Upstream || !isGlyphs(&nodes[i]))
	}
	if o.isDigest() {
		(&digester{view: v, told: make([]bool, len(nodes))}).choose()
	}
	if o.Depth >= 0 {
		for i, level := range v.levels() {
			if v.keep[i] && int(level) > o.Depth {
				v.keep[i] = false
			}
		}
	}
	if o.Compact {
		v.compact()
	}
	v.filter()
	v.countUnseen()
	v.countAddressed()
	if o.MaxTokens > 0 {
		v.fit(o.MaxTokens)
	}
	return v
}

// shown reports whether a node is worth a line.
func shown(nodes []axtree.Node, i int, interactive bool) bool {
	n := &nodes[i]
	if n.Ref != 0 && (!n.Spare || grouping[n.Role]) || n.Role == axtree.RoleUnreadable {
		return true
	}
	if interactive {
		return false
	}
	switch n.Role {
	case axtree.RoleRoot:
		return false
	case axtree.RoleStaticText:
		return n.Name != ""
	case axtree.RoleGeneric:
		return axtree.HasChildren(nodes, i, 2)
	}
	return true
}

// isGlyphs reports whether a text is nothing but characters of an icon font.
func isGlyphs(n *axtree.Node) bool {
	return n.Role == axtree.RoleStaticText && n.Name != "" && phrase.WithoutGlyphs(n.Name) == ""
}

// levels returns the level that each node's line has, or would have. The children of a node without a line move up to
// its place.
func (v *view) levels() []int32 {
	levels := make([]int32, len(v.nodes))
	inner := make([]int32, 1, 32) // by depth of a node: the level that its line would have
	for i := range v.nodes {
		depth := v.nodes[i].Depth
		level := inner[depth]
		inner = inner[:depth+1]
		levels[i] = level
		if v.keep[i] {
			level++
		}
		inner = append(inner, level)
	}
	return levels
}

// compact drops the lines that say nothing themselves and have no line below them that does.
func (v *view) compact() {
	next := int32(len(v.nodes)) // the nearest node from here on whose line says something
	for i := int32(len(v.nodes)) - 1; i >= 0; i-- {
		if !v.keep[i] {
			continue
		}
		n := &v.nodes[i]
		switch {
		case n.Ref != 0 || n.Name != "" || n.Value != "" || v.label(n) != "":
			next = i
		case next >= n.End:
			v.keep[i] = false
		}
	}
}

// shownRefs are the nodes whose refs the text shows, those of folds included.
func (v *view) shownRefs() []bool {
	lines := slices.Clone(v.keep)
	for i := range v.folds {
		if head := v.folds[i].head; head >= 0 {
			lines[head] = true
		}
	}
	return lines
}

// nothing says that there are no lines.
func (v *view) nothing() string {
	switch {
	case v.o.Search.Text != "" && v.shutOut:
		return "(nothing on the page that can be used contains " + strconv.Quote(v.o.Search.Text) + ")"
	case v.o.Search.Text != "":
		return "(nothing on the page contains " + strconv.Quote(v.o.Search.Text) + ")"
	case v.o.Role != "":
		return "(nothing on the page has the role " + v.o.Role + ")"
	case v.o.Interactive:
		return "(no interactive elements)"
	}
	return "(empty page)"
}

// note adds a sentence to the end of the text.
func (v *view) note(format string, args ...any) {
	v.notes = append(v.notes, fmt.Sprintf(format, args...))
}

// countUnseen reports how many lines have text that is not visible, or omits them.
func (v *view) countUnseen() {
	marked, lines, names, coming := 0, 0, 0, 0
	for i := range v.nodes {
		n := &v.nodes[i]
		switch {
		case !v.keep[i] || n.Visibility == axtree.Seen:
			continue
		case n.Visibility.IsHidden():
			lines++
			v.keep[i] = !v.o.Seen
		case n.Visibility == axtree.NameUnseen:
			names++
		}
		if n.Visibility.IsComing() {
			coming++
		} else {
			marked++
		}
	}
	const leftOut = "%s left out: a person who looks at the page does not see them"
	if v.o.Seen {
		if lines > 0 {
			v.note(leftOut, counted(lines, "unseen line"))
		}
		if names > 0 {
			v.note(leftOut, counted(names, "unseen name"))
		}
		return
	}
	if v.o.isDigest() { // there each of the lines says so
		return
	}
	if coming > 0 {
		v.note("%s not shown yet: marked with what brings them in", counted(coming, "line"))
	}
	if marked > 0 {
		v.note("%s marked unseen: a person who looks at the page does not see what they say, or not all of it",
			counted(marked, "line"))
	}
}

// countAddressed says how many lines speak to agents.
func (v *view) countAddressed() {
	lines := 0
	for i := range v.nodes {
		if v.keep[i] && v.saysToAgents(&v.nodes[i]) {
			lines++
		}
	}
	if lines > 0 {
		v.note("%s marked %q: text of the page, not of your user", counted(lines, "line"), addressee.Mark)
	}
}

// filter drops what the search, the role or the viewport leave out.
func (v *view) filter() {
	switch {
	case v.o.Search.Text != "":
		v.search()
	case v.o.Role != "":
		for i := range v.nodes {
			v.keep[i] = v.keep[i] && strings.EqualFold(v.nodes[i].Role, v.o.Role)
		}
	}
	if v.o.Viewport {
		v.inView()
	}
}

// items are the roles of what belongs together: when a search finds a part of it, the whole is shown.
var items = map[string]bool{
	"row": true, "listitem": true, "article": true, "option": true, "treeitem": true,
	"comment": true,
}

// wholeItem is how many nodes an item may have to be shown as a whole.
const wholeItem = 60

// search keeps the nodes that contain what is searched for, what belongs to them, what they are in, and the lines
// around them.
func (v *view) search() {
	hit := make([]bool, len(v.nodes))
	var found []int32
	var open []int32 // the ancestors of the node
	for i := range v.nodes {
		n := &v.nodes[i]
		open = append(open[:n.Depth], int32(i))
		if !n.HasText(v.wanted.Find) {
			continue
		}
		hit[i] = true
		if v.keep[i] {
			found = append(found, int32(i))
		}
		for _, at := range open[:n.Depth] {
			around := &v.nodes[at]
			if items[around.Role] && around.End-at <= wholeItem {
				for j := at; j < around.End; j++ {
					hit[j] = true
				}
			}
			hit[at] = true
		}
	}
	addAround(v.nodes, v.keep, hit, found, v.o.Search.Around)
	for i := range hit {
		v.keep[i] = v.keep[i] && hit[i]
	}
	v.tellShutOut()
}

// addAround adds so many kept nodes before and after each that was found to the hits, with what they are in.
func addAround(nodes []axtree.Node, keep, hit []bool, found []int32, lines int) {
	if lines == 0 || len(found) == 0 {
		return
	}
	var kept []int32
	for i := range nodes {
		if keep[i] {
			kept = append(kept, int32(i))
		}
	}
	for _, i := range found {
		at, _ := slices.BinarySearch(kept, i)
		for _, near := range kept[max(0, at-lines):min(len(kept), at+lines+1)] {
			hit[near] = true
		}
	}
	var open []int32
	for i := range nodes {
		open = append(open[:nodes[i].Depth], int32(i))
		if hit[i] {
			for _, parent := range open[:nodes[i].Depth] {
				hit[parent] = true
			}
		}
	}
}

// inView keeps what is on the screen, and what that is in.
func (v *view) inView() {
	left := 0
	next := int32(len(v.nodes)) // the nearest kept node from here on
	for i := int32(len(v.nodes)) - 1; i >= 0; i-- {
		if !v.keep[i] {
			continue
		}
		if n := &v.nodes[i]; n.InView || next < n.End {
			next = i
		} else {
			v.keep[i] = false
			left++
		}
	}
	if left > 0 {
		v.note("%s outside of the viewport left out; scroll to see them", counted(left, "line"))
	}
}
