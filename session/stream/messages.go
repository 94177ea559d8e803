package stream

import (
	"context"
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"github.com/skua-browser/skua/engine/capture"
)

// sentState is the state that was last sent to a client, so that only changes are sent.
type sentState struct {
	status status
	tabs   []Tab
	url    string
	any    bool
}

// status is the status message.
type status struct {
	Type          string `json:"type"`
	Connected     bool   `json:"connected"`
	Engine        string `json:"engine"`
	Recording     bool   `json:"recording"`
	Screencasting bool   `json:"screencasting"`
	Width         int    `json:"viewportWidth"`
	Height        int    `json:"viewportHeight"`
}

type tabsMessage struct {
	Type string `json:"type"`
	Tabs []Tab  `json:"tabs"`
	Time int64  `json:"timestamp"`
}

type urlMessage struct {
	Type string `json:"type"`
	URL  string `json:"url"`
	Time int64  `json:"timestamp"`
}

type consoleMessage struct {
	Type    string            `json:"type"`
	Level   string            `json:"level"`
	Text    string            `json:"text"`
	Args    []json.RawMessage `json:"args"`
	URL     string            `json:"url"`
	Line    int               `json:"line"`
	Column  int               `json:"column"`
	Time    int64             `json:"timestamp"`
	Dropped int               `json:"dropped"`
}

// frameMessage builds the message of a frame around the picture, which is already base64.
func frameMessage(seq int64, p *capture.ScreencastPicture) []byte {
	m := p.Metadata
	meta, _ := json.Marshal(map[string]float64{ // numbers always encode
		"deviceWidth": m.DeviceWidth, "deviceHeight": m.DeviceHeight, "pageScaleFactor": m.PageScaleFactor,
		"offsetTop":     m.OffsetTop,
		"scrollOffsetX": m.ScrollOffsetX, "scrollOffsetY": m.ScrollOffsetY, "timestamp": float64(m.Time().UnixMilli()),
	})
	b := make([]byte, 0, len(p.Base64)+len(meta)+64)
	b = append(b, `{"type":"frame","seq":`...)
	b = strconv.AppendInt(b, seq, 10)
	b = append(b, `,"data":"`...)
	b = append(b, p.Base64...)
	b = append(b, `","metadata":`...)
	b = append(b, meta...)
	return append(b, '}')
}

// sendState sends the changes of the state: status, tabs, and the URL of the active tab.
func (v *viewer) sendState(ctx context.Context, s State) error {
	now := v.sentState.status
	now.Type, now.Engine, now.Connected, now.Recording, now.Screencasting = "status", "chrome", s.Running, s.Recording,
		s.Active != nil
	if s.Active != nil && now.Width == 0 {
		size := s.Active.Context().Options()
		now.Width, now.Height = size.Width, size.Height
	}
	if err := v.sendStatus(ctx, now); err != nil {
		return err
	}
	if s.Tabs == nil {
		s.Tabs = []Tab{}
	}
	if !v.sentState.any || !reflect.DeepEqual(v.sentState.tabs, s.Tabs) {
		v.sentState.tabs = s.Tabs
		if err := v.send(ctx, tabsMessage{"tabs", s.Tabs, time.Now().UnixMilli()}); err != nil {
			return err
		}
	}
	url := ""
	if s.Active != nil {
		url = s.Active.URL()
	}
	if v.sentState.any && url != "" && url != v.sentState.url {
		if err := v.send(ctx, urlMessage{"url", url, time.Now().UnixMilli()}); err != nil {
			return err
		}
	}
	v.sentState.url, v.sentState.any = url, true
	return nil
}

func (v *viewer) sendStatus(ctx context.Context, now status) error {
	if v.sentState.any && now == v.sentState.status {
		return nil
	}
	v.sentState.status = now
	return v.send(ctx, now)
}

// sendSize sends the status if the viewport has another size.
func (v *viewer) sendSize(ctx context.Context, m capture.ScreencastMetadata) error {
	now := v.sentState.status
	now.Width, now.Height = int(m.DeviceWidth), int(m.DeviceHeight)
	if !v.sentState.any {
		return nil
	}
	return v.sendStatus(ctx, now)
}

func (v *viewer) sendConsole(ctx context.Context) error {
	messages, dropped := v.console.Take()
	for _, m := range messages {
		args := make([]json.RawMessage, len(m.Args))
		for i, arg := range m.Args {
			args[i] = json.RawMessage(arg)
		}
		err := v.send(ctx,
			consoleMessage{"console", m.Type, m.Text, args, m.URL, m.Line, m.Column, int64(m.Timestamp), dropped})
		if err != nil {
			return err
		}
		dropped = 0
	}
	return nil
}

func (v *viewer) send(ctx context.Context, message any) error {
	raw, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return v.socket.write(ctx, raw)
}
