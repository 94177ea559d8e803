package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// followed is a client that keeps the progress notifications of the calls that it follows.
type followed struct {
	*client
	mu    sync.Mutex
	said  []string
	heard chan struct{} // has one when something was said
}

func follow(t *testing.T, s *mcp.Server, version string) *followed {
	f := &followed{heard: make(chan struct{}, 1)}
	f.client = connectBy(t, s,
		&sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
			f.mu.Lock()
			f.said = append(f.said, req.Params.Message)
			f.mu.Unlock()
			select {
			case f.heard <- struct{}{}:
			default:
			}
		}}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	return f
}

// follows runs a command line that has to succeed, and to say something meanwhile. Notifications may come after the
// result.
func (f *followed) follows(says string, args ...string) {
	f.t.Helper()
	p := &sdk.CallToolParams{Name: "agent_browser", Arguments: map[string]any{"args": args}}
	p.SetProgressToken("followed")
	r, err := f.session.CallTool(f.t.Context(), p)
	require.NoError(f.t, err)
	require.False(f.t, r.IsError, "%q: %s", args, textOf(r))
	late := time.After(callLimit)
	for {
		f.mu.Lock()
		said := strings.Join(f.said, "\n")
		f.mu.Unlock()
		if strings.Contains(said, says) {
			return
		}
		select {
		case <-f.heard:
		case <-late:
			require.Fail(f.t, "it has not been said: "+says, said)
		}
	}
}

// A client that follows a call gets what the command itself says of its work.
func TestCommandsReport(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", alone} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{})
			c := follow(t, s, version)
			c.do("open",
				site.Show(`<title>Start</title><a href="`+site.Show(`<title>Invoices of last month</title>`)+`">Invoices</a>`))
			c.follows("Exploring level 1 of 2", "explore", "--title", "Invoices of last month", "--depth", "2")
			c.do("open",
				site.Show(`<title>Start</title><h1>Start</h1><a href="`+site.Show(`<title>Billing</title><h1>Billing</h1>`)+
					`">Billing</a>`))
			c.follows("steps of the plan done; the last was ", "task", "run", `open "Billing"`)
			c.do("record", "start", "video.webm")
			c.follows("Saving the video", "record", "stop")
		})
	}
}

// A call ends at its time limit, and says whether it may be sent again.
func TestTimeLimitOfACall(t *testing.T) {
	t.Parallel()
	var came atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/came":
			came.Store(true)
		case "/never":
			<-r.Context().Done()
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write(
				[]byte(
					`<title>Page</title><button onclick="const x = new XMLHttpRequest(); x.open('GET', '/came', false); x.send(); while (true);">Go</button>`))
		}
	}))
	t.Cleanup(server.Close)
	s, _ := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	for _, test := range []struct {
		name    string
		args    []string
		outcome any
	}{
		{"it only waits", []string{"wait", "--fn", "false"}, nil},
		{"it looks for its element", []string{"click", "#none"}, "none"},
		{"it has asked a server", []string{"open", server.URL + "/never"}, "unknown"},
		{"the page hangs in what it did", []string{"click", "button"}, "unknown"},
	} {
		c.do("open", server.URL)
		began := time.Now()
		r := c.call("agent_browser", map[string]any{"args": append(test.args, "--timeout", "100000"), "timeoutMs": 1000})
		took := time.Since(began)
		require.True(t, r.IsError, test.name)
		require.Equal(t, test.outcome, details(t, r)["outcome"], "%s: %s", test.name, textOf(r))
		require.Less(t, took, 50*time.Second, test.name)
	}
	require.True(t, came.Load(), "the click came to the page")
}
