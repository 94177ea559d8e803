package snapshot

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// A digest is the text of a snapshot of what can be acted on that leaves nothing out in silence: a row or a card is one
// line with its texts and the controls below it, texts that matter have lines of their own, the options of closed lists
// are counted, and so are the other texts, at the place on the page that they are in.

const (
	maxLabel     = 160 // bytes of the texts of a row or card
	maxActed     = 300 // of those of one that can be acted on itself, whose cells have no lines
	maxAnnounced = 300 // of those of an alert or a status
	maxGroup     = 60  // nodes of one that is shown so
	maxOptions   = 6   // options that are named
	optionBytes  = 60  // of their names
)

// digester chooses the lines of a digest.
type digester struct {
	*view
	told []bool // nodes of which a line says all that there is to say
}

func (d *digester) choose() {
	d.labels, d.remarks, d.omitted = map[*axtree.Node]string{}, map[*axtree.Node]string{}, map[int32]*omission{}
	d.around = map[*axtree.Node]naming{}
	d.keepGauges()
	d.closeLists()
	d.dropWrappers()
	d.dropLabels()
	d.closeDates()
	d.findPopups()
	d.foldBehind()
	d.leaveOutCells()
	d.group()
	d.keepTexts()
	d.foldKnown()
	if d.o.Search.Text == "" && d.o.Role == "" && !d.o.Viewport {
		d.countOmitted()
		d.tellParts()
		d.findUnheard()
	}
}

// keepGauges keeps what says how much of something there is, or is done. Such lines have no ref.
func (d *digester) keepGauges() {
	for i := range d.nodes {
		if n := &d.nodes[i]; (n.Role == "meter" || n.Role == "progressbar") && (n.Name != "" || n.Value != "") {
			d.keep[i] = true
		}
	}
}

// closeLists leaves out the options of lists that are closed.
func (d *digester) closeLists() {
	if d.o.Search.Text != "" || d.o.Role != "" {
		return
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		if n.Role != "combobox" || n.Expanded != axtree.False || i == 0 && len(d.o.Scope) > 0 {
			continue
		}
		var names []string
		bytes := 0
		for j := int32(i) + 1; j < n.End; j++ {
			if d.nodes[j].Role == "option" && d.keep[j] {
				d.keep[j] = false
				names = append(names, d.nodes[j].Name)
				bytes += len(d.nodes[j].Name)
			}
		}
		switch {
		case len(names) == 0:
		case len(names) <= maxOptions && bytes <= optionBytes:
			d.remarks[n] = "options=" + strconv.Quote(strings.Join(names, " | "))
		default:
			d.remarks[n] = counted(len(names), "option")
		}
	}
}

// grouping are the roles of what may get a line with its texts.
var grouping = map[string]bool{"row": true, "listitem": true, "article": true, axtree.RoleCard: true}

// repeating are the roles of elements whose name is the text of what is in them.
var repeating = map[string]bool{
	"cell": true, "rowheader": true, "columnheader": true, "gridcell": true,
	"listitem": true, "article": true,
}

// group gives rows, cards and the like a line with their texts. It takes the innermost ones.
func (d *digester) group() {
	for i := range d.nodes {
		n := &d.nodes[i]
		if d.told[i] {
			continue // it is behind a dialog
		}
		if announcing[n.Role] && !isDialog(n) && d.announce(int32(i)) {
			continue
		}
		if !grouping[n.Role] || n.End-int32(i) > maxGroup || n.Role != "row" && d.holdsGroups(int32(i)) {
			continue
		}
		texts, controls := d.textsOf(int32(i))
		acts := n.Hints != 0 // then its texts say which one it is
		if len(texts) == 0 && (acts || n.Role != "row" || !d.holdsCells(int32(i))) ||
			n.Role != "row" && controls == 0 && !acts {
			continue
		}
		coming := d.comingIn(int32(i))
		for j := int32(i) + 1; j < n.End; j++ {
			inner := &d.nodes[j]
			switch {
			case inner.Role == axtree.RoleStaticText:
				d.told[j] = coming || !inner.Visibility.IsComing()
			case repeating[inner.Role] && !d.isOwnCell(int32(i), j):
				d.keep[j] = false
			}
		}
		d.keep[i] = true
		most := maxLabel
		if acts {
			most = maxActed
		}
		d.labels[n] = wording.ClipBytes(joinTexts(texts), most)
		if coming {
			d.remarks[n] = d.comingOf(int32(i)).Mark()
		}
	}
}

// joinTexts writes the texts of a row or card as one. Those that are pictures only have no place in it.
func joinTexts(texts []string) string {
	said := make([]string, 0, len(texts))
	for _, text := range texts {
		if bare := phrase.WithoutGlyphs(text); bare != "" {
			said = append(said, bare)
		}
	}
	return strings.Join(said, " · ")
}

// announce gives what announces something a line with its texts.
func (d *digester) announce(at int32) bool {
	n := &d.nodes[at]
	if n.End-at > maxGroup {
		return false
	}
	var texts []string
	for i := at + 1; i < n.End; i++ {
		switch inner := &d.nodes[i]; {
		case grouping[inner.Role] || announcing[inner.Role]:
			return false
		case inner.Role == axtree.RoleStaticText && inner.IsSeen() && inner.Name != "":
			texts = append(texts, inner.Name)
		}
	}
	if len(texts) == 0 {
		return false
	}
	for i := at + 1; i < n.End; i++ {
		d.told[i] = d.told[i] || d.nodes[i].Role == axtree.RoleStaticText && !d.nodes[i].Visibility.IsComing()
	}
	d.keep[at] = true
	d.labels[n] = wording.ClipBytes(strings.Join(texts, " · "), maxAnnounced)
	return true
}

