package input

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

const mouseMessage = "Input.dispatchMouseEvent"

// mouseEvent is Input.dispatchMouseEvent of the protocol.
type mouseEvent struct {
	Type       string    `json:"type"`
	X          float64   `json:"x"`
	Y          float64   `json:"y"`
	Button     string    `json:"button,omitzero"`
	Buttons    int       `json:"buttons,omitzero"`
	ClickCount int       `json:"clickCount,omitzero"`
	Modifiers  Modifiers `json:"modifiers,omitzero"`
}

func (e mouseEvent) call() cdp.Call { return cdp.Call{Method: mouseMessage, Params: e} }

var buttonBits = map[string]int{"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}

// pointer is where the pointer of a page was moved last, and which buttons are held, in the order in which they were
// pressed.
type pointer struct {
	at      engine.Point
	held    []string
	presses int // so far
}

// buttons is the bit set of held buttons, as events carry it.
func (m pointer) buttons() (bits int) {
	for _, b := range m.held {
		bits |= buttonBits[b]
	}
	return bits
}

// button is the button of a move, in the protocol's words.
func (m pointer) button() string {
	if len(m.held) == 0 {
		return ""
	}
	return m.held[0]
}

// moveTo is the event of a move while buttons are held.
func (m pointer) moveTo(to engine.Point, keys Modifiers) mouseEvent {
	return mouseEvent{
		Type:      "mouseMoved",
		X:         to.X,
		Y:         to.Y,
		Button:    m.button(),
		Buttons:   m.buttons(),
		Modifiers: keys,
	}
}

// follow updates the pointer with the mouse events among the calls.
func (s *state) follow(calls []cdp.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, call := range calls {
		e, ok := call.Params.(mouseEvent)
		if !ok {
			continue
		}
		s.pointer.at = engine.Point{X: e.X, Y: e.Y}
		if e.Type == "mousePressed" {
			s.pointer.presses++
		}
		switch held := s.pointer.held; {
		case e.Type == "mousePressed" && !slices.Contains(held, e.Button):
			s.pointer.held = append(held, e.Button)
		case e.Type == "mouseReleased":
			s.pointer.held = slices.DeleteFunc(held, func(b string) bool { return b == e.Button })
		}
	}
}

func pointerOf(p *engine.Page) pointer {
	s := states.Of(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.pointer
	m.held = slices.Clone(m.held)
	return m
}

// Mouse is the pointer of a page.
type Mouse struct {
	At      engine.Point // in the main frame's viewport
	Held    []string     // buttons that are held
	Presses int          // how often a button was pressed so far
}

// MouseOf returns the pointer of a page.
func MouseOf(p *engine.Page) Mouse {
	m := pointerOf(p)
	return Mouse{At: m.at, Held: m.held, Presses: m.presses}
}

// ClickOptions are the button, the count and the modifiers of a click.
type ClickOptions struct {
	Button    string    // "left" (default), "right", "middle"
	Count     int       // 1 (default), 2 for a double click
	Modifiers Modifiers // pressed before the click and released after it, in addition to those that are held
}

// Click moves the pointer to a point of the main frame's viewport, clicks there, and returns when the page has handled
// the events. They are one write, and the page sees them in order; awaiting the move first would cost a frame.
func Click(ctx context.Context, p *engine.Page, at engine.Point, o ClickOptions, sent ...Sent) error {
	button := cmp.Or(o.Button, "left")
	base := HeldModifiers(p)
	calls, held := pressModifiers(make([]cdp.Call, 0, 5), o.Modifiers&^base, base)
	calls = append(calls, mouseEvent{Type: "mouseMoved", X: at.X, Y: at.Y, Modifiers: held}.call())
	for n := 1; n <= max(o.Count, 1); n++ {
		down := mouseEvent{
			Type:       "mousePressed",
			X:          at.X,
			Y:          at.Y,
			Button:     button,
			Buttons:    buttonBits[button],
			ClickCount: n,
			Modifiers:  held,
		}
		up := mouseEvent{
			Type:       "mouseReleased",
			X:          at.X,
			Y:          at.Y,
			Button:     button,
			ClickCount: n,
			Modifiers:  held,
		}
		calls = append(calls, down.call(), up.call())
	}
	calls, _ = releaseModifiers(calls, o.Modifiers&^base, held)
	return send(ctx, p, calls, sent...)
}

// Dialogs returns how many JavaScript dialogs have opened on the page since it first got input. Chromium takes input
// that comes while one is open, and drops it.
func Dialogs(p *engine.Page) int64 { return states.Of(p).dialogs.Load() }

// Release sends the end of a click, for a page that did not get it.
func Release(ctx context.Context, p *engine.Page, at engine.Point, o ClickOptions) error {
	button := cmp.Or(o.Button, "left")
	return send(ctx, p, []cdp.Call{mouseEvent{
		Type:       "mouseReleased",
		X:          at.X,
		Y:          at.Y,
		Button:     button,
		ClickCount: max(o.Count, 1),
		Modifiers:  HeldModifiers(p),
	}.call()})
}

// Hover moves the pointer and returns when the page has handled the move.
func Hover(ctx context.Context, p *engine.Page, at engine.Point, sent ...Sent) error {
	return send(ctx, p, []cdp.Call{mouseEvent{
		Type:      "mouseMoved",
		X:         at.X,
		Y:         at.Y,
		Modifiers: HeldModifiers(p),
	}.call()}, sent...)
}

// MoveMouse moves the pointer through the points, with the held buttons, and returns when the page has handled the last
// move. Each move is awaited, because a browser merges moves within one frame and the page would not see them all.
// Over, unless it is 0, is how long the whole path takes. Sent is called with each move.
func MoveMouse(ctx context.Context, p *engine.Page, path []engine.Point, over time.Duration, sent ...Sent) error {
	m, start := pointerOf(p), time.Now()
	for i, to := range path {
		if err := send(ctx, p, []cdp.Call{m.moveTo(to, HeldModifiers(p)).call()}, sent...); err != nil {
			return err
		}
		if err := Pause(ctx, time.Until(start.Add(over*time.Duration(i+1)/time.Duration(len(path))))); err != nil {
			return err
		}
	}
	return nil
}

// Pause waits between two events for a time that the caller asked for.
func Pause(ctx context.Context, d time.Duration) error {
	if pause.For(ctx, d) != nil {
		return fault.WaitEnded(ctx, "moving the pointer")
	}
	return nil
}

// Line returns n points on the straight line between two, the last of which is the end.
func Line(from, to engine.Point, n int) []engine.Point {
	points := make([]engine.Point, n)
	for i := range points {
		part := float64(i+1) / float64(n)
		points[i] = engine.Point{X: from.X + (to.X-from.X)*part, Y: from.Y + (to.Y-from.Y)*part}
	}
	return points
}

// PressMouse presses a button where the pointer is and leaves it held.
func PressMouse(ctx context.Context, p *engine.Page, button string) error {
	m := pointerOf(p)
	e := mouseEvent{
		Type:       "mousePressed",
		X:          m.at.X,
		Y:          m.at.Y,
		Button:     button,
		ClickCount: 1,
		Modifiers:  HeldModifiers(p),
	}
	e.Buttons = m.buttons() | buttonBits[button]
	return send(ctx, p, []cdp.Call{e.call()})
}

// ReleaseMouse releases a button where the pointer is.
func ReleaseMouse(ctx context.Context, p *engine.Page, button string) error {
	m := pointerOf(p)
	e := mouseEvent{
		Type:       "mouseReleased",
		X:          m.at.X,
		Y:          m.at.Y,
		Button:     button,
		ClickCount: 1,
		Modifiers:  HeldModifiers(p),
	}
	e.Buttons = m.buttons() &^ buttonBits[button]
	return send(ctx, p, []cdp.Call{e.call()})
}

// wheelEvent is Input.dispatchMouseEvent for a wheel, which requires both distances.
type wheelEvent struct {
	Type      string    `json:"type"`
	X         float64   `json:"x"`
	Y         float64   `json:"y"`
	DeltaX    float64   `json:"deltaX"`
	DeltaY    float64   `json:"deltaY"`
	Buttons   int       `json:"buttons,omitzero"`
	Modifiers Modifiers `json:"modifiers,omitzero"`
}

// Wheel turns the wheel where the pointer is, and returns when the page has handled the event. The scrolling may still
// go on.
func Wheel(ctx context.Context, p *engine.Page, dx, dy float64) error {
	m := pointerOf(p)
	e := wheelEvent{
		Type:      "mouseWheel",
		X:         m.at.X,
		Y:         m.at.Y,
		DeltaX:    dx,
		DeltaY:    dy,
		Buttons:   m.buttons(),
		Modifiers: HeldModifiers(p),
	}
	return send(ctx, p, []cdp.Call{{Method: mouseMessage, Params: e}})
}
