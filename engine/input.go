package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/cdp"
)

// Modifiers is the bit set of held modifier keys, in the protocol's values.
type Modifiers int

// The modifier keys.
const (
	Alt Modifiers = 1 << iota
	Control
	Meta
	Shift
)

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

var buttonBits = map[string]int{"left": 1, "right": 2, "middle": 4}

func (e mouseEvent) call() cdp.Call { return cdp.Call{Method: "Input.dispatchMouseEvent", Params: e} }

// ClickOptions say how to click.
type ClickOptions struct {
	Button    string // "left" (default), "right", "middle"
	Count     int    // 1 (default), 2 for a double click
	Modifiers Modifiers
}

// Click moves the pointer to a point of the main frame's viewport and clicks there. All events are sent back to back, which the
// page sees in order; awaiting the move first would cost a frame. Then runs right behind them, before any reply is awaited. The
// returned function waits until the browser has handled the events.
func (p *Page) Click(x, y float64, o ClickOptions, then *FrameCall) (wait func(ctx context.Context) error, result *PendingCall) {
	button := o.Button
	if button == "" {
		button = "left"
	}
	calls := make([]cdp.Call, 0, 6)
	calls = append(calls, mouseEvent{Type: "mouseMoved", X: x, Y: y, Modifiers: o.Modifiers}.call())
	for n := 1; n <= max(o.Count, 1); n++ {
		down := mouseEvent{Type: "mousePressed", X: x, Y: y, Button: button, Buttons: buttonBits[button], ClickCount: n, Modifiers: o.Modifiers}
		up := mouseEvent{Type: "mouseReleased", X: x, Y: y, Button: button, ClickCount: n, Modifiers: o.Modifiers}
		calls = append(calls, down.call(), up.call())
	}
	return p.sendInput(calls, then, x, y)
}

// Hover moves the pointer.
func (p *Page) Hover(x, y float64, then *FrameCall) (wait func(ctx context.Context) error, result *PendingCall) {
	return p.sendInput([]cdp.Call{mouseEvent{Type: "mouseMoved", X: x, Y: y}.call()}, then, x, y)
}

// FrameCall is an in-page call that was prepared to be sent together with input.
type FrameCall struct {
	call cdp.Call
	sess *cdp.Session
}

// PrepareCall makes ready an op for the frame's current document; it is sent by an input method.
func (f *Frame) PrepareCall(ctx context.Context, op string, arg any) (*FrameCall, error) {
	call, sess, err := f.prepare(ctx, op, arg)
	if err != nil {
		return nil, err
	}
	return &FrameCall{call: call, sess: sess}, nil
}

// sendInput writes input events, and the call that follows them, in one go where they share a session.
func (p *Page) sendInput(calls []cdp.Call, then *FrameCall, x, y float64) (func(context.Context) error, *PendingCall) {
	p.mu.Lock()
	p.mouseX, p.mouseY = x, y
	p.mu.Unlock()
	var result *PendingCall
	events := len(calls)
	together := then != nil && then.sess == p.sess
	if together {
		calls = append(calls, then.call)
	}
	pending := p.sess.Batch(calls...)
	switch {
	case together:
		result = &PendingCall{pending: pending[events]}
	case then != nil:
		result = &PendingCall{pending: then.sess.Start(then.call.Method, then.call.Params)}
	}
	return func(ctx context.Context) error {
		for _, call := range pending[:events] {
			if _, err := call.Wait(ctx); err != nil {
				return err
			}
		}
		return nil
	}, result
}

// Pointer returns where the pointer was moved last.
func (p *Page) Pointer() (x, y float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mouseX, p.mouseY
}

// InsertText puts text into the focused element as an input method would: beforeinput and input events, no key events. Then is
// sent right behind it.
func (p *Page) InsertText(text string, then *FrameCall) (wait func(ctx context.Context) error, result *PendingCall) {
	x, y := p.Pointer()
	return p.sendInput([]cdp.Call{{Method: "Input.insertText", Params: map[string]string{"text": text}}}, then, x, y)
}

// Keys presses and releases keys one after another, all sent back to back.
func (p *Page) Keys(strokes []Stroke, then *FrameCall) (wait func(ctx context.Context) error, result *PendingCall) {
	calls := make([]cdp.Call, 0, 2*len(strokes)+1)
	for _, s := range strokes {
		calls = s.appendCalls(calls)
	}
	x, y := p.Pointer()
	return p.sendInput(calls, then, x, y)
}
