package input

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/chromedp/chromedp/kb"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Stroke is one key pressed and released, with modifiers held around it.
type Stroke struct {
	key       kb.Key
	modifiers Modifiers
	half      string // "down" or "up" for half a stroke, else both
	capital   bool   // Shift is held for the character alone, and was not asked for
}

// keyAliases are names that people use beside the DOM's, in lower case.
var keyAliases = map[string]string{
	"esc": "Escape", "return": "Enter", "del": "Delete", "ins": "Insert", "space": " ", "spacebar": " ",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"pgup": "PageUp", "pgdn": "PageDown", "plus": "+", "cmd": "Meta", "ctrl": "Control", "option": "Alt",
}

// keyNames indexes the key table by lower-case DOM key name.
var keyNames = sync.OnceValue(func() map[string]*kb.Key {
	names := make(map[string]*kb.Key, len(kb.Keys))
	for _, k := range kb.Keys {
		if utf8.RuneCountInString(k.Key) > 1 {
			names[strings.ToLower(k.Key)] = k
		}
	}
	return names
})

// ParseKey reads a key or a chord: "a", "A", "Enter", "Control+Shift+K", "+", "Control++". Unknown names are Usage
// errors.
func ParseKey(spec string) (Stroke, error) {
	var s Stroke
	rest := spec
	for {
		name, after, found := strings.Cut(rest, "+")
		if !found || name == "" || after == "" {
			break
		}
		bit, ok := modifierBit(name)
		if !ok {
			return s, unknownKey(spec, name)
		}
		s.modifiers |= bit
		rest = after
	}
	if s.modifiers&(Control|Alt|Meta) != 0 && s.modifiers&Shift == 0 && len(rest) == 1 {
		rest = strings.ToLower(rest) // people write Control+A for the key that has an A on it
	}
	key, ok := lookupKey(rest)
	if !ok {
		return s, unknownKey(spec, rest)
	}
	s.key = key
	if s.modifiers&Shift != 0 && utf8.RuneCountInString(key.Key) == 1 {
		s.key = shifted(key)
	}
	if s.key.Shift {
		s.capital = s.modifiers == 0
		s.modifiers |= Shift
	}
	return s, nil
}

func unknownKey(spec, name string) error {
	return fault.New(fault.Usage, "Unknown key %q in %q.", name, spec).About(spec).
		WithHint(
			"Use a character, or a name such as Enter, Tab, Escape, Backspace, ArrowDown, F5, with Control+, Shift+, Alt+ or " +
				"Meta+ before it.")
}

func lookupKey(name string) (kb.Key, bool) {
	if alias, ok := keyAliases[strings.ToLower(name)]; ok {
		name = alias
	}
	if r, size := utf8.DecodeRuneInString(name); size == len(name) && name != "" {
		if k, ok := kb.Keys[r]; ok {
			return *k, true
		}
		return kb.Key{Key: name, Text: name, Unmodified: name, Print: true}, true
	}
	if k, ok := keyNames()[strings.ToLower(name)]; ok {
		return *k, true
	}
	return kb.Key{}, false
}

// shifted returns what the key types with Shift held, on the US layout that the key table has.
func shifted(k kb.Key) kb.Key {
	for _, c := range kb.Keys {
		if c.Code == k.Code && c.Shift {
			return *c
		}
	}
	return k
}

// CharStroke returns the stroke that types one character, newline as Enter. A character that is on no key of the US
// layout is sent as text alone.
func CharStroke(r rune) Stroke {
	if r == '\n' {
		r = '\r'
	}
	if k, ok := kb.Keys[r]; ok {
		s := Stroke{key: *k}
		if k.Shift {
			s.modifiers, s.capital = Shift, true
		}
		return s
	}
	text := string(r)
	return Stroke{key: kb.Key{Key: text, Text: text, Unmodified: text, Print: true}}
}

// Half returns only the press ("down") or only the release ("up") of the stroke.
func (s Stroke) Half(which string) Stroke { s.half = which; return s }

// keyEvent is Input.dispatchKeyEvent of the protocol.
type keyEvent struct {
	Type           string    `json:"type"`
	Modifiers      Modifiers `json:"modifiers,omitzero"`
	Text           string    `json:"text,omitzero"`
	UnmodifiedText string    `json:"unmodifiedText,omitzero"`
	Code           string    `json:"code,omitzero"`
	Key            string    `json:"key,omitzero"`
	WindowsKeyCode int64     `json:"windowsVirtualKeyCode,omitzero"`
	Location       int       `json:"location,omitzero"`
	AutoRepeat     bool      `json:"autoRepeat,omitzero"`
	Commands       []string  `json:"commands,omitzero"`
}

