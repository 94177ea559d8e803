package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// What programs read of a result, as it comes to a client.
func TestDetailsOfACall(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	c.do("open", site.Show("<title>Page</title><input id=a><input type=password id=b>"))
	t.Run("1.5 a browser call has the usual keys", func(t *testing.T) {
		d := details(t, c.try("get", "title"))
		for _, key := range []string{
			"args", "effectiveArgs", "command", "subcommand", "sessionMode", "sessionName", "usedImplicitSession", "exitCode",
			"data", "summary",
		} {
			require.Contains(t, d, key)
		}
		require.Equal(t, []any{"get", "title"}, d["args"])
		require.Equal(t, "get", d["command"])
		require.Equal(t, "title", d["subcommand"])
		require.Equal(t, "auto", d["sessionMode"])
		require.Equal(t, true, d["usedImplicitSession"])
		require.EqualValues(t, 0, d["exitCode"])
	})
	t.Run("1.5 inspection says so and has what was printed", func(t *testing.T) {
		d := details(t, c.try("--version"))
		require.Equal(t, true, d["inspection"])
		require.NotEmpty(t, d["stdout"])
	})
	t.Run("1.5 a command that makes a file has it", func(t *testing.T) {
		d := details(t, c.try("pdf", "page.pdf"))
		require.NotEmpty(t, d["artifacts"])
		require.NotEmpty(t, d["savedFilePath"])
	})
	t.Run("1.5 a batch has its steps", func(t *testing.T) {
		d := details(t,
			c.call("agent_browser", map[string]any{"args": []string{"batch"}, "stdin": `[["get","title"],["get","url"]]`}))
		require.Len(t, d["batchSteps"], 2)
	})
	t.Run("1.6 arguments come back without their secrets", func(t *testing.T) {
		r := c.try("eval", "1", "--headers", `{"Authorization":"Bearer sk-verysecret123456"}`)
		require.NotContains(t, textOf(r), "sk-verysecret123456")
		for _, key := range []string{"args", "effectiveArgs"} {
			require.NotContains(t, details(t, r)[key], "sk-verysecret123456")
		}
		d := details(t, c.try("set", "credentials", "ann", "hunter2secret"))
		require.NotContains(t, d["args"], "hunter2secret")
		require.NotContains(t, d["effectiveArgs"], "hunter2secret")
	})
}
