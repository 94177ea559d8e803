package snapshot

import (
	"strings"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// What a digest leaves out is counted at the place on the page that it is in.

const (
	fewOmitted = 3   // fewer texts are counted with those of the place around
	fewBytes   = 80  // so many bytes of texts are shown: to count them takes about as many
	maxSameURL = 100 // bytes of an address
)

// omission is what is left out in a place: texts that are counted, or items of a list for which the page has no
// elements.
type omission struct {
	count   int
	noun    string // of what is counted; "" for texts
	same    string // the address of a page that has the same
	picture string // of a canvas: what the page says of it, in place of a count
	part    string // "25 of about 237 items", in place of a count
	ref     uint32 // of the place; see Refs.refer
}

// tellParts says of canvases that they are pictures, and of lists that have elements for a part of their items which
// part that is.
func (d *digester) tellParts() {
	for i := range d.nodes {
		switch n := &d.nodes[i]; n.Role {
		case axtree.RolePart:
			d.omitted[int32(i)] = &omission{part: n.Name}
		case axtree.RolePicture:
			d.omitted[int32(i)] = &omission{picture: strings.TrimSuffix(wordCanvas+quoted(n.Name), ` ""`)}
		}
	}
}

// countsTexts are the roles of places at which the texts in them are counted.
var countsTexts = map[string]bool{
	"main": true, "navigation": true, "banner": true, "contentinfo": true, "complementary": true, "region": true,
	"form": true, "search": true,
	"dialog": true, "alertdialog": true, "article": true, "table": true, "grid": true, "tabpanel": true, "feed": true,
}

// countOmitted counts the texts without a line at the place that they are in; -1 is the page.
func (d *digester) countOmitted() {
	places := []int32{-1} // that the node is in
	counts, texts := map[int32]int{}, map[int32][]int32{}
	around := map[int32]int32{}
	same := int32(0) // end of the part that the node is in which a page before had, too
	for i := range d.nodes {
		n, at := &d.nodes[i], int32(i)
		for len(places) > 1 && d.nodes[places[len(places)-1]].End <= at {
			places = places[:len(places)-1]
		}
		place := places[len(places)-1]
		if d.omitted[at] != nil {
			same = n.End
		}
		if n.Role == axtree.RoleStaticText && !d.keep[i] && !d.told[i] && at >= same {
			counts[place]++
			texts[place] = append(texts[place], at)
		}
		if countsTexts[n.Role] && n.Token != 0 && n.End > at+1 && d.omitted[at] == nil {
			around[at] = place
			places = append(places, at)
		}
	}
	for place, omitted := range texts {
		if d.isBrief(omitted) {
			for _, i := range omitted {
				d.keep[i] = true
			}
			delete(counts, place)
		}
	}
	for i := int32(len(d.nodes)) - 1; i >= 0; i-- {
		count, outer := counts[i], around[i]
		switch {
		case count == 0:
		case count < fewOmitted && outer >= 0:
			counts[outer] += count
		default:
			d.omitted[i] = &omission{count: count}
		}
	}
	if count := counts[-1]; count > 0 {
		d.note("%s omitted: snapshot", counted(count, "text"))
	}
}

// isBrief reports whether texts are so short that counting them saves nothing.
func (d *digester) isBrief(texts []int32) bool {
	bytes := 0
	for _, i := range texts {
		n := &d.nodes[i]
		if bytes += len(n.Name) + len(" · "); n.Long || n.Name == "" {
			return false
		}
	}
	return bytes <= fewBytes
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
		b = axtree.AppendRefID(append(b, how...), x.ref)
	}
	return append(b, ")\n"...)
}

// refer gives the places at which texts are counted a ref, and popups and controls that are told in a note, if they
// have none.
func (r *Refs) refer(tab string, tree *axtree.Tree, v *view) {
	if len(v.omitted) == 0 && len(v.popups) == 0 && len(v.unheard) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range tree.Nodes {
		n, x := &tree.Nodes[i], v.omitted[int32(i)]
		if x == nil && !v.isPopup(int32(i)) && !v.isUnheard(int32(i)) {
			continue
		}
		if n.Ref == 0 {
			doc := &tree.Docs[n.Doc]
			d := r.docs[docKey{tab: tab, frame: doc.FrameID, doc: doc.DocID}]
			n.Ref = r.assign(d, n, axtree.Page)
			d.entry(n.Ref).shownBy |= foldHead
		}
		if x != nil {
			x.ref = n.Ref
		}
	}
}
