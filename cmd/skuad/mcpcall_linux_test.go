package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMCPCall(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, tt := range []struct {
		name  string
		args  []string
		stdin string
		code  int
		want  string
	}{
		{"no tool", nil, "", 2, `"code":-32602,"message":"Missing tool name`},
		{"an unknown tool", []string{"nope"}, "", 2, `"code":-32602`},
		{"no JSON", []string{"agent_browser", "{"}, "", 2, "Tool arguments must be a JSON object"},
		{"null", []string{"agent_browser", "null"}, "", 2, "Tool arguments must be a JSON object"},
		{"a command that fails", []string{"agent_browser", `{"args":["clik"]}`}, "", 1, `"isError":true`},
		{
			"a page",
			[]string{"agent_browser", "-"},
			`{"args":["open","data:text/html,<title>Paper</title>"]}`, 0,
			"Opened Paper",
		},
		{
			"a tool of the other set",
			[]string{"browser_open", `{"url":"data:text/html,<title>Paper</title>"}`},
			"", 0,
			"Paper",
		},
		{"a set that leaves it out", []string{"browser_open", `{"url":"about:blank"}`, "--tools", "agent"}, "", 2, "-32602"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd, cancel := u.command(append([]string{"mcp", "call"}, tt.args...)...)
			defer cancel()
			cmd.Stdin = strings.NewReader(tt.stdin)
			out, _ := cmd.Output()
			require.Equal(t, tt.code, cmd.ProcessState.ExitCode(), string(out))
			require.Contains(t, string(out), tt.want)
			require.Contains(t, string(out), `"skuaVersion":`)
			require.Equal(t, 1, strings.Count(string(out), "\n"), "one line of JSON")
		})
	}
}
