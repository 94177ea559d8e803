package mcp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

func TestSlim(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{Slim: true})
	c := connect(t, s, nil)
	list := listed(t, c)
	text, err := json.Marshal(map[string]any{"tools": list})
	require.NoError(t, err)
	require.LessOrEqual(t, len(text), 1000, "%s", text)
	require.Equal(t, "agent_browser", list[0].Name)
	r := c.call("agent_browser", map[string]any{"help": true})
	require.False(t, r.IsError, textOf(r))
	require.Contains(t, textOf(r), `"semanticAction":{"type":"object"`)
	require.Zero(t, tools.live.Load(), "help costs no browser")
	r = c.call("agent_browser",
		map[string]any{"job": map[string]any{"steps": []map[string]any{{
			"action": "open",
			"url":    site.Show(`<title>One</title>`),
		}, {"action": "snapshot"}}}})
	require.False(t, r.IsError, textOf(r))
	require.Contains(t, c.do("get", "title"), "One", "it is the same tool")
	require.Equal(t, "success", details(t, r)["resultCategory"])
}
