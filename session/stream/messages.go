package stream

import (
	"context"
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"github.com/skua-browser/skua/engine/capture"
)

// told is what a client has been told, so that it hears of changes only.
type told struct {
	status status
	tabs   []Tab
	url    string
	any    bool
}

// status is a message.
type status struct {
	Type          string `json:"type"`
	Connected     bool   `json:"connected"`
	Engine        string `json:"engine"`
	Recording     bool   `json:"recording"`
	Screencasting bool   `json:"screencasting"`
	Width         int    `json:"viewportWidth"`
	Height        int    `json:"viewportHeight"`
}

// frameMessage builds a frame's message around the picture, which is base64 already.
func frameMessage(seq int64, p *capture.ScreencastPicture) []byte {
	m := p.Metadata
	meta, _ := json.Marshal(map[string]any{ // numbers only
		"deviceWidth": m.DeviceWidth, "deviceHeight": m.DeviceHeight, "pageScaleFactor": m.PageScaleFactor, "offsetTop": m.OffsetTop,
		"scrollOffsetX": m.ScrollOffsetX, "scrollOffsetY": m.ScrollOffsetY, "timestamp": m.Time().UnixMilli(),
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

// tell sends what is new of the state: status, tabs, and the address of the active tab when it went elsewhere.
func (v *viewer) tell(ctx context.Context, s State) error {
	now := v.told.status
	now.Type, now.Engine, now.Connected, now.Recording, now.Screencasting = "status", "chrome", s.Running, s.Recording, s.Active != nil
	if s.Active != nil && now.Width == 0 {
		now.Width, now.Height = s.Active.Context().Size()
	}
	if err := v.tellStatus(ctx, now); err != nil {
		return err
	}
	if s.Tabs == nil {
		s.Tabs = []Tab{}
	}
	if !v.told.any || !reflect.DeepEqual(v.told.tabs, s.Tabs) {
		v.told.tabs = s.Tabs
		if err := v.send(ctx, map[string]any{"type": "tabs", "tabs": s.Tabs, "timestamp": time.Now().UnixMilli()}); err != nil {
			return err
		}
	}
	url := ""
	if s.Active != nil {
		url = s.Active.URL()
	}
	if v.told.any && url != "" && url != v.told.url {
		if err := v.send(ctx, map[string]any{"type": "url", "url": url, "timestamp": time.Now().UnixMilli()}); err != nil {
			return err
		}
	}
	v.told.url, v.told.any = url, true
	return nil
}

func (v *viewer) tellStatus(ctx context.Context, now status) error {
	if v.told.any && now == v.told.status {
		return nil
	}
	v.told.status = now
	return v.send(ctx, now)
}

// tellSize tells of a viewport that turned out to have another size.
func (v *viewer) tellSize(ctx context.Context, m capture.ScreencastMetadata) error {
	now := v.told.status
	now.Width, now.Height = int(m.DeviceWidth), int(m.DeviceHeight)
	if !v.told.any {
		return nil
	}
	return v.tellStatus(ctx, now)
}

func (v *viewer) tellConsole(ctx context.Context) error {
	messages, dropped := v.console.Take()
	for _, m := range messages {
		args := make([]json.RawMessage, len(m.Args))
		for i, arg := range m.Args {
			args[i] = json.RawMessage(arg)
		}
		err := v.send(ctx, map[string]any{
			"type": "console", "level": m.Type, "text": m.Text, "args": args, "url": m.URL, "line": m.Line, "column": m.Column,
			"timestamp": int64(m.Timestamp), "dropped": dropped,
		})
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
