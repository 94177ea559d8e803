package live

import (
	"context"
	"fmt"
	"strconv"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

func streamCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "stream enable",
				Group:   actions.GroupLive,
				Summary: "Stream the session live over a WebSocket, which also takes input",
				Help: "Sends JPEG frames of the active tab and events of tabs, addresses and the console, as JSON. Takes mouse, " +
					"keyboard and touch events. " +
					"Listens on 127.0.0.1; its address contains a secret, so only programs and pages that you give it can connect. " +
					"Frames are taken only while " +
					"a client is connected.\n\n" +
					"SKUA_STREAM_PORT enables it for every session that opens; `stream status` prints the address. " +
					"SKUA_STREAM_QUALITY (1-100), " +
					"SKUA_STREAM_MAX_WIDTH and SKUA_STREAM_MAX_HEIGHT limit the frames.",
				Flags: []actions.Flag{{
					Name:  "port",
					Kind:  actions.Int,
					Value: "port",
					Help:  "The port; a free one when not given",
				}},
				Examples: []actions.Example{{Line: "stream enable"}, {Line: "stream enable --port 9223"}},
				Upstream: []string{"stream enable [--port <n>]", "stream enable [--port <port>]"},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing: actions.Showing{
				Traits: trait.Sets, Brief: actions.OfResult(briefStream), Next: actions.OfResult(afterStream),
			},
			Bindings: actions.Bindings{Data: []any{Stream{}}},
			Run:      runStreamEnable,
		},
		{
			Spec:     actions.Spec{Name: "stream disable", Group: actions.GroupLive, Summary: "Stop the session's stream"},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets, Brief: actions.OfResult(briefStream)},
			Bindings: actions.Bindings{Data: []any{Stream{}}},
			Run: func(_ context.Context, c *actions.Call) (actions.Result, error) {
				if err := c.Live.DisableStream(); err != nil {
					return actions.Result{}, err
				}
				return streamResult(c.Live.StreamStatus(), true), nil
			},
		},
		{
			Spec: actions.Spec{
				Name:    "stream status",
				Group:   actions.GroupLive,
				Summary: "Print where the session is streamed",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Brief: actions.OfResult(briefStream)},
			Bindings: actions.Bindings{Data: []any{Stream{}}},
			Run: func(_ context.Context, c *actions.Call) (actions.Result, error) {
				return streamResult(c.Live.StreamStatus(), false), nil
			},
		},
	}
}

// briefStream returns the address of the stream. Only the port is known about agent-browser's stream, which has no
// secret.
func briefStream(s Stream) string {
	if s.Disabled || !s.Enabled {
		return "Stream disabled"
	}
	text := "Stream enabled"
	if s.AlreadyEnabled {
		text = "Stream already enabled (idempotent no-op)"
	}
	if s.Port != nil && *s.Port > 0 {
		address := s.URL
		if address == "" {
			address = fmt.Sprintf("ws://127.0.0.1:%d", *s.Port)
		}
		text += fmt.Sprintf("\nPort: %d\nWebSocket: %s (frames are JSON messages with base64 pictures)", *s.Port, address)
	}
	if !s.AlreadyEnabled {
		text += fmt.Sprintf("\nConnected: %t\nScreencasting: %t", s.Connected, s.Screencasting)
	}
	return text
}

func afterStream(s Stream) []actions.FollowUp {
	if !s.AlreadyEnabled {
		return nil
	}
	return []actions.FollowUp{
		{
			ID:     "check-stream-status-after-noop",
			Reason: "See where the stream that is already on can be watched.",
			Line:   []string{"stream", "status"},
		},
		{
			ID:     "disable-existing-stream-when-done",
			Reason: "Stop the stream when it is no longer needed.",
			Line:   []string{"stream", "disable"},
		},
	}
}

const maxPort = 65535

func runStreamEnable(_ context.Context, c *actions.Call) (actions.Result, error) {
	port := c.Int("port")
	if port < 0 || port > maxPort {
		return actions.Result{}, c.Invalid(fmt.Sprintf("Invalid port: %d is out of range (valid range: 0-65535)", port))
	}
	if word, _ := actions.StreamPort(c.Getenv); !c.Has("port") && word != "" {
		named, err := strconv.ParseUint(word, 10, 16)
		if err != nil {
			return actions.Result{}, c.Invalid("Invalid port: " + wording.OneLine(word) +
				" is out of range (valid range: 0-65535)")
		}
		port = int(named)
	}
	status, err := c.Live.EnableStream(port, actions.StreamOptionsOf(c.Getenv))
	if err != nil {
		return actions.Result{}, err
	}
	return streamResult(status, false), nil
}

func streamResult(s actions.StreamStatus, disabled bool) actions.Result {
	data := Stream{
		Enabled:       s.Enabled,
		Connected:     s.Connected,
		Screencasting: s.Clients > 0,
		Clients:       s.Clients,
		Disabled:      disabled,
	}
	if !s.Enabled {
		return actions.Result{Data: data, Text: "Streaming disabled"}
	}
	data.Port, data.URL = &s.Port, s.URL
	return actions.Result{
		Data: data,
		Text: fmt.Sprintf("Streaming enabled on %s\nConnected: %t\nScreencasting: %t", s.URL, s.Connected, s.Clients > 0),
	}
}
