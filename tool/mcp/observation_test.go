package mcp_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/tool/mcp"
)

// What a step led to is under the same names with each tool for page capabilities, and is what the page has.
func TestObservationsOfTheCopilot(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetAgent, mcp.SetCopilot}})
	c := connect(t, s, nil)
	value := func(script string) string {
		t.Helper()
		return strings.TrimSpace(c.do("eval", script))
	}
	begun := time.Now().UnixMilli()
	observed := func(name string, arguments map[string]any) map[string]any {
		t.Helper()
		r := c.call(name, arguments)
		o, ok := details(t, r)["observation"].(map[string]any)
		require.True(t, ok, "%s: no observation: %s", name, textOf(r))
		require.GreaterOrEqual(t, o["ts"], float64(begun), name)
		require.LessOrEqual(t, o["ts"], float64(time.Now().UnixMilli()), name)
		return o
	}
	other := site.Show(`<title>Other</title><p>Other</p>`)
	page := site.Show(
		`<title>Shop</title><label>Who <input></label><button onclick="history.pushState(null, '', '?more'); document.title = 'More'">More</button>
		<button id="off" disabled>Off</button><a href="` + other + `">Leave</a>
		<table><tr><th>Date<th>Amount<tr><td>2026-11-01<td><button>Pay</button><tr><td>2026-10-01<td><button>Pay</button></table>`)

	o := observed("tabs_open", map[string]any{"url": page})
	require.Equal(t, page, o["url"])
	require.Equal(t, "Shop", o["title"])

	o = observed("dom_type", map[string]any{"selector": "input", "text": "ann"})
	require.Equal(t, false, o["urlChanged"])
	require.Equal(t, "textbox", o["focusedRole"])
	require.Equal(t, "INPUT", value("document.activeElement.tagName"))
	require.NotContains(t, o, "collectionSummary", "the items were not counted")

	o = observed("dom_click", map[string]any{"selector": map[string]any{"kind": "text", "text": "More"}})
	require.Equal(t, value("location.href"), o["url"])
	require.Equal(t, page+"?more", o["url"])
	require.Equal(t, "More", o["title"])
	require.Equal(t, true, o["urlChanged"])
	require.Equal(t, "button", o["focusedRole"])

	o = observed("get_mini_pcd", nil)
	require.Equal(t, false, o["urlChanged"])
	require.Equal(t, "button", o["focusedRole"])
	lists, _ := o["collectionSummary"].([]any)
	require.Len(t, lists, 1)
	list := lists[0].(map[string]any)
	require.EqualValues(t, 2, list["count"], value("document.querySelectorAll('td:first-child').length"))
	o = observed("dom_extract", map[string]any{"collectionId": list["id"]})
	require.Equal(t, lists, o["collectionSummary"])

	r := c.call("dom_click", map[string]any{"selector": "#off"})
	require.True(t, r.IsError)
	o = details(t, r)["observation"].(map[string]any)
	require.Equal(t, page+"?more", o["url"], "behind a step that failed")
	require.Equal(t, false, o["urlChanged"])

	o = observed("dom_click", map[string]any{"selector": "a"})
	require.Equal(t, true, o["urlChanged"])
	observed("dom_wait_for", map[string]any{"event": "text", "value": "Other"})
	o = observed("dom_scroll", map[string]any{"y": 10})
	require.Equal(t, other, o["url"])
	require.Equal(t, "Other", o["title"])
	require.Equal(t, false, o["urlChanged"])

	c.do("open",
		site.Show(`<title>Form</title><form action="`+other+
			`"><input name="q" value="a"><button>Go</button></form><script>onload = () => setTimeout(() => history.replaceState(null, '', '?own'))</script>`))
	c.do("wait", "--fn", "location.search === '?own'")
	o = observed("dom_hover", map[string]any{"selector": "button"})
	require.True(t, strings.HasSuffix(o["url"].(string), "?own"), o["url"])
	require.Equal(t, false, o["urlChanged"], "the page did that by itself, before")
	o = observed("dom_submit", map[string]any{"selector": "form"})
	require.True(t, strings.HasSuffix(o["url"].(string), "?q=a"), o["url"])
	require.Equal(t, true, o["urlChanged"])
	c.do("open", other)

	c.do("tab", "new", page)
	o = observed("dom_wait_for", map[string]any{"event": "text", "value": "Other", "tabId": 1})
	require.Equal(t, other, o["url"], "of the tab that the step was in")
	require.NotContains(t, o, "urlChanged", "it was not seen just before")
	require.Equal(t, page, observed("tabs_switch", map[string]any{"tabId": "t2"})["url"])
	o = observed("tabs_close", map[string]any{"tabId": "t2"})
	require.Equal(t, other, o["url"])
	require.NotContains(t, o, "urlChanged", "it is the page of another tab")
	require.NotContains(t, details(t, c.try("get", "title")), "observation", "agent_browser says these things elsewhere")
}

// The schema of what they return names each member of an observation.
func TestSchemaOfObservations(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetCopilot}})
	tools := listed(t, connect(t, s, nil))
	for _, own := range toolbox.Tools() {
		i := slices.IndexFunc(tools, func(tool *sdk.Tool) bool { return tool.Name == own.MCP })
		require.GreaterOrEqual(t, i, 0, own.MCP)
		schema, _ := tools[i].OutputSchema.(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		observation, _ := properties["observation"].(map[string]any)
		members, _ := observation["properties"].(map[string]any)
		for _, member := range []string{"url", "title", "ts", "urlChanged", "focusedRole", "collectionSummary"} {
			require.Contains(t, members, member, own.MCP)
		}
	}
}
