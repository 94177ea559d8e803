package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// The text of a delta: what came, in the lines of a snapshot, then what says something else, then what went. A control
// that something has come to lie over is not a change worth a line: they are counted.

// behind counts controls that are out of reach now, and those that are within reach again.
type behind struct {
	covered, uncovered []*axtree.Node // something else takes the pointer there, or no longer
	inert, back        int            // a modal dialog keeps them from being used, or no longer
}

// redrawn is an element that went and an equal one that came in its place: the page has drawn it again.
type redrawn struct{ was, now *axtree.Node }

// tell sorts out what is counted.
func (d *Delta) tell() {
	inert, wasInert := hasInert(d.now.nodes), hasInert(d.was.nodes)
	known := lastRef(d.was.nodes)
	for i := range d.Changes {
		c := &d.Changes[i]
		only := c.Op == Changed && d.onlyCovered(c)
		if only || c.Op == Changed && isCovered(c.Node) != isCovered(c.Was) {
			if isCovered(c.Node) {
				d.behind.covered = append(d.behind.covered, c.Node)
			} else {
				d.behind.uncovered = append(d.behind.uncovered, c.Node)
			}
		}
		switch {
		case only:
		case c.Op == Changed && c.Was.Focused && !c.Node.Focused && d.now.sameLine(unfocused(c.Was), c.Node):
			d.unfocused++ // the effect of the action says what has the focus now
		case c.Op == Removed && inert && !wasInert && c.Node.Ref != 0:
			d.behind.inert++
		case c.Op == Added && wasInert && !inert && c.Node.Ref != 0 && c.Node.Ref <= known:
			d.behind.back++
		default:
			continue
		}
		c.counted = true
	}
	if d.digest != nil {
		d.findRedrawn()
	}
}

// unfocused returns a node as if it had not had the focus.
func unfocused(n *axtree.Node) *axtree.Node {
	bare := *n
	bare.Focused = false
	return &bare
}

// findRedrawn finds what went and came again as it was: the only one of its kind, or the only one in a row with the
// same texts. Its old refs heal where the element is the only one, and the line tells the new ones.
func (d *Delta) findRedrawn() {
	came, went := map[string][]*Change{}, map[string][]*Change{}
	for i := range d.Changes {
		c := &d.Changes[i]
		if c.counted || c.Op == Changed || c.Node.Ref == 0 {
			continue
		}
		bare := *uncovered(unfocused(c.Node))
		bare.Ref = 0
		line := d.now.appendLine(nil, &bare, 0)
		if key := string(line); c.Op == Added {
			came[key] = append(came[key], c)
		} else {
			went[key] = append(went[key], c)
		}
	}
	before := map[*Change]*axtree.Node{}
	d.countCells()
	pair := func(now, was []*Change) {
		if len(now) != len(was) {
			return
		}
		for i, c := range now {
			c.counted, was[i].counted = true, true
			before[c] = was[i].Node
		}
	}
	for key := range came {
		if len(came[key]) == 1 {
			pair(came[key], went[key])
			continue
		}
		now, was := byRow(d.now.nodes, came[key]), byRow(d.was.nodes, went[key])
		for row := range now {
			pair(now[row], was[row])
		}
	}
	end := int32(0) // of what is new, which is told as a whole
	for i := range d.Changes {
		c := &d.Changes[i]
		switch {
		case c.Op != Added || c.at < end:
		case !c.counted:
			end = c.Node.End
		case before[c] != nil && d.digest.keep[c.at] && !repeating[c.Node.Role] && !grouping[c.Node.Role]:
			d.redrawn = append(d.redrawn, redrawn{before[c], c.Node})
		}
	}
}

// byRow groups changes by the text of the row, card or item that contains their element.
func byRow(nodes []axtree.Node, all []*Change) map[string][]*Change {
	rows := map[string][]*Change{}
	for _, c := range all {
		row := rowAround(nodes, c.at)
		rows[row] = append(rows[row], c)
	}
	return rows
}

