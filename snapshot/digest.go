package snapshot

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
)

// A digest is the text of a snapshot of what can be acted on that leaves nothing out in silence: a row or a card is one line with its texts and
// the controls below it, texts that matter have lines of their own, the options of closed lists are counted, and so are the other texts, at
// the place on the page that they are in.

const (
	maxLabel      = 160 // bytes of the texts of a row or card
	maxAnnounced  = 300 // of those of an alert or a status
	maxGroup      = 60  // nodes of one that is shown so
	nearText      = 80  // bytes of a text that may explain the control beside it
	maxSameURL    = 100 // of an address
	longestAround = 40  // of the name of a clickable element around others
	fewLeft       = 10  // of such a name, besides the names of those
	emptyTexts    = 3   // texts of a place without controls that are shown
	fewOmitted    = 3   // fewer texts are counted with those of the place around
	maxOptions    = 6   // options that are named
	optionBytes   = 60  // of their names
)

// omission is what is left out in a place: texts that are counted, or items of a list for which the page has no elements.
type omission struct {
	count   int
	noun    string // of what is counted; "" for texts
	same    string // the address of a page that has the same
	picture string // of a canvas: what the page says of it, in place of a count
	part    string // "25 of about 237 items", in place of a count
	ref     uint32 // of the place; see Refs.refer
}

// digest chooses the lines of a digest.
func (v *view) digest() {
	v.labels, v.remarks, v.omitted = map[*Node]string{}, map[*Node]string{}, map[int32]*omission{}
	v.around = map[*Node]bool{}
	told := make([]bool, len(v.nodes))
	v.closeLists()
	v.dropWrappers()
	v.findPopups()
	v.foldBehind(told)
	v.group(told)
	v.keepTexts(told)
	v.foldKnown()
	if v.o.Search == "" && v.o.Role == "" && !v.o.Viewport {
		v.countOmitted(told)
		v.tellParts()
	}
}

// tellParts says of canvases that they are pictures, and of lists that have elements for a part of their items which part that is.
func (v *view) tellParts() {
	for i := range v.nodes {
		switch n := &v.nodes[i]; n.Role {
		case rolePart:
			v.omitted[int32(i)] = &omission{part: n.Name}
		case rolePicture:
			v.omitted[int32(i)] = &omission{picture: strings.TrimSuffix(wordCanvas+quoted(n.Name), ` ""`)}
		}
	}
}

// closeLists leaves out the options of lists that are closed.
func (v *view) closeLists() {
	if v.o.Search != "" || v.o.Role != "" {
		return
	}
	for i := range v.nodes {
		n := &v.nodes[i]
		if n.Role != "combobox" || n.Expanded != False || i == 0 && len(v.o.Scope) > 0 {
			continue
		}
		var names []string
		bytes := 0
		for j := int32(i) + 1; j < n.End; j++ {
			if v.nodes[j].Role == "option" && v.keep[j] {
				v.keep[j] = false
				names = append(names, v.nodes[j].Name)
				bytes += len(v.nodes[j].Name)
			}
		}
		switch {
		case len(names) == 0:
		case len(names) <= maxOptions && bytes <= optionBytes:
			v.remarks[n] = "options=" + strconv.Quote(strings.Join(names, " | "))
		default:
			v.remarks[n] = counted(len(names), "option")
		}
	}
}

// dropWrappers leaves out what only repeats the control in it: an element that listens for the clicks on that, and the heading that a link is made of.
func (v *view) dropWrappers() {
	if v.o.Search != "" {
		return
	}
	for i := range v.nodes {
		n := &v.nodes[i]
		switch {
		case !v.keep[i] || i == 0 && len(v.o.Scope) > 0:
		case n.isRoleless() && n.isPointed():
			if inner := v.onlyKept(int32(i)); inner >= 0 && v.nodes[inner].isControlRole() && !v.nodes[inner].Disabled && repeats(n, &v.nodes[inner]) {
				v.keep[i] = false
			} else if inner < 0 && len(n.Name) > longestAround && v.isMadeOf(int32(i)) {
				v.around[n] = true
			}
		case n.Role == "link" || n.Role == "button":
			if inner := v.onlyKept(int32(i)); inner >= 0 && v.nodes[inner].Role == roleHeading && strings.Contains(n.Name, v.nodes[inner].Name) {
				v.keep[inner] = false
			}
		}
	}
}

