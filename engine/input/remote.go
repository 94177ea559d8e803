package input

import (
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Events of a person who works on the page from elsewhere. They are sent in the order of the calls and never awaited: a
// click must not queue behind a burst of moves.

// MouseEvent is a mouse event, in the protocol's words. Coordinates are CSS pixels of the viewport.
type MouseEvent struct {
	Type       string // "mousePressed", "mouseReleased", "mouseMoved", "mouseWheel"
	X, Y       float64
	Button     string // "left", "right", "middle", "back", "forward", or none
	ClickCount int
	DeltaX     float64 // of the wheel
	DeltaY     float64
	Modifiers  Modifiers
}

// KeyEvent is a key event, in the protocol's words and the DOM's names.
type KeyEvent struct {
	Type      string // "keyDown", "rawKeyDown", "keyUp", "char"
	Key, Code string
	Text      string // the text that the key types; empty means that of a US keyboard
	Modifiers Modifiers
}

// SendMouse sends a mouse event without awaiting it.
func SendMouse(p *engine.Page, e MouseEvent) error {
	if e.Button == "none" {
		e.Button = ""
	}
	if _, known := buttonBits[e.Button]; e.Button != "" && !known {
		return unknownRemote("button", e.Button)
	}
	m := pointerOf(p)
	event := mouseEvent{
		Type:       e.Type,
		X:          e.X,
		Y:          e.Y,
		Button:     e.Button,
		Buttons:    m.buttons(),
		ClickCount: e.ClickCount,
		Modifiers:  e.Modifiers,
	}
	switch e.Type {
	case "mousePressed":
		event.Buttons |= buttonBits[e.Button]
	case "mouseReleased":
		event.Buttons &^= buttonBits[e.Button]
	case "mouseMoved":
		event.Button = m.button()
	case "mouseWheel":
		wheel := wheelEvent{
			Type:      e.Type,
			X:         e.X,
			Y:         e.Y,
			DeltaX:    e.DeltaX,
			DeltaY:    e.DeltaY,
			Buttons:   m.buttons(),
			Modifiers: e.Modifiers,
		}
		return sendRemote(p, cdp.Call{Method: mouseMessage, Params: wheel})
	default:
		return unknownRemote("eventType", e.Type)
	}
	states.Of(p).follow([]cdp.Call{event.call()})
	return sendRemote(p, event.call())
}

// SendKey sends a key event without awaiting it.
func SendKey(p *engine.Page, e KeyEvent) error {
	key, known := lookupKey(e.Key)
	if !known {
		key.Key = e.Key
	}
	if e.Code != "" {
		key.Code = e.Code
	}
	stroke := Stroke{key: key}
	var call cdp.Call
	switch e.Type {
	case "keyDown", "rawKeyDown":
		call = stroke.downCall(e.Modifiers, false)
	case "keyUp":
		call = stroke.upCall(e.Modifiers)
	case "char":
		call = keyEvent{Type: "char", Modifiers: e.Modifiers, Key: e.Key, Text: e.Text}.call()
	default:
		return unknownRemote("eventType", e.Type)
	}
	event, _ := call.Params.(keyEvent)
	switch {
	case e.Type == "rawKeyDown":
		event.Type, event.Text, event.UnmodifiedText = "rawKeyDown", "", ""
	case e.Type == "keyDown" && e.Text != "":
		event.Type, event.Text = "keyDown", e.Text
	}
	return sendRemote(p, event.call())
}

// SendText puts text into the focused element, as an input method does, without awaiting it.
func SendText(p *engine.Page, text string) error {
	return sendRemote(p, insertCall(text))
}

// SendTouch sends a touch event, "touchStart", "touchMove", "touchEnd" or "touchCancel", with the fingers that are on
// the page then. It does not await it.
func SendTouch(p *engine.Page, kind string, fingers []engine.Point, keys Modifiers) error {
	e := touchEvent{Type: kind, Points: []touchPoint{}, Modifiers: keys}
	switch kind {
	case "touchStart", "touchMove":
		for _, f := range fingers {
			e.Points = append(e.Points, touchPoint(f))
		}
	case "touchEnd", "touchCancel":
	default:
		return unknownRemote("eventType", kind)
	}
	return sendRemote(p, e.call())
}

func sendRemote(p *engine.Page, call cdp.Call) error {
	if err := p.Err(); err != nil {
		return err
	}
	p.Session().Start(call.Method, call.Params)
	return nil
}

func unknownRemote(what, word string) error {
	return fault.New(fault.Usage, "unknown %s %q", what, word).About(word)
}
