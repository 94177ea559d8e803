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
	first, rest := v.order(levels)
	for _, part := range first {
		b = v.appendBlock(b, part, levels)
	}
	at := len(b)
	for _, part := range rest {
		b = v.appendBlock(b, part, levels)
	}
	if at > 0 && len(b) > at {
		border := besideDialog
		if v.isCut() {
			border = BesideMain
		}
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

// besideDialog is the line between an open dialog and the page that it is in front of.
const besideDialog = "(beside the dialog:)"

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

// order divides the nodes of a text that was cut: dialogs and the main content come first, what is around them after that. In a digest that
// has all, only dialogs come first. Other texts keep the order of the page.
func (v *view) order(levels []int32) (first, rest []block) {
	all := []block{{end: int32(len(v.nodes))}}
	isCut := v.isCut()
	if !isCut && (!v.o.isDigest() || len(v.o.Scope) > 0) {
		return nil, all
	}
	var dialogs, mains []block
	from := int32(0)
	for i := int32(0); i < int32(len(v.nodes)); {
		n := &v.nodes[i]
		part := block{from: i, end: n.End, base: levels[i]}
		switch {
		case n.Role == "dialog" || n.Role == "alertdialog":
			dialogs = append(dialogs, part)
		case n.Role == "main" && isCut:
			mains = append(mains, part)
		default:
			i++
			continue
		}
		rest = append(rest, block{from: from, end: i})
		i, from = n.End, n.End
	}
	first = slices.Concat(dialogs, mains)
	return first, append(rest, block{from: from, end: all[0].end})
}
