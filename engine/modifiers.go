package engine

import (
	"strings"

	"github.com/skua-browser/skua/engine/fault"
)

// ParseModifiers reads names of modifier keys as [ParseKey] does: Control, Shift, Alt, Meta, ctrl, cmd. Several may be joined by "+".
func ParseModifiers(names []string) (set Modifiers, err error) {
	for _, word := range names {
		for name := range strings.SplitSeq(word, "+") {
			bit, ok := modifierBit(strings.TrimSpace(name))
			if !ok {
				return 0, fault.New(fault.Usage, "Unknown modifier %q.", name).About(word).WithHint("Use Control, Shift, Alt or Meta.")
			}
			set |= bit
		}
	}
	return set, nil
}
