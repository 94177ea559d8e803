package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// Where the client can ask its user, he decides, and the model that asked does not.
func TestConfirmationByElicitation(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer sdk.ElicitResult
		title  string
	}{
		"allowed":       {sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": true}}, "clicked"},
		"not allowed":   {sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": false}}, "clean"},
		"declined":      {sdk.ElicitResult{Action: "decline"}, "clean"},
		"not decided":   {sdk.ElicitResult{Action: "cancel"}, "clean"},
		"without a say": {sdk.ElicitResult{Action: "accept"}, "clean"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{})
			asked := make(chan string, 1)
			c := connectBy(t, s,
				&sdk.ClientOptions{ElicitationHandler: func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					asked <- req.Params.Message
					return &tc.answer, nil
				}}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
			r := c.try("--confirm-actions", "click", "open", site.Show(ruledPage))
			require.False(t, r.IsError, textOf(r))
			r = c.try("click", "#h")
			require.Len(t, asked, 1, textOf(r))
			require.Contains(t, <-asked, "click #h")
			require.Equal(t, tc.title == "clicked", !r.IsError, textOf(r))
			require.Contains(t, c.do("get", "title"), tc.title)
		})
	}
}

// A person at the dashboard confirms what the agent asked for, and the agent is told.
func TestConfirmationAtTheDashboard(t *testing.T) {
	t.Parallel()
	b := newBench(t, "environment")
	entry := entryPoint{name: "args", managed: true}
	b.begin(&entry)
	address, token := b.dashboard()
	r := b.client.call("agent_browser", map[string]any{"args": []string{"click", "#h"}})
	_, id, _ := strings.Cut(textOf(r), "Pending confirmation id: ")
	id, _, _ = strings.Cut(id, "\n")
	post := func(id, token string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			fmt.Sprintf("%s/api/sessions/%s/confirm/%s", address, b.session, id), nil)
		require.NoError(t, err)
		req.Header.Set("Origin", address)
		_, port, _ := strings.Cut(strings.TrimPrefix(address, "http://"), ":")
		req.AddCookie(&http.Cookie{Name: "skua_dashboard_" + port, Value: token})
		answer, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer.StatusCode
	}
	require.Equal(t, http.StatusUnauthorized, post(id, "guessed"))
	require.Equal(t, http.StatusOK, post(id, token))
	require.NotEqual(t, http.StatusOK, post(id, token), "it was done once")
	require.Contains(t, b.tool(map[string]any{"args": []string{"get", "title"}}), "a person confirmed `click #h`")
	require.Contains(t, b.tool(map[string]any{"args": []string{"get", "title"}}), "clicked")
}
