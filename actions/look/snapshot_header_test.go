package look_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// firstLine is the first line of what `snapshot` prints.

func TestSnapshotHeader(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/status/404")
	address := site.URL("/status/404")
	want := `page "Status 404" ` + address + ` [HTTP 404, tab t1]`
	require.Equal(t, want, c.FirstLine())
	require.Equal(t, want, c.FirstLine("-i"))
	require.Equal(t, `page "Status 404" `+address+` [tab t1]`, c.FirstLine("--source", "ax"),
		"Chrome's tree does not have the status")
	require.Equal(t, strings.Replace(want, "]", ", unchanged]", 1), func() string {
		c.Do("snapshot")
		return c.FirstLine("--delta")
	}())
	require.Equal(t, "(empty page)", c.FirstLine("--no-header"))
	require.Equal(t, map[string]any{"tab": "t1", "title": "Status 404", "status": 404.0}, c.Data("snapshot")["page"])
}

func TestSnapshotHeaderOfTabFrameDialog(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Do("open",
		site.URL(site.Write(`<!doctype html><title>Shop</title><iframe name=pay srcdoc="<button>Pay</button>"></iframe>
		<button onclick="d.showModal()">Ask</button><dialog id=d aria-label="Sure?"><button>Yes</button></dialog>`)))
	c.Do("tab", "new", "--label", "help", site.URL("/echo"))
	require.Contains(t, c.FirstLine("-i"), `[tab t2 "help"]`)
	c.Do("tab", "t1")
	c.Do("frame", "pay")
	require.Contains(t, c.FirstLine("-i"), `page "Shop" http`)
	require.Contains(t, c.FirstLine("-i"), `[tab t1, frame "pay"]`)
	c.Do("frame", "main")
	c.Do("click", "button")
	require.Contains(t, c.FirstLine("-i"), `[tab t1, dialog "Sure?"]`)
}

// Under the name agent-browser the text is that of agent-browser; the tool, which calls by that name too, shows skua's.
func TestSnapshotHeaderByName(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/status/200")
	text := func(program string, tool bool) string { return c.RunAs(program, tool, "snapshot", "-i").Text }
	require.NotContains(t, text("agent-browser", false), "Status 200")
	require.Contains(t, text("agent-browser", true), `page "Status 200"`)
	require.Contains(t, text("skua", false), `page "Status 200"`)
}