// repeats reports whether an element says no more than the control in it.
func repeats(n, inner *Node) bool {
	return n.Name == inner.Name || n.Name == "" || n.Name == inner.Value || n.Name == inner.Placeholder
}

// isMadeOf reports whether the name of a node is made of the names in it.
func (v *view) isMadeOf(at int32) bool {
	rest := v.nodes[at].Name
	for i := at + 1; i < v.nodes[at].End; i++ {
		if v.keep[i] && v.nodes[i].Name != "" {
			rest = strings.Replace(rest, v.nodes[i].Name, "", 1)
		}
	}
	return len(strings.TrimSpace(rest)) <= fewLeft
}

// onlyKept returns the only node in another one that has a line, or -1.
func (v *view) onlyKept(at int32) int32 {
	only := int32(-1)
	for i := at + 1; i < v.nodes[at].End; i++ {
		switch {
		case !v.keep[i]:
		case only >= 0:
			return -1
		default:
			only = i
		}
	}
	return only
}

// grouping are the roles of what may get a line with its texts.
var grouping = map[string]bool{"row": true, "listitem": true, "article": true, roleCard: true}

// repeating are the roles of elements whose name is the text of what is in them.
var repeating = map[string]bool{"cell": true, "rowheader": true, "columnheader": true, "gridcell": true, "listitem": true, "article": true}

// group gives rows, cards and the like a line with their texts. It takes the innermost ones.
func (v *view) group(told []bool) {
	for i := range v.nodes {
		n := &v.nodes[i]
		if told[i] {
			continue // it is behind a dialog
		}
		if announcing[n.Role] && !isDialog(n) && v.announce(int32(i), told) {
			continue
		}
		if !grouping[n.Role] || n.Hints != 0 || n.End-int32(i) > maxGroup || n.Role != "row" && v.holdsGroups(int32(i)) {
			continue
		}
		texts, controls := v.textsOf(int32(i))
		if len(texts) == 0 || n.Role != "row" && controls == 0 {
			continue
		}
		for j := int32(i) + 1; j < n.End; j++ {
			inner := &v.nodes[j]
			switch {
			case inner.Role == roleStaticText:
				told[j] = true
			case inner.Hints == 0 && repeating[inner.Role] && (inner.Role != "gridcell" || v.holdsKept(j)):
				v.keep[j] = false
			}
		}
		v.keep[i] = true
		v.labels[n] = wording.ClipBytes(strings.Join(texts, " · "), maxLabel)
	}
}

// announce gives what announces something a line with its texts.
func (v *view) announce(at int32, told []bool) bool {
	n := &v.nodes[at]
	if n.End-at > maxGroup {
		return false
	}
	var texts []string
	for i := at + 1; i < n.End; i++ {
		switch inner := &v.nodes[i]; {
		case grouping[inner.Role] || announcing[inner.Role]:
			return false
		case inner.Role == roleStaticText && inner.isSeen() && inner.Name != "":
			texts = append(texts, inner.Name)
		}
	}
	if len(texts) == 0 {
		return false
	}
	for i := at + 1; i < n.End; i++ {
		told[i] = told[i] || v.nodes[i].Role == roleStaticText
	}
	v.keep[at] = true
	v.labels[n] = wording.ClipBytes(strings.Join(texts, " · "), maxAnnounced)
	return true
}

func isDialog(n *Node) bool { return n.Role == "dialog" || n.Role == "alertdialog" }

// holdsGroups reports whether there are several rows, cards or the like in one.
func (v *view) holdsGroups(at int32) bool {
	count := 0
	for i := at + 1; i < v.nodes[at].End; i++ {
		if grouping[v.nodes[i].Role] {
			count++
		}
	}
	return count > 1
}

