package snapshot

import (
	"slices"
	"strconv"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/description"
)

// A digest joins lines of one kind that follow each other: links, buttons and the like, which have names and refs and
// little else, are one line,
//
//	- links: "Home" @e1, "Orders" @e2, "Help" @e3 [current=page]
//
// What they all have is said once, before the colon: buttons [collapsed]: "File" @e1, "Edit" @e2. So
//
// and so are texts:
//
//	- text: At least 12 characters · No spaces

const (
	fewestJoined   = 2   // controls that share a line
	longestJoined  = 80  // bytes of the name of one of them
	longestNote    = 60  // of its description
	maxJoinedTexts = 300 // bytes of texts that share a line
)

// joinable are the roles of controls that may share a line, and what the line calls them. Fields have lines of their
// own: agents look for them, and they have values.
var joinable = map[string]string{
	"link": "links", "button": "buttons", "tab": "tabs", "menuitem": "menuitems", "menuitemcheckbox": "menuitemcheckboxes",
	"menuitemradio": "menuitemradios", "option": "options", "treeitem": "treeitems", "cell": "cells",
	"rowheader": "rowheaders", "gridcell": "gridcells", "columnheader": "columnheaders", axtree.RoleHeading: "headings",
	"checkbox": "checkboxes", "radio": "radios", "switch": "switches", axtree.RoleGeneric: wordClickable,
	axtree.RoleNone: wordClickable,
}

// joinedLines says which lines are joined: for the first node of each, the index of the last one. Nil for a text in
// which none are.
type joinedLines map[int32]int32

// findJoined looks for lines that follow each other on one level, in one place of the page, with nothing in them or
// between them.
func (v *view) findJoined(levels []int32) joinedLines {
	if !v.o.isDigest() {
		return findPictures(v, levels)
	}
	runs := joinedLines{}
	folds, places := v.folds, []int32{int32(len(v.nodes))} // where the places end that the node is in
	first, last, count := int32(-1), int32(-1), 0
	end := func() {
		if n := first; n >= 0 && (v.nodes[n].Role == axtree.RoleStaticText || count >= fewestJoined) {
			runs[n] = last
		}
		first, count = -1, 0
	}
	for at := range v.nodes {
		i, n := int32(at), &v.nodes[at]
		if len(folds) > 0 && folds[0].from == i {
			end()
			folds = folds[1:]
		}
		for len(places) > 1 && places[len(places)-1] <= i {
			places = places[:len(places)-1]
			end()
		}
		if (countsTexts[n.Role] || announcing[n.Role]) && n.End > i+1 {
			places = append(places, n.End)
			end()
		}
		if !v.keep[i] {
			if v.omitted[i] != nil {
				end()
			}
			continue
		}
		if !v.isJoinable(i) {
			end()
			continue
		}
		if n.MessageKind() != "" && slices.Contains(v.spoke, i) { // it has moved
			end()
			runs[i] = i
			continue
		}
		if first >= 0 && (levels[first] != levels[i] || !v.joins(first, i)) {
			end()
		}
		if first < 0 {
			first = i
		}
		last, count = i, count+1
	}
	end()
	return runs
}

// isJoinable reports whether a line may share one with others.
func (v *view) isJoinable(i int32) bool {
	n := &v.nodes[i]
	if n.Role == axtree.RoleStaticText {
		return (n.Visibility == axtree.Seen || n.Visibility.IsComing()) && n.Name != "" && !n.SaysToAgents()
	}
	if joinable[n.Role] == "" || n.Ref == 0 || len(n.Name) > longestJoined || v.omitted[i] != nil || v.label(n) != "" ||
		n.Value != "" && n.Value != n.Name {
		return false
	}
	if n.More != nil && n.More.ValueText != "" || !v.described.Repeats(n) && len(description.Of(n)) > longestNote {
		return false
	}
	return n.Hints&axtree.Editable == 0 && (n.IsPointed() || n.Hints == 0 && !n.IsRoleless()) && !v.holdsKept(i)
}

// joins reports whether two lines may be one.
func (v *view) joins(first, i int32) bool {
	a, b := &v.nodes[first], &v.nodes[i]
	return joinable[a.Role] == joinable[b.Role] && a.MessageKind() == b.MessageKind() &&
		a.Doc == b.Doc && a.Level == b.Level &&
		a.Visibility == b.Visibility && isTold(a) == isTold(b) &&
		coverOf(v, a) == coverOf(v, b)
}

// isTold reports whether a line says that clicking a node does something, which its role does not say.
func isTold(n *axtree.Node) bool { return n.Hints != 0 && !n.IsRoleless() && !isControlRole(n) }