// comingIn reports whether no text of a row or card is seen and the page brings some of them in.
func (d *digester) comingIn(at int32) bool { return d.comingOf(at).IsComing() }

// comingOf returns what brings in the texts of a row or card of which none is seen; Seen where that is not so.
func (d *digester) comingOf(at int32) axtree.Visibility {
	coming := axtree.Seen
	for i := at + 1; i < d.nodes[at].End; i++ {
		n := &d.nodes[i]
		switch {
		case n.Role != axtree.RoleStaticText || n.Name == "":
		case n.IsSeen():
			return axtree.Seen
		case n.Visibility.IsComing():
			coming = n.Visibility
		}
	}
	return coming
}

func isDialog(n *axtree.Node) bool { return n.Role == "dialog" || n.Role == "alertdialog" }

// holdsGroups reports whether there are several rows, cards or the like in one.
func (d *digester) holdsGroups(at int32) bool {
	count := 0
	for i := at + 1; i < d.nodes[at].End; i++ {
		if grouping[d.nodes[i].Role] {
			count++
		}
	}
	return count > 1
}

// holdsCells reports whether cells of a row have lines of their own.
func (d *digester) holdsCells(at int32) bool {
	for i := at + 1; i < d.nodes[at].End; i++ {
		if d.keep[i] && d.isOwnCell(at, i) && d.nodes[i].Name != "" {
			return true
		}
	}
	return false
}

// isOwnCell reports whether a cell has a line of its own beside that of its row: one to act on, or of a grid. Where the
// row takes the click, its cells are plain text, unless one has something else to say.
func (d *digester) isOwnCell(row, at int32) bool {
	n := &d.nodes[at]
	switch {
	case n.Hints != 0:
		return true
	case n.Role == "gridcell" && !d.nodes[row].IsPointed():
		return true
	case d.nodes[row].Hints == 0:
		return false
	}
	return n.Selected || n.Focused || n.Readonly || n.Invalid || n.Expanded != axtree.Unset || n.Checked != axtree.Unset ||
		n.Visibility != axtree.Seen ||
		n.SaysToAgents()
}

// leaveOutCells leaves out the cells of a grid of which the lines inside them say all that there is to say.
func (d *digester) leaveOutCells() {
	for i := range d.nodes {
		n := &d.nodes[i]
		isRoot := i == 0 && len(d.o.Scope) > 0
		if n.Role == "gridcell" && n.Hints == 0 && !n.Selected && !n.Focused && !isRoot && d.holdsKept(int32(i)) &&
			d.holdsItsName(int32(i)) {
			d.keep[i] = false
		}
	}
}

// holdsItsName reports whether what is in a cell says all that its name does: the name of a day in a calendar says more
// than its events.
func (d *digester) holdsItsName(at int32) bool {
	rest := d.nodes[at].Name
	for i := at + 1; i < d.nodes[at].End; i++ {
		if name := d.nodes[i].Name; name != "" {
			rest = strings.ReplaceAll(rest, name, "")
		}
	}
	return strings.TrimFunc(rest, isNoLetter) == ""
}

// textsOf returns what a person reads in a row or card besides the names of controls and of cells that have lines, and
// how many controls there are.
func (d *digester) textsOf(at int32) (texts []string, controls int) {
	isRow, drawn, coming := d.nodes[at].Role == "row", int32(0), d.comingIn(at)
	said, saidEnd := "", int32(0) // the name of the cell with a line that the node is in
	for i := at + 1; i < d.nodes[at].End; i++ {
		n := &d.nodes[i]
		isCell := repeating[n.Role] && n.Hints == 0
		isOwn := repeating[n.Role] && d.isOwnCell(at, i)
		if isRow && isOwn && d.keep[i] && n.Name != "" {
			said, saidEnd = n.Name, n.End
		}
		switch {
		case i < saidEnd && n.Role == axtree.RoleStaticText && strings.Contains(said, strings.TrimFunc(n.Name, isNoLetter)):
		case drawnByBrowser[n.Role]:
			drawn = n.End
			if d.keep[i] {
				controls++
			}
		case n.Role == axtree.RoleStaticText:
			if i >= drawn && (n.IsSeen() || coming && n.Visibility.IsComing()) && n.Name != "" && (isRow || !isMark(n.Name)) {
				texts = append(texts, n.Name)
			}
		case isCell && n.Name != "" && n.Visibility == axtree.Seen && !isOwn && d.isOnlyNamed(i):
			texts = append(texts, n.Name)
		case d.keep[i] && !isCell:
			controls++
		}
	}
	return texts, controls
}

// isOnlyNamed reports whether the name of a cell is all that is known about its texts: none of them was looked at, or
// there is none.
func (d *digester) isOnlyNamed(at int32) bool {
	for i := at + 1; i < d.nodes[at].End; i++ {
		if n := &d.nodes[i]; d.keep[i] && !repeating[n.Role] || n.Role == axtree.RoleStaticText && n.Name != "" {
			return false
		}
	}
	return true
}

func (v *view) holdsKept(at int32) bool {
	for i := at + 1; i < v.nodes[at].End; i++ {
		if v.keep[i] {
			return true
		}
	}
	return false
}