// textsOf returns what a person reads in a row or card besides the names of controls, and how many controls there are.
func (v *view) textsOf(at int32) (texts []string, controls int) {
	for i := at + 1; i < v.nodes[at].End; i++ {
		n := &v.nodes[i]
		isCell := repeating[n.Role] && n.Hints == 0
		switch {
		case n.Role == roleStaticText:
			if n.isSeen() && n.Name != "" {
				texts = append(texts, n.Name)
			}
		case isCell && n.Name != "" && n.Visibility == Seen && n.Role != "gridcell" && v.isOnlyNamed(i):
			texts = append(texts, n.Name)
		case v.keep[i] && !isCell:
			controls++
		}
	}
	return texts, controls
}

// isOnlyNamed reports whether the name of a cell is all that is known of its texts: none of them was looked at, or there is none.
func (v *view) isOnlyNamed(at int32) bool {
	for i := at + 1; i < v.nodes[at].End; i++ {
		if n := &v.nodes[i]; v.keep[i] && !repeating[n.Role] || n.Role == roleStaticText && n.Name != "" {
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

// isSeen reports whether a person who looks at the page may see the node's text.
func (n *Node) isSeen() bool { return n.Visibility == Seen || n.Visibility == PartSeen }

// announcing are the roles of places that announce results; all of their texts are shown.
var announcing = map[string]bool{roleLive: true, "alert": true, "alertdialog": true, "dialog": true, "status": true, "log": true, "timer": true, "tooltip": true}

// drawnByBrowser are the roles of fields that the browser draws, whose parts have their texts as values.
var drawnByBrowser = map[string]bool{"Date": true, "DateTime": true, "InputTime": true}

// emptiable are the roles of places that show a text in place of what is usually in them.
var emptiable = map[string]bool{"main": true, "region": true, "tabpanel": true, "table": true, "grid": true, "list": true, "feed": true, "search": true}

// amount is a text that tells a price, a share, a sum, or which part of a list is shown: "1-25 of 237".
var amount = regexp.MustCompile(`[$€£¥]\s?\d|\d\s?(?:[€£¥%]|USD|EUR|GBP)|(?i:\btotal\b|\d\s+of\s+(?:about\s+)?\d)`)

// keepTexts keeps the texts that matter.
func (v *view) keepTexts(told []bool) {
	announced := int32(0) // end of the announcing place that the node is in
	form, drawn := int32(0), int32(0)
	for i := range v.nodes {
		n, at := &v.nodes[i], int32(i)
		switch {
		case announcing[n.Role]:
			announced = max(announced, n.End)
		case n.Role == "form" || n.Role == "radiogroup":
			form = max(form, n.End)
		case drawnByBrowser[n.Role]:
			drawn = max(drawn, n.End)
		}
		switch {
		case n.Role == roleStaticText && !told[i]:
			told[i] = at < drawn || !n.isSeen() || n.Name != "" && v.isRepeated(at)
			v.keep[i] = !told[i] && n.Name != "" && (at < announced || !n.Long && (at < form && len(n.Name) <= nearText || v.isNear(at) || amount.MatchString(n.Name)))
		case n.Role == roleAudio || n.Role == roleVideo:
			v.keep[i] = v.holdsKept(at)
		case emptiable[n.Role] && !told[i] && !v.holdsKept(at):
			v.keepFirst(at, told)
		}
	}
}

// keepFirst shows the first texts of a place in which nothing can be acted on.
func (v *view) keepFirst(at int32, told []bool) {
	shown := 0
	for i := at + 1; i < v.nodes[at].End && shown < emptyTexts; i++ {
		if n := &v.nodes[i]; n.Role == roleStaticText && !told[i] && !n.Long && n.isSeen() {
			v.keep[i], told[i] = true, true
			shown++
		}
	}
}

// isRepeated reports whether a line beside a text says the same.
func (v *view) isRepeated(at int32) bool {
	text := v.nodes[at].Name
	for i := max(at-2, 0); i < min(at+3, int32(len(v.nodes))); i++ {
		n := &v.nodes[i]
		if i == at || n.Role == roleStaticText || !v.keep[i] {
			continue
		}
		if n.Name == text || n.Value == text || n.Placeholder == text || n.More != nil && strings.Contains(n.More.Description, text) {
			return true
		}
	}
	return false
}

// isNear reports whether a short text is directly beside a control, which it may explain.
func (v *view) isNear(at int32) bool {
	if len(v.nodes[at].Name) > nearText {
		return false
	}
	for _, i := range [...]int32{at - 1, at + 1} {
		if i >= 0 && i < int32(len(v.nodes)) && v.keep[i] && v.nodes[i].isControl() {
			return true
		}
	}
	return false
}

// isControl reports whether a person acts on the node, other than by following a link.
func (n *Node) isControl() bool { return n.Hints != 0 || n.isControlRole() }

func (n *Node) isControlRole() bool {
	worth, known := values[n.Role]
	return known && worth >= controlValue && !announcing[n.Role] && n.Role != roleUnreadable
}

// countsTexts are the roles of places at which the texts in them are counted.
var countsTexts = map[string]bool{
	"main": true, "navigation": true, "banner": true, "contentinfo": true, "complementary": true, "region": true, "form": true, "search": true,
	"dialog": true, "alertdialog": true, "article": true, "table": true, "grid": true, "tabpanel": true, "feed": true,
}

// countOmitted counts the texts without a line at the place that they are in; -1 is the page.
func (v *view) countOmitted(told []bool) {
	places := []int32{-1} // that the node is in
	counts := map[int32]int{}
	around := map[int32]int32{}
	same := int32(0) // end of the part that the node is in which a page before had, too
	for i := range v.nodes {
		n, at := &v.nodes[i], int32(i)
		for len(places) > 1 && v.nodes[places[len(places)-1]].End <= at {
			places = places[:len(places)-1]
		}
		place := places[len(places)-1]
		if v.omitted[at] != nil {
			same = n.End
		}
		if n.Role == roleStaticText && !v.keep[i] && !told[i] && at >= same {
			counts[place]++
		}
		if countsTexts[n.Role] && n.Token != 0 && n.End > at+1 && v.omitted[at] == nil {
			around[at] = place
			places = append(places, at)
		}
	}
	for i := int32(len(v.nodes)) - 1; i >= 0; i-- {
		count, outer := counts[i], around[i]
		switch {
		case count == 0:
		case count < fewOmitted && outer >= 0:
			counts[outer] += count
		default:
			v.omitted[i] = &omission{count: count}
		}
	}
	if count := counts[-1]; count > 0 {
		v.note("%s omitted: snapshot", counted(count, "text"))
	}
}

// remarkOmitted counts the texts of a place in the line of that, if it has one with its ref.
func (v *view) remarkOmitted() {
	for i, x := range v.omitted {
		if n := &v.nodes[i]; v.keep[i] && n.Ref != 0 && x.part == "" && v.remarks[n] == "" {
			v.remarks[n] = x.said()
			delete(v.omitted, i)
		}
	}
}

// said says what is left out.
func (x *omission) said() string {
	switch {
	case x.picture != "":
		return x.picture + ", a picture"
	case x.part != "":
		return x.part + " are on the page"
	case x.same != "":
		return "same " + counted(x.count, x.noun) + " as on " + wording.ClipBytes(x.same, maxSameURL)
	}
	return counted(x.count, "text") + " omitted"
}

// appendLine says what is left out in a place, and how to see it.
func (x *omission) appendLine(b []byte, level int) []byte {
	b = append(append(appendIndent(b, level), '('), x.said()...)
	how := ": snapshot -s @"
	switch {
	case x.picture != "":
		how = ": screenshot @"
	case x.part != "":
		how = ": snapshot --all -s @"
	case x.same != "":
		how = ": snapshot -i -s @"
	}
	if x.ref != 0 {
		b = appendRefID(append(b, how...), x.ref)
	}
	return append(b, ")\n"...)
}

// refer gives the places at which texts are counted a ref, and popups, if they have none.
func (r *Refs) refer(tab string, tree *Tree, v *view) {
	if len(v.omitted) == 0 && len(v.popups) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range tree.Nodes {
		n, x := &tree.Nodes[i], v.omitted[int32(i)]
		if x == nil && !v.isPopup(int32(i)) {
			continue
		}
		if n.Ref == 0 {
			doc := &tree.Docs[n.Doc]
			d := r.docs[docKey{tab: tab, frame: doc.FrameID, doc: doc.DocID}]
			n.Ref = r.assign(d, n, Page)
			d.entry(n.Ref).shownBy |= foldHead
		}
		if x != nil {
			x.ref = n.Ref
		}
	}
}