// appendJoined writes the lines from first to last as one.
func (w *writer) appendJoined(b []byte, first, last int32, level int) []byte {
	if w.nodes[first].Role == axtree.RoleStaticText {
		return w.appendTexts(b, first, last, level)
	}
	if !w.o.isDigest() {
		return appendPictures(b, w.keep[first:last+1], level)
	}
	word := joinable[w.nodes[first].Role]
	if w.nodes[first].IsTitle() {
		word = w.word(&w.nodes[first])
	}
	b = append(appendIndent(b, level), word...)
	common := w.common(first, last)
	b = append(appendCommon(b, &w.nodes[first], common, coverOf(w.view, &w.nodes[first])), ": "...)
	for i := first; i <= last; i++ {
		if !w.keep[i] {
			continue
		}
		n := &w.nodes[i]
		if i > first {
			b = append(b, ", "...)
		}
		if name := w.nameOf(n); name != "" {
			b = append(appendQuoted(b, name), ' ')
		}
		b = axtree.AppendRef(b, n.Ref)
		if common == "" {
			b = w.appendAttributes(b, n, toldInCommon)
		}
	}
	return append(b, '\n')
}

// toldInCommon is what a line of several controls says of each by what it says of all.
const toldInCommon = toldLevel | toldVisibility | toldUnchecked | toldCovered

// common returns the attributes of the controls from first to last, if all have the same; else "". A description that
// an earlier line has does not count.
func (w *writer) common(first, last int32) string {
	counts := w.described
	defer func() { w.described = counts }()
	if count, several := counts[&w.nodes[first]]; !several || count > 0 {
		w.described = nil // so that each has it
	}
	said, controls := "", 0
	for i := first; i <= last; i++ {
		if !w.keep[i] {
			continue
		}
		switch own := string(w.appendAttributes(nil, &w.nodes[i], toldInCommon)); {
		case own == "", i > first && own != said:
			return ""
		default:
			said = own
		}
		controls++
	}
	if counts[&w.nodes[first]] > controls {
		w.described = counts
		return string(w.appendAttributes(nil, &w.nodes[first], toldInCommon))
	}
	return said
}

// appendCommon appends the attributes that all controls on the line share.
func appendCommon(b []byte, n *axtree.Node, attributes string, over cover) []byte {
	start := len(b)
	if n.Level != 0 && !n.IsTitle() {
		b = strconv.AppendInt(append(b, ", level="...), int64(n.Level), 10)
	}
	if attributes != "" {
		b = append(append(b, ", "...), attributes[len(" ["):len(attributes)-len("]")]...)
	}
	b = over.append(appendVisibility(b, n.Visibility))
	if isTold(n) {
		b = append(append(b, ", "...), hintWord(n)...)
	}
	if len(b) == start {
		return b
	}
	b[start], b[start+1] = ' ', '[' // in place of the first comma
	return append(b, ']')
}

func (w *writer) appendTexts(b []byte, first, last int32, level int) []byte {
	room := 0
	for i := first; i <= last; i++ {
		if !w.keep[i] {
			continue
		}
		text := w.nameOf(&w.nodes[i])
		if room -= len(text); room < 0 || i == first {
			if i > first {
				b = append(b, '\n')
			}
			b = append(appendIndent(b, level), w.word(&w.nodes[i])...)
			if mark := w.nodes[i].Visibility.Mark(); mark != "" && w.nodes[i].Visibility.IsComing() {
				b = append(append(append(b, " ["...), mark...), ']')
			}
			b = append(b, ": "...)
			room = maxJoinedTexts - len(text)
		} else {
			b = append(b, " · "...)
		}
		b = appendPlain(b, text)
	}
	return append(b, '\n')
}

// appendIndent begins a line.
func appendIndent(b []byte, level int) []byte {
	for range min(level, maxIndent) {
		b = append(b, "  "...)
	}
	return append(b, "- "...)
}

// findPictures finds the images without a text that follow each other on one level.
func findPictures(v *view, levels []int32) joinedLines {
	if v.o.Upstream {
		return nil
	}
	runs := joinedLines{}
	first, last := int32(-1), int32(-1)
	for at := range v.nodes {
		i := int32(at)
		switch {
		case !v.keep[i]:
		case !isBareImage(v, i):
			first = -1
		case first >= 0 && levels[first] == levels[i] && !isFolded(v.folds, last, i):
			last = i
			runs[first] = last
		default:
			first, last = i, i
		}
	}
	return runs
}

// isFolded reports whether a fold is between two nodes.
func isFolded(folds []fold, from, to int32) bool {
	for _, f := range folds {
		if f.from > from && f.from <= to {
			return true
		}
	}
	return false
}

// isBareImage reports whether the line of a node would say that there is an image, and no more.
func isBareImage(v *view, i int32) bool {
	n := &v.nodes[i]
	return (n.Role == "image" || n.Role == "img") && n.Ref == 0 && n.Hints == 0 && v.nameOf(n) == "" && n.Value == "" &&
		n.More == nil &&
		n.Visibility == axtree.Seen && (n.Box == nil || !v.o.Boxes) && (n.URL == "" || !v.o.URLs) && !v.holdsKept(i)
}

// appendPictures writes images as one line; keep says which of the nodes are some.
func appendPictures(b []byte, keep []bool, level int) []byte {
	count := 0
	for _, kept := range keep {
		if kept {
			count++
		}
	}
	return append(append(append(appendIndent(b, level), '('), counted(count, "image")...), " without text)\n"...)
}

// countDescriptions finds the descriptions that several lines have. Those of agent-browser have none.
func countDescriptions(v *view) description.Counts {
	if v.o.Upstream {
		return nil
	}
	return description.Count(v.nodes, v.keep)
}
