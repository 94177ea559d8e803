package mcp_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/tool/mcp"
)

// The lines that the tools make are lines of the commands' definitions, and what only looks is a command that only
// looks.
func TestCopilotToolsFitDefinitions(t *testing.T) {
	t.Parallel()
	values := map[string]any{
		"tabId": "t2", "kind": "action|form|collection", "text": "a", "topK": 3, "ids": []string{"e1"}, "selector": "e1",
		"replace": true, "checked": false, "value": "a",
		"y": 5, "event": "text", "timeoutMs": 500, "collectionId": "e1", "fields": []string{"a"}, "url": "http://a.test/",
	}
	for _, tool := range toolbox.Tools() {
		least, all := map[string]any{}, map[string]any{}
		for _, p := range tool.Params {
			require.Contains(t, values, p.Name, tool.Name)
			if all[p.Name] = values[p.Name]; p.Required {
				least[p.Name] = values[p.Name]
			}
		}
		switch tool.Name {
		case "dom.scroll": // by one of them
			delete(all, "selector")
			least["selector"] = "e1"
		case "dom.waitFor":
			least["event"] = "networkIdle"
		}
		for _, call := range []map[string]any{least, all} {
			arguments, err := json.Marshal(call)
			require.NoError(t, err)
			argv, err := tool.Argv(arguments)
			require.NoError(t, err, tool.Name)
			in, err := catalog.Registry().Parse(argv, actions.ParseOptions{})
			require.NoError(t, err, "%s: %q", tool.Name, argv)
			effect := in.Command().Effect
			if tool.ReadOnly {
				require.True(t, effect.Has(actions.Reads), "%s: %s", tool.Name, in.Command().Name)
				require.False(t, effect.Has(actions.Mutates), "%s: %s", tool.Name, in.Command().Name)
			}
			require.Equal(t, call["tabId"] != nil && !slices.Contains(tool.Required(), "tabId"), in.Has("tab"), "%s: %q",
				tool.Name, argv)
		}
	}
}

// The set drives the page that agent_browser sees: each tool's effect is read in the page.
func TestCopilotSetDrivesThePage(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetAgent, mcp.SetCopilot}})
	c := connect(t, s, nil)
	require.Len(t, listed(t, c), 1+len(toolbox.Tools())+len(skill.All()))
	use := func(name string, arguments map[string]any) string {
		t.Helper()
		r := c.call(name, arguments)
		require.False(t, r.IsError, "%s: %s", name, textOf(r))
		return textOf(r)
	}
	id := regexp.MustCompile(`e\d+`)
	find := func(text string) string {
		t.Helper()
		return id.FindString(use("pcd_query", map[string]any{"text": text, "topK": 1}))
	}
	page := site.Show(
		`<title>Shop</title><h1>Shop</h1><form onsubmit="event.preventDefault(); document.title = 'Sent ' + new FormData(this).get('who')">
		<label>Who <input name="who"></label><button>Send</button></form><select id="color"><option>red<option>blue</select>
		<button onclick="history.pushState(null, '', '?more')">More</button>
		<label>Sort by <select onchange="const rows = [...t.rows].slice(1).sort((a, b) => (this.selectedIndex === 1 ? 1 : -1) * a.textContent.localeCompare(b.textContent)); t.tBodies[0].append(...rows)">
		<option>Newest<option>Amount ascending</select></label><table id="t"><tr><th>Date<th>Amount<tr><td>2026-11-01<td>€ 7<tr><td>2026-10-01<td>€ 5</table><div style="height:3000px"></div>`)
	require.Contains(t, use("tabs_open", map[string]any{"url": page}), "t")
	require.Contains(t, use("get_mini_pcd", nil), "Send")
	field := id.FindString(use("pcd_query", map[string]any{"text": "who", "kind": "form"}))
	require.NotEmpty(t, field)
	use("dom_type",
		map[string]any{"selector": map[string]any{"kind": "role", "role": "textbox", "name": "Who"}, "text": "-ann"})
	use("dom_type", map[string]any{"selector": "[name=who]", "text": "bob", "replace": true})
	use("dom_submit", map[string]any{"selector": field})
	require.Contains(t, c.do("get", "title"), "Sent bob")
	use("dom_select", map[string]any{"selector": "#color", "value": "blue"})
	require.Contains(t, c.do("get", "value", "#color"), "blue")
	use("dom_click", map[string]any{"selector": find("more")})
	use("dom_wait_for", map[string]any{"event": "urlChange", "value": page, "timeoutMs": 60000})
	require.Contains(t, c.do("get", "url"), "?more")
	use("dom_wait_for", map[string]any{"event": "text", "value": "Shop"})
	use("dom_wait_for", map[string]any{"event": "networkIdle"})
	require.Contains(t, use("get_details", map[string]any{"ids": []string{find("more")}}), `"name":"More"`)
	list := id.FindString(use("pcd_query", map[string]any{"kind": "collection"}))
	require.Contains(t, use("dom_extract", map[string]any{"collectionId": list, "fields": []string{"amount"}}), "€ 7")
	picture := func(r *sdk.CallToolResult) bool {
		for _, item := range r.Content {
			if image, ok := item.(*sdk.ImageContent); ok {
				decoded, err := png.Decode(bytes.NewReader(image.Data))
				return err == nil && decoded.Bounds().Dx() > 0
			}
		}
		return false
	}
	r := c.call("capture_candidates", map[string]any{"ids": []string{find("more")}})
	require.False(t, r.IsError, textOf(r))
	require.True(t, picture(r), "no picture among the content")
	reply := use("skill_sort", map[string]any{"by": "amount", "order": "ascending"})
	require.Contains(t, reply, "is ascending: € 5, € 7")
	require.Equal(t, "€ 5,€ 7",
		strings.TrimSpace(c.do("eval", "[...document.querySelectorAll('td:last-child')].map(x => x.textContent) + ''")))
	r = c.call("skill_sort", map[string]any{"by": "amount", "direction": "up"})
	require.True(t, r.IsError)
	require.Contains(t, textOf(r), "direction")
	use("dom_scroll", map[string]any{"y": 500})
	require.Contains(t, c.do("eval", "scrollY"), "500")
	c.do("tab", "new", page)
	use("tabs_switch", map[string]any{"tabId": 1})
	use("tabs_close", map[string]any{"tabId": "t1"})
	require.NotContains(t, c.do("tab", "list"), "[t1]")
	for name, arguments := range map[string]map[string]any{
		"dom_click": {"selector": ""}, "dom_extract": {"collectionId": "table"}, "dom_wait_for": {"event": "load"},
	} {
		r := c.call(name, arguments)
		require.True(t, r.IsError, name)
		require.Contains(t, textOf(r), name)
	}
}

func TestReadSetsWithCopilot(t *testing.T) {
	t.Parallel()
	sets, notes, err := mcp.ReadSets("copilot,-agent,copilot")
	require.NoError(t, err)
	require.Empty(t, notes)
	require.Equal(t, []mcp.Set{mcp.SetCopilot}, sets)
}
