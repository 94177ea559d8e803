package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/session"
)

// firstLine is the first line of what `snapshot` prints.
func (c *client) firstLine(args ...string) string {
	c.t.Helper()
	line, _, _ := strings.Cut(c.do(append([]string{"snapshot"}, args...)...).Result.Text, "\n")
	return line
}

func TestSnapshotHeader(t *testing.T) {
	t.Parallel()
	c := opened(t, "/status/404")
	address := site.url("/status/404")
	want := `page "Status 404" ` + address + ` [HTTP 404, tab t1]`
	require.Equal(t, want, c.firstLine())
	require.Equal(t, want, c.firstLine("-i"))
	require.Equal(t, `page "Status 404" `+address+` [tab t1]`, c.firstLine("--source", "ax"), "Chrome's tree does not have the status")
	require.Equal(t, strings.Replace(want, "]", ", unchanged]", 1), func() string { c.do("snapshot"); return c.firstLine("--delta") }())
	require.Equal(t, "(empty page)", c.firstLine("--no-header"))
	require.Equal(t, map[string]any{"tab": "t1", "title": "Status 404", "status": 404.0}, c.data("snapshot")["page"])
}

func TestSnapshotHeaderOfTabFrameDialog(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.do("open", site.url(site.write(`<!doctype html><title>Shop</title><iframe name=pay srcdoc="<button>Pay</button>"></iframe>
		<button onclick="d.showModal()">Ask</button><dialog id=d aria-label="Sure?"><button>Yes</button></dialog>`)))
	c.do("tab", "new", "--label", "help", site.url("/echo"))
	require.Contains(t, c.firstLine("-i"), `[tab t2 "help"]`)
	c.do("tab", "t1")
	c.do("frame", "pay")
	require.Contains(t, c.firstLine("-i"), `page "Shop" http`)
	require.Contains(t, c.firstLine("-i"), `[tab t1, frame "pay"]`)
	c.do("frame", "main")
	c.do("click", "button")
	require.Contains(t, c.firstLine("-i"), `[tab t1, dialog "Sure?"]`)
}

// Under the name agent-browser the text is that of agent-browser; the tool, which calls by that name too, shows skua's.
func TestSnapshotHeaderByName(t *testing.T) {
	t.Parallel()
	c := opened(t, "/status/200")
	text := func(program string, tool bool) string { return c.named(program, tool, "snapshot", "-i").Text }
	require.NotContains(t, text("agent-browser", false), "Status 200")
	require.Contains(t, text("agent-browser", true), `page "Status 200"`)
	require.Contains(t, text("skua", false), `page "Status 200"`)
}

// named runs a command as a caller does that calls the program by a name: a shell, or the tool.
func (c *client) named(program string, tool bool, args ...string) actions.Result {
	c.t.Helper()
	reply := c.host.Do(context.Background(), session.Request{
		Program: program, Agent: tool, Args: append([]string{"--session", c.session}, args...), Cwd: c.dir, Getenv: func(name string) string { return c.env[name] },
	})
	require.NoError(c.t, reply.Err)
	return reply.Result
}
