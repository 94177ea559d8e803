package engine

import (
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/pause"
)

// mouse is where the pointer of a page was sent last, and which buttons it holds, in the order in which they were pressed.
type mouse struct {
	at      Point
	held    []string
	presses int // so far
}

// buttons is the bit set of held buttons, as events carry it.
func (m mouse) buttons() (bits int) {
	for _, b := range m.held {
		bits |= buttonBits[b]
	}
	return bits
}

// button is the button that a move is made with, as the protocol wants it.
func (m mouse) button() string {
	if len(m.held) == 0 {
		return ""
	}
	return m.held[0]
}

// noteMouse remembers what mouse events do to the pointer.
func (p *Page) noteMouse(calls []cdp.Call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range calls {
		e, ok := call.Params.(mouseEvent)
		if !ok {
			continue
		}
		p.mouse.at = Point{X: e.X, Y: e.Y}
		if e.Type == "mousePressed" {
			p.mouse.presses++
		}
		switch held := p.mouse.held; {
		case e.Type == "mousePressed" && !slices.Contains(held, e.Button):
			p.mouse.held = append(held, e.Button)
		case e.Type == "mouseReleased":
			p.mouse.held = slices.DeleteFunc(held, func(b string) bool { return b == e.Button })
		}
	}
}

// Mouse returns where the pointer is in the main frame's viewport, and which buttons it holds.
func (p *Page) Mouse() (at Point, held []string) {
	m := p.pointer()
	return m.at, m.held
}

func (p *Page) pointer() mouse {
	p.mu.Lock()
	defer p.mu.Unlock()
	return mouse{at: p.mouse.at, held: slices.Clone(p.mouse.held)}
}

// Presses returns how often a button was pressed so far.
func (p *Page) Presses() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mouse.presses
}

// moveTo is the event of a move with what is held.
func (m mouse) moveTo(to Point, keys Modifiers) mouseEvent {
	return mouseEvent{Type: "mouseMoved", X: to.X, Y: to.Y, Button: m.button(), Buttons: m.buttons(), Modifiers: keys}
}

// MoveMouse moves the pointer through the points, with the buttons held that are held, and returns when the page has handled the last
// move. The page sees each of them: a browser joins the moves that come within one frame, so that each is waited for. Over, when it is
// not 0, is how long the whole way takes.
func (p *Page) MoveMouse(ctx context.Context, way []Point, over time.Duration) error {
	m, start := p.pointer(), time.Now()
	for i, to := range way {
		if err := p.sendInput(ctx, []cdp.Call{m.moveTo(to, p.Held()).call()}); err != nil {
			return err
		}
		if err := Pause(ctx, time.Until(start.Add(over*time.Duration(i+1)/time.Duration(len(way))))); err != nil {
			return err
		}
	}
	return nil
}

// Pause waits for a time that the caller asked for.
func Pause(ctx context.Context, d time.Duration) error {
	if pause.For(ctx, d) != nil {
		return WaitEnded(ctx, "moving the pointer")
	}
	return nil
}

// Way returns n points on the straight line between two, the last of which is the end.
func Way(from, to Point, n int) []Point {
	way := make([]Point, n)
	for i := range way {
		part := float64(i+1) / float64(n)
		way[i] = Point{X: from.X + (to.X-from.X)*part, Y: from.Y + (to.Y-from.Y)*part}
	}
	return way
}

// PressMouse presses a button where the pointer is and leaves it held.
func (p *Page) PressMouse(ctx context.Context, button string) error {
	m := p.pointer()
	e := mouseEvent{Type: "mousePressed", X: m.at.X, Y: m.at.Y, Button: button, ClickCount: 1, Modifiers: p.Held()}
	e.Buttons = m.buttons() | buttonBits[button]
	return p.sendInput(ctx, []cdp.Call{e.call()})
}

// ReleaseMouse lets a button go where the pointer is.
func (p *Page) ReleaseMouse(ctx context.Context, button string) error {
	m := p.pointer()
	e := mouseEvent{Type: "mouseReleased", X: m.at.X, Y: m.at.Y, Button: button, ClickCount: 1, Modifiers: p.Held()}
	e.Buttons = m.buttons() &^ buttonBits[button]
	return p.sendInput(ctx, []cdp.Call{e.call()})
}

// wheelEvent is Input.dispatchMouseEvent for a wheel, which wants both distances.
type wheelEvent struct {
	Type      string    `json:"type"`
	X         float64   `json:"x"`
	Y         float64   `json:"y"`
	DeltaX    float64   `json:"deltaX"`
	DeltaY    float64   `json:"deltaY"`
	Buttons   int       `json:"buttons,omitzero"`
	Modifiers Modifiers `json:"modifiers,omitzero"`
}

// Wheel turns the wheel where the pointer is, and returns when the page has handled that. What it scrolls may go on moving.
func (p *Page) Wheel(ctx context.Context, dx, dy float64) error {
	m := p.pointer()
	e := wheelEvent{Type: "mouseWheel", X: m.at.X, Y: m.at.Y, DeltaX: dx, DeltaY: dy, Buttons: m.buttons(), Modifiers: p.Held()}
	return p.sendInput(ctx, []cdp.Call{{Method: "Input.dispatchMouseEvent", Params: e}})
}
