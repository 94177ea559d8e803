package input

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Modifiers is the bit set of modifier keys, in the protocol's values.
type Modifiers int

// The modifier keys.
const (
	Alt Modifiers = 1 << iota
	Control
	Meta
	Shift
)

// modifierKeys maps the spellings of modifiers to their bit and DOM key, in the order in which they are pressed.
var modifierKeys = []struct {
	names []string
	bit   Modifiers
	key   string
}{
	{[]string{"control", "ctrl"}, Control, "Control"},
	{[]string{"shift"}, Shift, "Shift"},
	{[]string{"alt", "option"}, Alt, "Alt"},
	{[]string{"meta", "cmd", "command", "super"}, Meta, "Meta"},
}

// ParseModifiers reads names of modifier keys as [ParseKey] does: Control, Shift, Alt, Meta, ctrl, cmd. Several may be
// joined by "+".
func ParseModifiers(names []string) (set Modifiers, err error) {
	for _, word := range names {
		for name := range strings.SplitSeq(word, "+") {
			bit, ok := modifierBit(strings.TrimSpace(name))
			if !ok {
				return 0, fault.New(fault.Usage, "Unknown modifier %q.", name).About(word).
					WithHint("Use Control, Shift, Alt or Meta.")
			}
			set |= bit
		}
	}
	return set, nil
}

func modifierBit(name string) (Modifiers, bool) {
	name = strings.ToLower(name)
	for _, m := range modifierKeys {
		if slices.Contains(m.names, name) {
			return m.bit, true
		}
	}
	return 0, false
}

// pressModifiers appends the presses of a set, and returns which modifiers are held then.
func pressModifiers(calls []cdp.Call, chord, held Modifiers) ([]cdp.Call, Modifiers) {
	for _, m := range modifierKeys {
		if chord&m.bit != 0 {
			held |= m.bit
			calls = append(calls, modifierEvent("rawKeyDown", m.key, held))
		}
	}
	return calls, held
}

// releaseModifiers appends the releases of a set in the opposite order, and returns which modifiers are held then.
func releaseModifiers(calls []cdp.Call, chord, held Modifiers) ([]cdp.Call, Modifiers) {
	for _, m := range slices.Backward(modifierKeys) {
		if chord&m.bit != 0 {
			held &^= m.bit
			calls = append(calls, modifierEvent("keyUp", m.key, held))
		}
	}
	return calls, held
}

func modifierEvent(kind, key string, held Modifiers) cdp.Call {
	k, _ := lookupKey(key)
	return keyEvent{
		Type:           kind,
		Modifiers:      held,
		Code:           k.Code,
		Key:            k.Key,
		WindowsKeyCode: k.Windows,
		Location:       1,
	}.call()
}
