package stream

import (
	"encoding/json"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
)

// clientMessage has the fields of all client messages; each message uses some.
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

// read handles the client's messages until the connection ends. It ignores invalid ones, as agent-browser does.
func (v *viewer) read() error {
	for {
		raw, err := v.socket.read()
		if err != nil {
			return err
		}
		var m clientMessage
		if json.Unmarshal(raw, &m) != nil && m.Type != "config" { // an invalid maxFps does not affect the rest of a config
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
				v.acked = v.seq // do not wait for earlier frames
			}
			v.mu.Unlock()
			wake(v.settings)
		case "ack":
			v.mu.Lock()
			v.acked = max(v.acked, min(m.Seq, v.seq)) // an acknowledgment covers the frames before it
			v.mu.Unlock()
			wake(v.settings)
		case "input_mouse", "input_keyboard", "input_touch", "input_text":
			v.input(&m)
		}
	}
}

// input sends an event to the active page. Invalid events are ignored.
func (v *viewer) input(m *clientMessage) {
	v.mu.Lock()
	page, allowed := v.active, v.options.Input
	v.mu.Unlock()
	if page == nil || allowed != nil && !allowed() {
		return
	}
	v.source.NoteActivity()
	switch m.Type {
	case "input_mouse":
		_ = input.SendMouse(page, input.MouseEvent{
			Type:       m.EventType,
			X:          m.X,
			Y:          m.Y,
			Button:     m.Button,
			ClickCount: m.ClickCount,
			DeltaX:     m.DeltaX,
			DeltaY:     m.DeltaY,
			Modifiers:  m.Modifiers,
		})
	case "input_keyboard":
		_ = input.SendKey(page, input.KeyEvent{
			Type:      m.EventType,
			Key:       m.Key,
			Code:      m.Code,
			Text:      m.Text,
			Modifiers: m.Modifiers,
		})
	case "input_touch":
		_ = input.SendTouch(page, m.EventType, m.Touches, m.Modifiers)
	case "input_text":
		_ = input.SendText(page, m.Text)
	}
}