// rowAround is the text of the nearest row, card or item that a node is or is in; "" where there is none.
func rowAround(nodes []axtree.Node, at int32) string {
	for i, depth := at, nodes[at].Depth+1; i >= 0; i-- {
		if nodes[i].Depth >= depth {
			continue
		}
		depth = nodes[i].Depth
		if !grouping[nodes[i].Role] {
			continue
		}
		var texts []string
		for j := i; j < nodes[i].End; j++ {
			texts = append(texts, nodes[j].Name)
		}
		return strings.Join(texts, "\n")
	}
	return ""
}

// countCells leaves out the cells and the rows without a name that went where another one came: a digest shows them in
// the line of the row that came.
func (d *Delta) countCells() {
	type place struct {
		path uint64
		role string
	}
	came := map[place]bool{}
	for i := range d.Changes {
		if c := &d.Changes[i]; c.Op == Added {
			came[place{c.path, c.Node.Role}] = true
		}
	}
	for i := range d.Changes {
		c := &d.Changes[i]
		isPart := repeating[c.Node.Role] || grouping[c.Node.Role] && c.Node.Name == ""
		if c.Op == Removed && isPart && c.Node.Hints == 0 && came[place{c.path, c.Node.Role}] {
			c.counted = true
		}
	}
}

// mostRedrawn is how many of the elements that the page has drawn again a delta names.
const mostRedrawn = 12

// redrawnLine names the new refs of what the page has drawn again, or is empty.
func (d *Delta) redrawnLine() string {
	if len(d.redrawn) == 0 {
		return ""
	}
	b := []byte("~ drawn again as before, with new refs:")
	for i, r := range d.redrawn {
		if i == mostRedrawn {
			return string(b) + " and " + thousands(len(d.redrawn)-i) + " more"
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, ' '), d.now.word(r.now)...), ' ')
		if name := d.now.nameOf(r.now); name != "" {
			b = append(appendQuoted(b, wording.ClipBytes(name, longestAround)), ' ')
		}
		b = axtree.AppendRef(append(axtree.AppendRef(b, r.now.Ref), " (was "...), r.was.Ref)
		b = append(b, ')')
	}
	return string(b)
}

func isCovered(n *axtree.Node) bool { return n.More != nil && n.More.Covered }

// onlyCovered reports whether a node says the same as before, except for what lies over it.
func (d *Delta) onlyCovered(c *Change) bool {
	return (isCovered(c.Node) || isCovered(c.Was)) && d.now.sameLine(uncovered(c.Was), uncovered(c.Node))
}

// uncovered returns a node as if nothing lay over it.
func uncovered(n *axtree.Node) *axtree.Node {
	if !isCovered(n) {
		return n
	}
	bare, more := *n, *n.More
	more.Covered, more.CoveredBy = false, 0
	bare.More = &more
	return &bare
}

// hasInert reports whether a modal dialog keeps controls from being used.
func hasInert(nodes []axtree.Node) bool {
	for i := range nodes {
		if n := &nodes[i]; n.Role == axtree.RoleBehind && n.Token == 0 {
			return true
		}
	}
	return false
}

func lastRef(nodes []axtree.Node) (last uint32) {
	for i := range nodes {
		last = max(last, nodes[i].Ref)
	}
	return last
}

// weight is how many lines tell of what changed.
func (d *Delta) weight() (lines int) {
	for i := range d.Changes {
		if c := &d.Changes[i]; !c.counted && (c.Op != Removed || c.deep == 0) {
			lines++
		}
	}
	return lines
}

// fresh are the nodes of a digest without refs that were not on the page before: texts, and what groups things, such as
// a dialog.
func (d *Delta) fresh() (nodes []int32) {
	if d.digest == nil {
		return nil
	}
	texts, elements := map[string]bool{}, map[int64]bool{}
	for i := range d.was.nodes {
		texts[d.was.nodes[i].Name] = true
		elements[d.was.nodes[i].Token] = true
	}
	for i := range d.digest.nodes {
		n := &d.digest.nodes[i]
		isNew := n.Token != 0 && !elements[n.Token]
		if n.Role == axtree.RoleStaticText {
			isNew = !texts[n.Name]
		}
		if d.digest.keep[i] && n.Ref == 0 && isNew && (!grouping[n.Role] || d.holdsNew(int32(i), texts)) {
			nodes = append(nodes, int32(i))
		}
	}
	return nodes
}

