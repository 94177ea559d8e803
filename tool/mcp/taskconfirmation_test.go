package mcp_test

import (
	"context"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

const ticketPage = `<title>Tickets</title><main><h1>Tickets</h1><ul><li>Ticket 7: leak <button onclick="this.closest('li').remove()">Delete</button>
	<li>Ticket 17: noise <button onclick="this.closest('li').remove()">Delete</button><li>Ticket 18: noise <button>Delete</button></ul></main>`

// Where the client can ask its user, he decides about a task's step, and the agent that began the task does not:
// neither with it nor later.
func TestTaskStepByElicitation(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer sdk.ElicitResult
		gone   bool
		status string
	}{
		"allowed":     {sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": true}}, true, "succeeded"},
		"declined":    {sdk.ElicitResult{Action: "decline"}, false, "cancelled"},
		"not decided": {sdk.ElicitResult{Action: "cancel"}, false, "awaiting_user"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{})
			asked := make(chan string, 4)
			c := connectBy(t, s,
				&sdk.ClientOptions{ElicitationHandler: func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					asked <- req.Params.Message
					return &tc.answer, nil
				}}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
			c.do("open", site.Show(ticketPage))
			r := c.try("task", "run", "delete ticket 17")
			require.Contains(t, textOf(r), tc.status)
			require.Len(t, asked, 1)
			require.Contains(t, <-asked, `on button "Delete"`)
			if tc.status == "awaiting_user" {
				line := nextOf(t, r, "confirm-task")
				r = c.try(line...)
				require.True(t, r.IsError, "the agent does not confirm it: %s", textOf(r))
				require.Len(t, asked, 1)
			}
			require.Equal(t, !tc.gone, strings.Contains(c.do("get", "text", "main"), "Ticket 17"))
		})
	}
}

// Where no person can be asked, the follow-ups of the reply let the task go on as they are.
func TestTaskGoesOnByItsFollowUps(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connectBy(t, s, nil, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	c.do("open", site.Show(ticketPage))
	for _, tc := range []struct {
		follow string
		gone   bool
	}{{"deny-task", false}, {"confirm-task", true}} {
		r := c.try("task", "run", "delete ticket 17")
		require.Contains(t, textOf(r), "awaiting_user")
		c.try(nextOf(t, r, tc.follow)...)
		require.Equal(t, !tc.gone, strings.Contains(c.do("get", "text", "main"), "Ticket 17"), tc.follow)
	}
	c.do("open",
		site.Show(`<title>Log in</title><main><form><label>User name <input name=user autocomplete=username></label>
		<label>Password <input type=password name=password></label><button>Log in</button></form></main>`))
	r := c.try("task", "run", "log in", "--param", "username=ann")
	require.Contains(t, nextOf(t, r, "resume-task"), "password=env:VARIABLE", "what it lacks is named: %s", textOf(r))
}

// nextOf are the words of a follow-up.
func nextOf(t *testing.T, r *sdk.CallToolResult, id string) []string {
	t.Helper()
	details, ok := r.StructuredContent.(map[string]any)
	require.True(t, ok, "%T", r.StructuredContent)
	list, _ := details["nextActions"].([]any)
	for _, one := range list {
		next, _ := one.(map[string]any)
		if next["id"] != id {
			continue
		}
		params, _ := next["params"].(map[string]any)
		var words []string
		for _, word := range params["args"].([]any) {
			words = append(words, word.(string))
		}
		return words
	}
	require.Fail(t, "no follow-up "+id, "%+v\n%s", list, textOf(r))
	return nil
}
