package snapshot

import (
	"maps"
	"slices"
	"strconv"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// In a digest, what is open over the page comes first: dialogs, and the menus, lists and popovers that controls have
// opened. A popup is told at its control, too. What a modal dialog keeps from being used is one line.

// findPopups notes the popups that controls have opened, with the node of the control.
func (d *digester) findPopups() {
	var openers map[axtree.Key]int32
	for i := range d.nodes {
		if n := &d.nodes[i]; n.More != nil && n.More.Opens != 0 {
			if openers == nil {
				openers = map[axtree.Key]int32{}
			}
			openers[n.KeyOf(n.More.Opens)] = int32(i)
		}
	}
	if openers == nil {
		return
	}
	d.popups = map[int32]int32{}
	for i := range d.nodes {
		n := &d.nodes[i]
		opener, isOpen := openers[n.Key()]
		if isOpen && n.Token != 0 && n.End > int32(i)+1 {
			d.popups[int32(i)] = opener
			d.keep[i] = true
		}
	}
}

// tellPopups says at a control which popup it has opened, and at that by which control. Both have their refs by now.
func (v *view) tellPopups() {
	for _, popup := range slices.Sorted(maps.Keys(v.popups)) { // a popup may have opened another one
		opener := v.popups[popup]
		v.addRemark(popup, "opened by ", opener)
		v.addRemark(opener, "opens ", popup)
	}
}

func (v *view) isPopup(at int32) bool {
	_, is := v.popups[at]
	return is
}

func (v *view) addRemark(at int32, what string, other int32) {
	n, ref := &v.nodes[at], v.nodes[other].Ref
	if ref == 0 {
		return
	}
	line := what + string(axtree.AppendRef(nil, ref))
	if was := v.remarks[n]; was != "" {
		line = was + ", " + line
	}
	v.remarks[n] = line
}

// foldBehind leaves out what a modal dialog covers, except for what is in front of that: popups, and what announces
// something.
func (d *digester) foldBehind() {
	if d.o.Search.Text != "" {
		return
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		if n.Role != axtree.RoleBehind {
			continue
		}
		count, err := strconv.Atoi(n.Name)
		if err != nil {
			continue
		}
		if n.Value != "" {
			d.note("%s inert: the page has shut this part off", phrase.Are(count, "control"))
		} else if n.Token == 0 {
			d.note("%s behind the modal dialog: inert until it closes", counted(count, "control"))
		} else if d.keepOnly(n.Key()) {
			d.note("%s behind the modal dialog: covered until it closes", counted(count, "control"))
		}
	}
}

// keepOnly leaves out all but a dialog and what is in front of it. It reports false where there is no such dialog.
func (d *digester) keepOnly(dialog axtree.Key) bool {
	isIt := func(n axtree.Node) bool {
		return n.Role != axtree.RoleBehind && n.Token == dialog.Token && n.Doc == dialog.Doc
	}
	if !slices.ContainsFunc(d.nodes, isIt) {
		return false
	}
	for i := int32(0); i < int32(len(d.nodes)); i++ {
		n := &d.nodes[i]
		if isIt(*n) || d.isPopup(i) || announcing[n.Role] && !isDialog(n) {
			i = n.End - 1
			continue
		}
		d.keep[i] = false
		d.told[i] = true
	}
	return true
}
