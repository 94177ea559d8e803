package snapshot

import (
	"strings"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// What a digest does not show because it only repeats a control.

const (
	longestAround = 40 // bytes of the name of a clickable element around others
	fewLeft       = 10 // of such a name, besides the names of those
)

// naming says what the name of an element around others tells.
type naming uint8

const (
	namedByItself naming = iota
	namedByParts         // it is made of the names in it
	namedByNext          // and begins as the next line does
)

// dropWrappers leaves out what only repeats the control in it: an element that listens for the clicks on that, and the
// headings that a link is made of. The line of a link says of which level the heading is that has nothing else.
func (d *digester) dropWrappers() {
	if d.o.Search.Text != "" {
		return
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		switch {
		case !d.keep[i] || i == 0 && len(d.o.Scope) > 0:
		case n.IsRoleless() && n.IsPointed():
			if inner := d.onlyKept(int32(i)); inner >= 0 && isControlRole(&d.nodes[inner]) && !d.nodes[inner].Disabled &&
				repeats(n, &d.nodes[inner]) {
				d.keep[i] = false
			} else if inner < 0 {
				d.nameByParts(int32(i))
			}
		case n.Hints != 0 && !isControlRole(n):
			d.nameByParts(int32(i))
		case joinable[n.Role] != "" && d.onlyRepeats(int32(i)):
			for j := int32(i) + 1; j < n.End; j++ {
				d.keep[j] = false
			}
		case n.IsTitle() && n.Name != "":
			if inner := d.onlyKept(int32(i)); inner >= 0 && d.nodes[inner].Role == "link" && d.nodes[inner].Name == n.Name &&
				isAsSeen(n, &d.nodes[inner]) {
				d.keep[i] = false
				d.remarks[&d.nodes[inner]] = titleWords[n.Level-1]
			}
		}
	}
}

// isAsSeen reports whether the mark of the link in a heading says all that the heading's own one would.
func isAsSeen(heading, link *axtree.Node) bool {
	return link.Visibility == heading.Visibility || link.Visibility == axtree.NameUnseen && heading.Visibility.IsHidden()
}

// repeats reports whether an element says no more than the control in it.
func repeats(n, inner *axtree.Node) bool {
	return n.Name == inner.Name || n.Name == "" || n.Name == inner.Value || n.Name == inner.Placeholder ||
		inner.More != nil && strings.EqualFold(n.Name, inner.More.Inferred)
}

// onlyRepeats reports whether the lines in a control say nothing that its own does not: the headings that a link is
// made of, and what takes the clicks on it.
func (d *digester) onlyRepeats(at int32) bool {
	n, count := &d.nodes[at], 0
	if repeating[n.Role] && n.Hints == 0 {
		return false // it is the control in it that takes clicks, and the line of a row stands for its cells
	}
	for i := at + 1; i < n.End; i++ {
		if !d.keep[i] {
			continue
		}
		inner := &d.nodes[i]
		isHeading := inner.Role == axtree.RoleHeading && (n.Role == "link" || n.Role == "button") &&
			strings.Contains(n.Name, inner.Name)
		isInside := inner.IsRoleless() && inner.IsPointed() && inner.Name == n.Name && n.IsReachable()
		if !isHeading && !isInside {
			return false
		}
		count++
	}
	return count > 0
}

// nameByParts shortens the name of an element that is made of the names in it.
func (d *digester) nameByParts(at int32) {
	n := &d.nodes[at]
	rest, first := n.Name, ""
	for i := at + 1; i < n.End; i++ {
		name := d.nodes[i].Name
		if !d.keep[i] || name == "" {
			continue
		}
		if first == "" {
			first = name
		}
		if cut, found := cutOnce(rest, name); found {
			rest = cut
		}
	}
	switch {
	case first == "" || len(n.Name) <= longestAround || len(strings.TrimSpace(rest)) > fewLeft:
	case strings.HasPrefix(strings.TrimSpace(phrase.WithoutGlyphs(n.Name)), phrase.WithoutGlyphs(first)):
		d.around[n] = namedByNext
	default:
		d.around[n] = namedByParts
	}
}

// cutOnce takes a name out of a text, or its beginning, where the text ends within it.
func cutOnce(text, name string) (rest string, found bool) {
	if before, after, whole := strings.Cut(text, name); whole {
		return before + after, true
	}
	for i := len(name) - 1; i >= fewLeft; i-- {
		if before, ends := strings.CutSuffix(text, name[:i]); ends {
			return before, true
		}
	}
	return text, false
}

// onlyKept returns the only node in another one that has a line, or -1.
func (d *digester) onlyKept(at int32) int32 {
	only := int32(-1)
	for i := at + 1; i < d.nodes[at].End; i++ {
		switch {
		case !d.keep[i]:
		case only >= 0:
			return -1
		default:
			only = i
		}
	}
	return only
}

// dropLabels leaves out what only clicks a control that has a line: its label, and what the page draws in that in place
// of the control.
func (d *digester) dropLabels() {
	if d.o.Search.Text != "" {
		return
	}
	var usable map[axtree.Key]*axtree.Node
	for i := range d.nodes {
		n := &d.nodes[i]
		if !d.keep[i] || n.More == nil || n.More.Clicks == 0 || n.Hints != axtree.Pointer || i == 0 && len(d.o.Scope) > 0 {
			continue
		}
		if usable == nil {
			usable = d.usable()
		}
		control := usable[n.KeyOf(n.More.Clicks)]
		if control != nil && (n.Name == "" || strings.EqualFold(n.Name, control.Name)) {
			d.keep[i] = false
		}
	}
}

// usable are the controls with a line that can be clicked as they are.
func (d *digester) usable() map[axtree.Key]*axtree.Node {
	found := map[axtree.Key]*axtree.Node{}
	for i := range d.nodes {
		n := &d.nodes[i]
		if d.keep[i] && isControlRole(n) && n.IsReachable() {
			found[n.Key()] = n
		}
	}
	return found
}

// closeDates counts the parts that the browser draws in a field for a date or a time. They are shown while they are
// used, and where they say more than the field: one that is filled in part has no value.
func (d *digester) closeDates() {
	if d.o.Search.Text != "" {
		return
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		if !drawnByBrowser[n.Role] || !d.keep[i] || n.Focused || i == 0 && len(d.o.Scope) > 0 {
			continue
		}
		var parts []int32
		telling := false
		for j := int32(i) + 1; j < n.End; j++ {
			part := &d.nodes[j]
			if d.keep[j] {
				parts = append(parts, j)
			}
			telling = telling || part.Focused ||
				n.Value == "" && part.Role == "spinbutton" && part.Value != "" && part.Value != "0"
		}
		if telling || len(parts) == 0 {
			continue
		}
		for _, j := range parts {
			d.keep[j] = false
		}
		d.remarks[n] = counted(len(parts), "part")
	}
}
