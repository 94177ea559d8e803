package actions

import (
	"context"
	"fmt"
	"strconv"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
)

// Live is what lets people watch a session.
type Live interface {
	// EnableStream starts a WebSocket server for the session on a port of this machine; 0 is any that is free.
	EnableStream(port int, o StreamOptions) (StreamStatus, error)
	DisableStream() error
	StreamStatus() StreamStatus
	// StartDashboard starts the dashboard of the host, or returns the one that runs with these settings.
	StartDashboard(port int, origins []string) (Dashboard, error)
	StopDashboard() (was bool)
	Dashboard() Dashboard
}

// StreamOptions say how large the pictures of a stream are.
type StreamOptions struct {
	Quality             int // of JPEG, 1-100
	MaxWidth, MaxHeight int // 0: as large as the viewport
}

// StreamStatus tells of a session's stream.
type StreamStatus struct {
	Enabled   bool
	Connected bool // the session has a browser
	Port      int
	URL       string // of the WebSocket, with the secret that lets in
	Clients   int
}

func streamCommands() []Command {
	return []Command{
		{
			Name:     "stream enable",
			Upstream: []string{"stream enable [--port <n>]", "stream enable [--port <port>]"},
			Group:    GroupLive, Summary: "Show the session live on a WebSocket, and take input from there",
			Help: "Sends JPEG frames of the active tab and news of tabs, addresses and the console, as JSON; takes mouse, keyboard and touch events. " +
				"Listens on 127.0.0.1, for programs and pages of this machine that know its address: it has a secret. Pictures are taken only while a client is " +
				"connected.\n\n" +
				"SKUA_STREAM_PORT enables it for every session that opens; `stream status` tells the address. SKUA_STREAM_QUALITY (1-100), SKUA_STREAM_MAX_WIDTH and " +
				"SKUA_STREAM_MAX_HEIGHT bound the pictures.",
			Flags:  []Flag{{Name: "port", Kind: Int, Value: "port", Help: "The port; without it one that is free"}},
			Effect: Control | NoBrowser, Examples: []Example{{Line: "stream enable"}, {Line: "stream enable --port 9223"}}, Run: runStreamEnable,
			Policy: Policy{Families: policy.Does()},
		},
		{
			Name: "stream disable", Group: GroupLive, Summary: "End the stream of the session", Effect: Control | NoBrowser,
			Run: func(_ context.Context, c *Call) (Result, error) {
				if err := c.Session.Live().DisableStream(); err != nil {
					return Result{}, err
				}
				res := streamResult(c.Session.Live().StreamStatus())
				res.Data.(map[string]any)["disabled"] = true
				return res, nil
			},
			Policy: Policy{Families: policy.Does()},
		},
		{
			Name: "stream status", Group: GroupLive, Summary: "Tell where the session is streamed", Effect: Control | NoBrowser,
			Run: func(_ context.Context, c *Call) (Result, error) {
				return streamResult(c.Session.Live().StreamStatus()), nil
			},
			Policy: Policy{Families: policy.Does()},
		},
	}
}

const maxPort = 65535

func runStreamEnable(_ context.Context, c *Call) (Result, error) {
	port := c.Int("port")
	if port < 0 || port > maxPort {
		return Result{}, c.Invalid(fmt.Sprintf("Invalid port: %d is out of range (valid range: 0-65535)", port))
	}
	if word, _ := StreamPort(c.Getenv); !c.Has("port") && word != "" {
		named, err := strconv.ParseUint(word, 10, 16)
		if err != nil {
			return Result{}, c.Invalid("Invalid port: " + wording.OneLine(word) + " is out of range (valid range: 0-65535)")
		}
		port = int(named)
	}
	status, err := c.Session.Live().EnableStream(port, StreamOptionsOf(c.Getenv))
	if err != nil {
		return Result{}, err
	}
	return streamResult(status), nil
}

func streamResult(s StreamStatus) Result {
	data := map[string]any{"enabled": s.Enabled, "connected": s.Connected, "port": nil, "screencasting": s.Clients > 0, "clients": s.Clients}
	if !s.Enabled {
		return Result{Data: data, Text: "Streaming disabled"}
	}
	data["port"], data["url"] = s.Port, s.URL
	return Result{Data: data, Text: fmt.Sprintf("Streaming enabled on %s\nConnected: %t\nScreencasting: %t", s.URL, s.Connected, s.Clients > 0)}
}

// StreamPort returns the port that the environment wants sessions to be streamed on, and the variable that says so.
func StreamPort(getenv func(string) string) (value, name string) {
	return FromEnv("STREAM_PORT", getenv)
}

// StreamOptionsOf reads the environment. What makes no sense leaves the default, as in agent-browser.
func StreamOptionsOf(getenv func(string) string) StreamOptions {
	number := func(suffix string, fallback, most int) int {
		word, _ := FromEnv(suffix, getenv)
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return fallback
		}
		return min(n, most)
	}
	const quality, most = 80, 16384
	return StreamOptions{
		Quality:  max(1, number("STREAM_QUALITY", quality, 100)),
		MaxWidth: number("STREAM_MAX_WIDTH", 0, most), MaxHeight: number("STREAM_MAX_HEIGHT", 0, most),
	}
}