// holdsNew reports whether a row or card has a text or a control that was not on the page before: else the page has
// only drawn it again.
func (d *Delta) holdsNew(at int32, texts map[string]bool) bool {
	end := d.digest.nodes[at].End
	for i := at + 1; i < end; i++ {
		if n := &d.digest.nodes[i]; n.Role == axtree.RoleStaticText && n.Name != "" && !texts[n.Name] {
			return true
		}
	}
	return slices.ContainsFunc(d.Changes, func(c Change) bool {
		return c.Op == Added && !c.counted && c.at > at && c.at < end
	})
}

// gone returns the lines of what went. A digest tells controls of one kind that went together in one line, as it has
// shown them; what they were like is of no use any longer.
func (d *Delta) gone(removed []*axtree.Node) (lines []string) {
	for len(removed) > 0 {
		n := removed[0]
		count := 1
		for d.digest != nil && count < len(removed) && goneAlike(n, removed[count]) {
			count++
		}
		if count < fewestJoined {
			lines = append(lines, "- "+d.line(uncovered(n)))
		} else {
			lines = append(lines, string(appendGone(d.digest, nil, removed[:count])))
		}
		removed = removed[count:]
	}
	return lines
}

// goneAlike reports whether two controls that went are told in one line.
func goneAlike(a, b *axtree.Node) bool {
	short := func(n *axtree.Node) bool {
		return n.Ref != 0 && len(n.Name) <= longestJoined && n.Hints&axtree.Editable == 0
	}
	return joinable[a.Role] != "" && joinable[a.Role] == joinable[b.Role] && a.IsTitle() == b.IsTitle() && short(a) &&
		short(b)
}

func appendGone(v *view, b []byte, removed []*axtree.Node) []byte {
	b = append(append(append(b, "- "...), joinable[removed[0].Role]...), ": "...)
	for i, n := range removed {
		if i == mostJoined && len(removed) > mostJoined+1 {
			return append(b, " and "+thousands(len(removed)-i)+" more"...)
		}
		if i > 0 {
			b = append(b, ", "...)
		}
		if name := v.nameOf(n); name != "" {
			b = append(appendQuoted(b, name), ' ')
		}
		b = axtree.AppendRef(b, n.Ref)
		if n.More != nil && n.More.Inferred != "" {
			b = append(appendQuoted(append(b, " [inferred="...), n.More.Inferred), ']')
		}
	}
	return b
}

// mostGone is how many lines tell of what went, which is of the least use, and mostJoined how many of the controls of
// one kind a line names.
const (
	mostGone   = 8
	mostJoined = 8
)

// addedFactor is how much more room what came has than what changed: it is what the caller acts on next.
const addedFactor = 4

// appendText writes the delta for a reader, with the changes of what was there in at most about so many tokens: +
// before what came, ~ before what is different, - before what went.
func (d *Delta) appendText(b []byte, most int) []byte {
	if d.Kind == deltaUnchanged {
		return append(b, "unchanged (revision "+strconv.Itoa(d.Revision)+")"...)
	}
	var changed []string
	var removed []*axtree.Node
	within := 0 // what went with what is around it
	for i := range d.Changes {
		switch c := &d.Changes[i]; {
		case c.counted:
		case c.Op == Changed:
			line := "~ " + d.line(uncovered(c.Node)) + " (was: " + d.line(uncovered(c.Was)) + ")"
			if c.Node.Ref == 0 && c.in != nil {
				line = "@ " + d.line(c.in) + "\n" + line
			}
			changed = append(changed, line)
		case c.Op == Removed && c.deep > 0:
			within++
		case c.Op == Removed:
			removed = append(removed, c.Node)
		}
	}
	if line := d.redrawnLine(); line != "" {
		changed = append(changed, line)
	}
	changed = append(changed, d.behind.lines(d)...)
	gone := d.gone(removed)
	if n := len(gone); d.digest != nil && n > mostGone {
		gone = append(gone[:mostGone], "- and "+counted(n-mostGone, "more line")+" of what is gone")
	}
	added := d.added()
	counts := slices.DeleteFunc([]string{
		phrase.Some("+ %s appeared", len(added)), phrase.Some("~ %s changed", len(changed)),
		phrase.Some("- %s gone", len(gone)),
	}, func(count string) bool { return count == "" })
	switch {
	case len(counts) == 0 && d.unfocused > 0:
		counts = []string{"only the focus moved"}
	case len(counts) == 0:
		counts = []string{"nothing that has a line changed"}
	}
	b = append(b,
		"("+strings.Join(counts, ", ")+" since revision "+strconv.Itoa(d.Base)+", now revision "+strconv.Itoa(d.Revision)+
			")"...)
	if within > 0 && len(gone) > 0 {
		gone = append(gone, "(and "+thousands(within)+" in what is gone)")
	}
	b = appendLines(b, added, most*addedFactor*TokenBytes)
	return appendLines(b, append(changed, gone...), most*TokenBytes)
}

