package engine

import (
	"context"
	"unicode/utf16"

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

var buttonBits = map[string]int{"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}

func (e mouseEvent) call() cdp.Call { return cdp.Call{Method: "Input.dispatchMouseEvent", Params: e} }

// ClickOptions say how to click.
type ClickOptions struct {
	Button    string    // "left" (default), "right", "middle"
	Count     int       // 1 (default), 2 for a double click
	Modifiers Modifiers // pressed before the click and released after it, beside those that are held anyway
}

// Click moves the pointer to a point of the main frame's viewport, clicks there, and returns when the page has handled the events. They
// are sent back to back, which the page sees in order; awaiting the move first would cost a frame.
func (p *Page) Click(ctx context.Context, x, y float64, o ClickOptions) error {
	button := o.Button
	if button == "" {
		button = "left"
	}
	base := p.Held()
	calls, held := pressModifiers(make([]cdp.Call, 0, 5), o.Modifiers&^base, base)
	calls = append(calls, mouseEvent{Type: "mouseMoved", X: x, Y: y, Modifiers: held}.call())
	for n := 1; n <= max(o.Count, 1); n++ {
		down := mouseEvent{Type: "mousePressed", X: x, Y: y, Button: button, Buttons: buttonBits[button], ClickCount: n, Modifiers: held}
		up := mouseEvent{Type: "mouseReleased", X: x, Y: y, Button: button, ClickCount: n, Modifiers: held}
		calls = append(calls, down.call(), up.call())
	}
	calls, _ = releaseModifiers(calls, o.Modifiers&^base, held)
	return p.sendInput(ctx, calls)
}

// Hover moves the pointer and returns when the page has handled that.
func (p *Page) Hover(ctx context.Context, x, y float64) error {
	return p.sendInput(ctx, []cdp.Call{mouseEvent{Type: "mouseMoved", X: x, Y: y, Modifiers: p.Held()}.call()})
}

// Keys presses and releases keys one after another, all sent back to back, and returns when the page has handled them.
func (p *Page) Keys(ctx context.Context, strokes []Stroke) error {
	if done, err := p.insteadOfKeys(ctx, strokes); done || err != nil {
		return err
	}
	held := p.Held()
	calls := make([]cdp.Call, 0, 2*len(strokes))
	for _, s := range strokes {
		calls = s.appendCalls(calls, held)
	}
	return p.sendInput(ctx, calls)
}

// insertMessage puts text in.
const insertMessage = "Input.insertText"

func insertCall(text string) cdp.Call {
	return cdp.Call{Method: insertMessage, Params: map[string]string{"text": text}}
}

// InsertText puts text into the focused element as an input method would: beforeinput and input events, no key events.
func (p *Page) InsertText(ctx context.Context, text string) error {
	return p.sendInput(ctx, []cdp.Call{insertCall(text)})
}

// processKey is the key that a page sees while an input method works: it says nothing of which one was pressed.
const processKey = 229

// Compose puts text in as an input method composes it: for each character a key that the method processes and an update of what is
// composed, then the commit.
func (p *Page) Compose(ctx context.Context, text string) error {
	key := keyEvent{Type: "rawKeyDown", Key: "Process", WindowsKeyCode: processKey}
	runes := []rune(text)
	var calls []cdp.Call
	for n := range runes {
		part := string(runes[:n+1])
		caret := len(utf16.Encode(runes[:n+1]))
		up := key
		up.Type = "keyUp"
		calls = append(calls, key.call(), cdp.Call{Method: "Input.imeSetComposition", Params: map[string]any{
			"text": part, "selectionStart": caret, "selectionEnd": caret,
		}}, up.call())
	}
	calls = append(calls, insertCall(text))
	return p.sendInput(ctx, calls)
}

// Acting notes that something is now sent to the page which acts on it. It fails, and then nothing may be sent, when nobody waits for that
// any more. What this package sends as input, scripts and files has it noted already; who calls an op that acts notes it himself.
func (p *Page) Acting(ctx context.Context) error {
	if ctx.Err() != nil {
		return WaitEnded(ctx, "sending input")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acts++
	return nil
}

// Acts returns how often something was sent so far that acts on the page. Who is kept from an answer by a dialog learns from it whether the
// page may have got what it was to get.
func (p *Page) Acts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.acts
}

// sendInput sends events back to back, and returns when the page has handled them.
func (p *Page) sendInput(ctx context.Context, calls []cdp.Call) error {
	if err := p.withoutKeys(ctx, calls); err != nil {
		return err
	}
	if typing(calls) {
		if err := p.takeKeys(ctx); err != nil {
			return err
		}
	}
	if err := p.Acting(ctx); err != nil {
		return err
	}
	return p.dispatch(ctx, calls)
}

func (p *Page) dispatch(ctx context.Context, calls []cdp.Call) error {
	p.noteMouse(calls)
	for _, call := range p.sess.Batch(calls...) {
		if _, err := call.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// InsertAndCall inserts text and calls an op of the in-page script right behind it, in one round trip. The op may run before the page
// has the text, so it must wait for what it wants to see.
func (f *Frame) InsertAndCall(ctx context.Context, text, op string, arg, result any) error {
	sess, w, err := f.enter(ctx)
	if err != nil {
		return err
	}
	raw, err := marshalArg(arg)
	if err != nil {
		return err
	}
	if err := f.page.takeKeys(ctx); err != nil {
		return err
	}
	if err := f.page.Acting(ctx); err != nil {
		return err
	}
	insert := insertCall(text)
	inserted := f.page.sess.Start(insert.Method, insert.Params)
	called := sess.Start("Runtime.evaluate", callParams(w, op, raw))
	if _, err := inserted.Wait(ctx); err != nil {
		return err
	}
	reply, err := called.Wait(ctx)
	if err != nil {
		return contextError(err)
	}
	value, err := evaluated(reply)
	if err != nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}
