package mcp_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// A client that follows a call gets what the command itself says of its work.
func TestCommandsReport(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", alone} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{})
			var mu sync.Mutex
			var said []string
			reported := make(chan struct{})
			c := connectBy(t, s, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
				mu.Lock()
				defer mu.Unlock()
				said = append(said, req.Params.Message)
				if strings.Contains(req.Params.Message, "Exploring level 1 of 2") {
					close(reported)
				}
			}}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			c.do("open", site.Show(`<title>Start</title><a href="/nowhere">Invoices</a>`))
			p := &sdk.CallToolParams{Name: "agent_browser", Arguments: map[string]any{"args": []string{"explore", "--title", "Invoices of last month", "--depth", "2"}}}
			p.SetProgressToken("followed")
			_, err := c.session.CallTool(t.Context(), p)
			require.NoError(t, err)
			select {
			case <-reported:
			case <-time.After(callLimit):
				mu.Lock()
				defer mu.Unlock()
				require.Fail(t, "the search has not reported", "%q", said)
			}
		})
	}
}
