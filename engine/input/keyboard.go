package input

import (
	"context"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
)

// HeldModifiers returns the modifier keys that are held down on the page. Every key and mouse event carries them.
func HeldModifiers(p *engine.Page) Modifiers {
	s := states.Of(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.modifiers
}

// PressKeys presses and releases keys one after another, all in one write, and returns when the page has handled them.
func PressKeys(ctx context.Context, p *engine.Page, strokes []Stroke, sent ...Sent) error {
	if done, err := insertInstead(ctx, p, strokes); done || err != nil {
		return err
	}
	held := HeldModifiers(p)
	calls := make([]cdp.Call, 0, 2*len(strokes))
	for _, s := range strokes {
		calls = s.appendCalls(calls, held)
	}
	return send(ctx, p, calls, sent...)
}

// Releases is how many keys PressKeys releases: those of the strokes with their modifiers.
func Releases(p *engine.Page, strokes ...Stroke) (n int) {
	held := HeldModifiers(p)
	for _, s := range strokes {
		for _, call := range s.appendCalls(nil, held) {
			if e, ok := call.Params.(keyEvent); ok && e.Type == "keyUp" {
				n++
			}
		}
	}
	return n
}

// KeyDown presses a key, with the modifiers of its chord, and leaves them all down. A key that is down already repeats,
// as it does on a keyboard: the event says so.
func KeyDown(ctx context.Context, p *engine.Page, stroke Stroke) error {
	s := states.Of(p)
	s.mu.Lock()
	held := s.modifiers
	bit, isModifier := modifierBit(stroke.key.Key)
	again := s.keys[stroke.id()] || held&bit != 0
	s.modifiers |= bit
	if !stroke.capital {
		s.modifiers |= stroke.modifiers
	}
	if !isModifier {
		s.keys[stroke.id()] = true
	}
	s.mu.Unlock()
	stroke = stroke.under(held)
	chord := stroke.modifiers &^ held
	var calls []cdp.Call
	if stroke.capital {
		held |= Shift
	} else {
		calls, held = pressModifiers(calls, chord, held)
	}
	return send(ctx, p, append(calls, stroke.downCall(held, again)))
}

// KeyUp releases a key and the modifiers of its chord. It reports whether the key was held; the page sees the release
// in either case.
func KeyUp(ctx context.Context, p *engine.Page, stroke Stroke) (was bool, err error) {
	s := states.Of(p)
	s.mu.Lock()
	held := s.modifiers
	bit, isModifier := modifierBit(stroke.key.Key)
	was = s.keys[stroke.id()] || isModifier && held&bit != 0
	delete(s.keys, stroke.id())
	chord := stroke.modifiers & held
	if stroke.capital {
		chord = 0
	}
	s.modifiers &^= bit | chord
	s.mu.Unlock()
	stroke = stroke.under(held)
	if stroke.capital {
		held |= Shift
	}
	calls := []cdp.Call{stroke.upCall(held)}
	calls, _ = releaseModifiers(calls, chord, held&^bit)
	return was, send(ctx, p, calls)
}
