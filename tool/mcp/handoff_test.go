package mcp_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// Where the client can ask its user, the call waits for what he says there.
func TestHandoffByElicitation(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, want string
		answer     sdk.ElicitResult
	}{
		{"done", "Done by the person", sdk.ElicitResult{Action: "accept", Content: map[string]any{"done": true}}},
		{
			"cannot", "The person cannot do it: no phone",
			sdk.ElicitResult{Action: "accept", Content: map[string]any{"done": false, "reason": "no phone"}},
		},
		{"declined", "The person cannot do it: declined", sdk.ElicitResult{Action: "decline"}},
		{"dismissed", "Waiting for a person: Enter the code", sdk.ElicitResult{Action: "cancel"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{})
			asked := make(chan string, 1)
			c := connectBy(t, s,
				&sdk.ClientOptions{ElicitationHandler: func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					asked <- req.Params.Message
					return &tc.answer, nil
				}}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
			c.do("open", site.Show(ruledPage))
			r := c.try("handoff", "Enter the code")
			require.Contains(t, textOf(r), tc.want)
			question := <-asked
			require.Contains(t, question, "Enter the code")
			require.Contains(t, question, "http://127.0.0.1:")
			if tc.name == "dismissed" {
				c.do("handoff", "cancel")
			}
			c.do("get", "title")
		})
	}
}

// Where it cannot, the reply has the address and what to do next, and the person's answer at the address ends the wait.
func TestHandoffWithoutElicitation(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connectBy(t, s, &sdk.ClientOptions{}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	c.do("open", site.Show(ruledPage))
	text := c.do("handoff", "Enter the code")
	_, rest, found := strings.Cut(text, "open http://")
	require.True(t, found, text)
	address := "http://" + strings.Fields(rest)[0]
	require.Contains(t, text, "handoff wait")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"done", nil)
	require.NoError(t, err)
	req.Header.Set("Origin", strings.Join(strings.SplitN(address, "/", 4)[:3], "/"))
	answer, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Contains(t, c.do("handoff", "wait"), "Done by the person")
}