// appendLines appends lines in at most so many bytes, 0 for any number, and says how many more there are.
func appendLines(b []byte, lines []string, most int) []byte {
	start := len(b)
	for i, line := range lines {
		if most > 0 && len(b)-start > most {
			return append(b, "\n(… "+counted(len(lines)-i, "more line")+"; snapshot shows the whole page)"...)
		}
		b = append(append(b, '\n'), line...)
	}
	return b
}

// lines say how many controls are out of reach, and behind what.
func (h *behind) lines(d *Delta) (lines []string) {
	if len(h.covered) > 0 {
		by := "something that lies over them"
		if n := d.coverOf(h.covered); n != nil {
			by = d.line(uncovered(n))
		}
		lines = append(lines, "~ "+phrase.Are(len(h.covered), "control")+" behind "+by)
	}
	if h.inert > 0 {
		lines = append(lines, "~ "+phrase.Are(h.inert, "control")+" behind the modal dialog: inert until it closes")
	}
	if free := len(h.uncovered) + h.back; free > 0 {
		lines = append(lines, "~ "+phrase.Are(free, "control")+" within reach again")
	}
	return lines
}

// coverOf returns the one node that lies over all of these, or nil.
func (d *Delta) coverOf(covered []*axtree.Node) *axtree.Node {
	by := covered[0].KeyOf(covered[0].More.CoveredBy)
	for _, n := range covered {
		if n.KeyOf(n.More.CoveredBy) != by {
			return nil
		}
	}
	for i := range d.now.nodes {
		if n := &d.now.nodes[i]; by.Token != 0 && n.Token == by.Token && n.Doc == by.Doc && n.Role != axtree.RoleBehind &&
			n.Name != "" {
			return n
		}
	}
	return nil
}

// added returns the lines of what came.
func (d *Delta) added() []string {
	v := d.now
	if d.digest != nil {
		v = d.digest
	}
	came := make([]bool, len(v.nodes))
	for i := range d.Changes {
		c := &d.Changes[i]
		if c.Op != Added || c.counted {
			continue
		}
		came[c.at] = true
		if c.deep == 0 && d.digest != nil {
			for j := c.at; j < c.Node.End; j++ {
				came[j] = true
			}
		}
	}
	for _, at := range d.fresh() {
		came[at] = true
	}
	return linesOf(v, came)
}

// linesOf returns the lines of some of the nodes that a text shows, each with its mark.
func linesOf(v *view, some []bool) (lines []string) {
	part := *v
	part.keep, part.notes, part.spoke = make([]bool, len(v.keep)), nil, nil
	for i := range v.keep {
		part.keep[i] = v.keep[i] && some[i]
	}
	part.omitted = map[int32]*omission{}
	for i, x := range v.omitted {
		if some[i] {
			part.omitted[i] = x
		}
	}
	w := writer{view: &part, levels: part.levels()}
	part.remarkOmitted()
	part.described = countDescriptions(&part)
	w.joined = part.findJoined(w.levels)
	text := string(w.appendBlock(nil, block{end: int32(len(v.nodes))}))
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if words := strings.TrimLeft(line, " "); strings.HasPrefix(words, "- ") {
			line = line[:len(line)-len(words)] + "+ " + words[2:]
		}
		lines = append(lines, line)
	}
	return lines
}

// line is a node's line without indentation and bullet.
func (d *Delta) line(n *axtree.Node) string {
	v := d.now
	if d.digest != nil {
		v = d.digest
	}
	b := v.appendLine(nil, n, 0)
	return wording.ClipBytes(string(b[2:len(b)-1]), longText)
}
