package snapshot

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/snapshot/axtree"
)

// Controls that aria-hidden keeps from assistive technology have no line. A digest counts those that a person can use
// in a note, which names the first ones.

// findUnheard notes the nodes that count such controls, one for each document that has some.
func (d *digester) findUnheard() {
	for i := range d.nodes {
		if d.nodes[i].Role == axtree.RoleUnheard {
			d.unheard = append(d.unheard, int32(i))
		}
	}
}

// isUnheard reports whether a node is one of the controls that the note names.
func (v *view) isUnheard(at int32) bool {
	for _, i := range v.unheard {
		if i < at && at < v.nodes[i].End {
			return true
		}
	}
	return false
}

// tellUnheard writes the note. The controls in it have their refs by now.
func (v *view) tellUnheard() {
	count := 0
	var named []string
	for _, at := range v.unheard {
		n, err := strconv.Atoi(v.nodes[at].Name)
		if err != nil {
			continue
		}
		count += n
		for i := at + 1; i < v.nodes[at].End; i++ {
			one := &v.nodes[i]
			word := v.word(one)
			if one.Name != "" {
				word += " " + quoted(one.Name)
			}
			named = append(named, word+string(axtree.AppendRef([]byte{' '}, one.Ref)))
		}
	}
	if count == 0 {
		return
	}
	if rest := count - len(named); rest > 0 {
		named = append(named, counted(rest, "other"))
	}
	v.note("%s hidden from assistive technology: %s", counted(count, "control"), strings.Join(named, ", "))
}
