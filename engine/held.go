package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/cdp"
)

// Held returns the modifier keys that are held down on the page; every key and mouse event carries them.
func (p *Page) Held() Modifiers {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held
}

// KeyDown presses a key, with the modifiers of its chord, and leaves them all down. Pressing what is down already is what a keyboard does
// by itself while a key is held: the event says that it repeats.
func (p *Page) KeyDown(ctx context.Context, s Stroke) error {
	p.mu.Lock()
	held := p.held
	bit, isModifier := modifierBit(s.key.Key)
	again := p.heldKeys[s.id()] || held&bit != 0
	p.held |= bit
	if !s.capital {
		p.held |= s.modifiers
	}
	if !isModifier {
		if p.heldKeys == nil {
			p.heldKeys = map[string]bool{}
		}
		p.heldKeys[s.id()] = true
	}
	p.mu.Unlock()
	s = s.under(held)
	chord := s.modifiers &^ held
	var calls []cdp.Call
	if s.capital {
		held |= Shift
	} else {
		calls, held = pressModifiers(calls, chord, held)
	}
	return p.sendInput(ctx, append(calls, s.downCall(held, again)))
}

// KeyUp releases a key and the modifiers of its chord. It reports whether the key was held; the page is told of the release all the same.
func (p *Page) KeyUp(ctx context.Context, s Stroke) (was bool, err error) {
	p.mu.Lock()
	held := p.held
	bit, isModifier := modifierBit(s.key.Key)
	was = p.heldKeys[s.id()] || isModifier && held&bit != 0
	delete(p.heldKeys, s.id())
	chord := s.modifiers & held
	if s.capital {
		chord = 0
	}
	p.held &^= bit | chord
	p.mu.Unlock()
	s = s.under(held)
	if s.capital {
		held |= Shift
	}
	calls := []cdp.Call{s.upCall(held)}
	calls, _ = releaseModifiers(calls, chord, held&^bit)
	return was, p.sendInput(ctx, calls)
}

// id tells the key of the stroke from others, whatever it types.
func (s Stroke) id() string {
	if s.key.Code != "" {
		return s.key.Code
	}
	return s.key.Key
}
