package snapshot

import (
	"cmp"
	"slices"
)

// block is a range of nodes whose lines stand together, with their indentation counted from a level on.
type block struct {
	from, end int32
	base      int32
}

// text writes the lines, the folds in their places, and the notes. Where not all fits, the main content comes first; dialogs do in a digest, too.
func (v *view) text() string {
	b := make([]byte, 0, 48*len(v.nodes)+64)
	levels := v.levels()
	v.remarkOmitted()
	v.joined = v.findJoined(levels)
	spoke, first, rest := v.order(levels)
	for _, part := range spoke {
		b = v.appendBlock(b, part, levels)
	}
	begin := len(b)
	for _, part := range first {
		b = v.appendBlock(b, part, levels)
	}
	at := len(b)
	for _, part := range rest {
		b = v.appendBlock(b, part, levels)
	}
	if at > begin && len(b) > at {
		border := v.besideFirst(first)
		b = slices.Insert(b, at, []byte(border+"\n")...)
	}
	if len(b) == 0 {
		b = append(append(b, v.nothing()...), '\n')
	}
	for _, note := range v.notes {
		b = append(append(append(b, '('), note...), ")\n"...)
	}
	return string(b[:len(b)-1])
}

// BesideMain is the line between the main content and what is around it.
const BesideMain = "(beside the main content:)"

// besideFirst is the line between what comes first and the rest of the page.
func (v *view) besideFirst(first []block) string {
	switch {
	case v.isCut():
		return BesideMain
	case slices.ContainsFunc(first, func(b block) bool { return isDialog(&v.nodes[b.from]) }):
		return "(beside the dialog:)"
	}
	return "(beside the popup:)"
}

func (v *view) appendBlock(b []byte, part block, levels []int32) []byte {
	folds := v.folds
	at, _ := slices.BinarySearchFunc(folds, part.from, func(f fold, from int32) int { return cmp.Compare(f.from, from) })
	folds = folds[at:]
	hidden := int32(0) // end of the fold that the node is in
	for i := part.from; i < part.end; i++ {
		level := int(max(levels[i]-part.base, 0))
		if len(folds) > 0 && folds[0].from == i {
			b = folds[0].appendLine(b, level, v.o.Interactive)
			hidden, folds = folds[0].end, folds[1:]
		}
		if last, isJoined := v.joined[i]; isJoined {
			b = v.appendJoined(b, i, last, level)
			i = last
			continue
		}
		if v.keep[i] {
			b = v.appendLine(b, &v.nodes[i], level)
		}
		if x := v.omitted[i]; x != nil && i >= hidden {
			if v.keep[i] {
				level++
			}
			b = x.appendLine(b, level)
		}
	}
	return b
}

// order divides the nodes of a text: what announced something since the last one, then dialogs and popups in a digest, and in a text that was cut the main
// content, too, and what is around them. Other texts keep the order of the page.
func (v *view) order(levels []int32) (spoke, first, rest []block) {
	for _, i := range v.spoke {
		spoke = append(spoke, block{from: i, end: v.nodes[i].End, base: levels[i]})
	}
	isCut := v.isCut()
	from := int32(0)
	if isCut || v.o.isDigest() && len(v.o.Scope) == 0 {
		var mains []block
		for i := int32(0); i < int32(len(v.nodes)); {
			n := &v.nodes[i]
			part := block{from: i, end: n.End, base: levels[i]}
			switch {
			case isDialog(n), v.isPopup(i):
				first = appendWithout(first, part, spoke)
			case n.Role == "main" && isCut:
				mains = appendWithout(mains, part, spoke)
			default:
				i++
				continue
			}
			rest = appendWithout(rest, block{from: from, end: i}, spoke)
			i, from = n.End, n.End
		}
		first = append(first, mains...)
	}
	return spoke, first, appendWithout(rest, block{from: from, end: int32(len(v.nodes))}, spoke)
}

// appendWithout appends the parts of a block that are in none of others, which are in the order of the page.
func appendWithout(blocks []block, b block, others []block) []block {
	for _, other := range others {
		if other.from >= b.from && other.end <= b.end {
			blocks = append(blocks, block{from: b.from, end: other.from, base: b.base})
			b.from = other.end
		}
	}
	return append(blocks, b)
}