func (e keyEvent) call() cdp.Call { return cdp.Call{Method: keyMessage, Params: e} }

// id names the key of the stroke, whatever it types.
func (s Stroke) id() string {
	if s.key.Code != "" {
		return s.key.Code
	}
	return s.key.Key
}

// appendCalls appends the events of the stroke. Base is the modifiers that are held already; the chord does not press
// them again.
func (s Stroke) appendCalls(calls []cdp.Call, base Modifiers) []cdp.Call {
	s = s.under(base)
	held := base
	chord := s.modifiers &^ base
	if s.capital && s.half == "" {
		chord = 0 // the page sees one key with Shift set, as from a keyboard with Caps Lock
		held |= Shift
	}
	if s.half != "up" {
		calls, held = pressModifiers(calls, chord, held)
	} else {
		held |= s.modifiers
	}
	if s.half != "up" {
		calls = append(calls, s.downCall(held, false))
	}
	if s.half == "down" {
		return calls
	}
	calls = append(calls, s.upCall(held))
	calls, _ = releaseModifiers(calls, chord, held)
	return calls
}

// under returns the stroke as it is while modifiers are held: with Shift, the key types its shifted character.
func (s Stroke) under(held Modifiers) Stroke {
	if held&Shift != 0 && s.modifiers&Shift == 0 && utf8.RuneCountInString(s.key.Key) == 1 {
		s.key = shifted(s.key)
	}
	return s
}

// With returns the DOM's name of the stroke's key, and all modifiers that are down with it, if some are held.
func (s Stroke) With(held Modifiers) (key string, down Modifiers) {
	s = s.under(held)
	return s.key.Key, s.modifiers | held
}

func (s Stroke) downCall(held Modifiers, again bool) cdp.Call {
	e := keyEvent{
		Type:           "rawKeyDown",
		Modifiers:      held,
		Code:           s.key.Code,
		Key:            s.key.Key,
		WindowsKeyCode: s.key.Windows,
		AutoRepeat:     again,
	}
	if bit, ok := modifierBit(s.key.Key); ok {
		// a modifier counts as held from its own press on, and no longer from its own release on
		e.Modifiers |= bit
		e.Location = 1
	}
	if s.key.Print && held&(Control|Alt|Meta) == 0 {
		e.Type, e.Text, e.UnmodifiedText = "keyDown", s.key.Text, s.key.Unmodified
	}
	e.Commands = editingCommands(s.key.Key, held)
	return e.call()
}

func (s Stroke) upCall(held Modifiers) cdp.Call {
	e := keyEvent{
		Type:           "keyUp",
		Modifiers:      held,
		Code:           s.key.Code,
		Key:            s.key.Key,
		WindowsKeyCode: s.key.Windows,
	}
	if bit, ok := modifierBit(s.key.Key); ok {
		e.Modifiers &^= bit
		e.Location = 1
	}
	return e.call()
}

// DeleteStroke is the Delete key, which removes the selection.
func DeleteStroke() Stroke { return Stroke{key: *kb.Keys[[]rune(kb.Delete)[0]]} }

// EscapeStroke is the Escape key.
func EscapeStroke() Stroke { return Stroke{key: *kb.Keys[[]rune(kb.Escape)[0]]} }

// SelectAllStroke is the chord that selects everything in the focused element.
func SelectAllStroke() Stroke { return platformChord('a') }

// CopyStroke is the chord that copies the selection.
func CopyStroke() Stroke { return platformChord('c') }

// PasteStroke is the chord that pastes the clipboard.
func PasteStroke() Stroke { return platformChord('v') }

// EndStroke is the chord that moves the caret to the end of the whole text.
func EndStroke() Stroke {
	if onMac {
		return Stroke{key: *keyNames()["arrowdown"], modifiers: Meta}
	}
	return Stroke{key: *keyNames()["end"], modifiers: Control}
}

func platformChord(letter rune) Stroke {
	s := Stroke{key: *kb.Keys[letter], modifiers: Control}
	if onMac {
		s.modifiers = Meta
	}
	return s
}
