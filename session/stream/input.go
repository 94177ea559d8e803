package stream

import (
	"encoding/json"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
)

// clientMessage has the fields of all messages of clients; each uses some.
type clientMessage struct {
	Type string `json:"type"`

	EventType  string          `json:"eventType"`
	X          float64         `json:"x"`
	Y          float64         `json:"y"`
	Button     string          `json:"button"`
	ClickCount int             `json:"clickCount"`
	DeltaX     float64         `json:"deltaX"`
	DeltaY     float64         `json:"deltaY"`
	Modifiers  input.Modifiers `json:"modifiers"`
	Key        string          `json:"key"`
	Code       string          `json:"code"`
	Text       string          `json:"text"`
	Touches    []engine.Point  `json:"touchPoints"`

	MaxFPS *float64 `json:"maxFps"`
	Pacing string   `json:"pacing"`
	Seq    int64    `json:"seq"`
}

// read handles the client's messages until the connection ends. What it cannot read it ignores, as agent-browser does.
func (v *viewer) read() error {
	for {
		raw, err := v.socket.read()
		if err != nil {
			return err
		}
		var m clientMessage
		if json.Unmarshal(raw, &m) != nil && m.Type != "config" { // a maxFps that is no number leaves the rest of a config
			continue
		}
		switch m.Type {
		case "config":
			v.mu.Lock()
			if m.MaxFPS != nil {
				v.options.setFPS(*m.MaxFPS)
			}
			was := v.options.ackPace
			v.options.setPacing(m.Pacing)
			if !was && v.options.ackPace {
				v.acked = v.seq // what was sent before is not waited for
			}
			v.mu.Unlock()
			wake(v.settings)
		case "ack":
			v.mu.Lock()
			v.acked = max(v.acked, min(m.Seq, v.seq)) // an acknowledgement covers those before it
			v.mu.Unlock()
			wake(v.settings)
		case "input_mouse", "input_keyboard", "input_touch", "input_text":
			v.input(&m)
		}
	}
}

// input gives an event to the active page. What is no event is ignored.
func (v *viewer) input(m *clientMessage) {
	v.mu.Lock()
	page, allowed := v.active, v.options.Input
	v.mu.Unlock()
	if page == nil || allowed != nil && !allowed() {
		return
	}
	v.source.Worked()
	switch m.Type {
	case "input_mouse":
		_ = input.SendMouse(page, input.MouseEvent{
			Type: m.EventType, X: m.X, Y: m.Y, Button: m.Button, ClickCount: m.ClickCount, DeltaX: m.DeltaX, DeltaY: m.DeltaY, Modifiers: m.Modifiers,
		})
	case "input_keyboard":
		_ = input.SendKey(page, input.KeyEvent{Type: m.EventType, Key: m.Key, Code: m.Code, Text: m.Text, Modifiers: m.Modifiers})
	case "input_touch":
		_ = input.SendTouch(page, m.EventType, m.Touches, m.Modifiers)
	case "input_text":
		_ = input.SendText(page, m.Text)
	}
}
