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

// writer writes the lines of a view.
type writer struct {
	*view
	levels []int32     // of the nodes
	joined joinedLines // of a digest: lines that are written as one
}

// text writes the lines, the folds in their places, and the notes. Where not all fits, the main content comes first;
// dialogs do in a digest, too.
func (v *view) text() string {
	w := writer{view: v, levels: v.levels()}
	v.remarkOmitted()
	v.described = countDescriptions(v)
	w.joined = v.findJoined(w.levels)
	return w.write()
}

func (w *writer) write() string {
	b := make([]byte, 0, 48*len(w.nodes)+64)
	spoke, first, rest := w.order()
	for _, part := range spoke {
		b = w.appendBlock(b, part)
	}
	begin := len(b)
	for _, part := range first {
		b = w.appendBlock(b, part)
	}
	at := len(b)
	for _, part := range rest {
		b = w.appendBlock(b, part)
	}
	if at > begin && len(b) > at {
		border := w.besideFirst(first)
		b = slices.Insert(b, at, []byte(border+"\n")...)
	}
	if len(b) == 0 {
		b = append(append(b, w.nothing()...), '\n')
	}
	for _, note := range w.notes {
		b = append(append(append(b, '('), note...), ")\n"...)
	}
	return string(b[:len(b)-1])
}

// BesideMain is the line between the main content and what is around it.
const BesideMain = "(beside the main content:)"

// besideFirst is the line between what comes first and the rest of the page.
func (w *writer) besideFirst(first []block) string {
	switch {
	case w.isCut():
		return BesideMain
	case slices.ContainsFunc(first, func(b block) bool { return isDialog(&w.nodes[b.from]) }):
		return "(beside the dialog:)"
	}
	return "(beside the popup:)"
}

func (w *writer) appendBlock(b []byte, part block) []byte {
	folds := w.folds
	at, _ := slices.BinarySearchFunc(folds, part.from, func(f fold, from int32) int { return cmp.Compare(f.from, from) })
	folds = folds[at:]
	hidden := int32(0) // end of the fold that the node is in
	for i := part.from; i < part.end; i++ {
		level := int(max(w.levels[i]-part.base, 0))
		if len(folds) > 0 && folds[0].from == i {
			b = folds[0].appendLine(b, level, w.o.Interactive)
			hidden, folds = folds[0].end, folds[1:]
		}
		if last, isJoined := w.joined[i]; isJoined {
			b = w.appendJoined(b, i, last, level)
			i = last
			continue
		}
		if w.keep[i] {
			b = w.appendLine(b, &w.nodes[i], level)
		}
		if x := w.omitted[i]; x != nil && i >= hidden {
			if w.keep[i] {
				level++
			}
			b = x.appendLine(b, level)
		}
	}
	return b
}

// order divides the nodes of a text: what announced something since the last one, then dialogs and popups in a digest,
// and in a text that was cut the main content, too, and what is around them. Other texts keep the order of the page.
func (w *writer) order() (spoke, first, rest []block) {
	for _, i := range w.spoke {
		spoke = append(spoke, block{from: i, end: w.nodes[i].End, base: w.levels[i]})
	}
	isCut := w.isCut()
	from := int32(0)
	if isCut || w.o.isDigest() && len(w.o.Scope) == 0 {
		var mains []block
		for i := int32(0); i < int32(len(w.nodes)); {
			n := &w.nodes[i]
			part := block{from: i, end: n.End, base: w.levels[i]}
			switch {
			case isDialog(n), w.isPopup(i):
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
	return spoke, first, appendWithout(rest, block{from: from, end: int32(len(w.nodes))}, spoke)
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
