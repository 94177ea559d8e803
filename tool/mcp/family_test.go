package mcp_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// The family drives the page that agent_browser sees: each tool's effect is read in the page, or on the disk.
func TestFamilyDrivesThePage(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetAgent, mcp.SetBrowser}})
	c := connect(t, s, nil)
	require.Len(t, listed(t, c), 23)
	use := func(name string, arguments map[string]any) string {
		t.Helper()
		r := c.call(name, arguments)
		require.False(t, r.IsError, "%s: %s", name, textOf(r))
		return textOf(r)
	}
	first := site.Show(`<title>First</title><h1>First</h1>`)
	form := site.Show(
		`<title>Form</title><label>Name <input id="name"></label><select id="color"><option>red<option>blue</select>
		<button id="go" onclick="document.title = 'Gone'" onmouseenter="this.dataset.over = 1" ondblclick="this.dataset.twice = 1">Go</button>`)
	use("browser_open", map[string]any{"url": first})
	use("browser_open", map[string]any{"url": form, "wait": "domcontentloaded"})
	use("browser_back", nil)
	require.Contains(t, c.do("get", "title"), "First")
	use("browser_forward", nil)
	require.Contains(t, c.do("get", "title"), "Form")
	require.Contains(t, use("browser_snapshot", map[string]any{"interactive": true}), "@e1")
	use("browser_fill", map[string]any{"ref": "e1", "value": "-5"})
	require.Contains(t, c.do("get", "value", "#name"), "-5")
	use("browser_type", map[string]any{"selector": "#name", "text": "ann", "clear": true})
	require.Contains(t, c.do("get", "value", "#name"), "ann")
	use("browser_press", map[string]any{"key": "Backspace"})
	require.NotContains(t, c.do("get", "value", "#name"), "ann")
	require.Contains(t, use("browser_get", map[string]any{"selector": "#name", "attr": "value"}), "an")
	use("browser_select", map[string]any{"selector": "#color", "value": "blue"})
	require.Contains(t, c.do("get", "value", "#color"), "blue")
	use("browser_hover", map[string]any{"selector": "#go"})
	require.Contains(t, c.do("get", "attr", "#go", "data-over"), "1")
	use("browser_click", map[string]any{"selector": "#go", "count": 2})
	require.Contains(t, c.do("get", "attr", "#go", "data-twice"), "1")
	require.Contains(t, use("browser_evaluate", map[string]any{"script": "document.title + 6 * 7"}), "Gone42")
	require.Contains(t, use("browser_scout", map[string]any{"goal": "name", "kind": "field"}), "Name")
	require.Contains(t,
		use("browser_run",
			map[string]any{"code": "await page.fill('#name', 'Bea'); return (await page.getValue('#name')).value"}), "Bea")
	require.Contains(t, c.do("get", "value", "#name"), "Bea")
	use("browser_evaluate", map[string]any{"script": "setTimeout(() => document.body.append('late'), 50)"})
	use("browser_wait", map[string]any{"text": "late", "timeout": 60000})
	require.Contains(t, c.do("get", "text", "body"), "late")
	use("browser_reload", nil)
	require.Contains(t, c.do("get", "title"), "Form")
	use("browser_route", map[string]any{"url": "*/api", "action": "mock", "body": "mocked"})
	require.Contains(t, c.do("eval", "fetch('/api').then(r => r.text())"), "mocked")
	use("browser_pdf", map[string]any{"path": "page.pdf"})
	saved, err := os.ReadFile(filepath.Join(tools.cwd, "page.pdf"))
	require.NoError(t, err)
	require.Equal(t, "%PDF", string(saved[:4]))
	use("browser_screenshot", map[string]any{"path": "page.png"})
	require.FileExists(t, filepath.Join(tools.cwd, "page.png"))
	c.do("tab", "new", first)
	require.Contains(t, use("browser_tabs", map[string]any{"action": "list"}), "t2")
	use("browser_tabs", map[string]any{"action": "switch", "id": "t1"})
	require.Contains(t, c.do("get", "title"), "Form")
	use("browser_tabs", map[string]any{"action": "close", "id": "t2"})
	require.NotContains(t, c.do("tab", "list"), "First")
	r := c.call("browser_click", map[string]any{"ref": "e999"})
	require.True(t, r.IsError)
}

// What a client is told to do next it can do: by agent_browser where it has that, else by the tools that it has.
func TestFollowUpsOfTheFamily(t *testing.T) {
	t.Parallel()
	page := site.Show(`<title>Shop</title><button>Buy</button>`)
	for name, tt := range map[string]struct {
		sets []mcp.Set
		want string // the tool of the follow-up
	}{
		"with agent_browser":    {[]mcp.Set{mcp.SetAgent, mcp.SetBrowser}, "agent_browser"},
		"without agent_browser": {[]mcp.Set{mcp.SetBrowser}, "browser_snapshot"},
		"of the copilot alone":  {[]mcp.Set{mcp.SetCopilot}, "get_mini_pcd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{Sets: tt.sets})
			c := connect(t, s, nil)
			open, click := "browser_open", map[string]any{"selector": "#nowhere"}
			if tt.sets[0] == mcp.SetCopilot {
				open = "tabs_open"
			}
			tool := map[string]string{"browser_open": "browser_click", "tabs_open": "dom_click"}[open]
			r := c.call(open, map[string]any{"url": page})
			require.False(t, r.IsError, textOf(r))
			require.Equal(t, "success", details(t, r)["resultCategory"])
			r = c.call(tool, click)
			require.True(t, r.IsError)
			next := details(t, r)["nextActions"].([]any)
			for _, a := range next {
				require.Equal(t, tt.want, a.(map[string]any)["tool"])
			}
			first := next[0].(map[string]any)
			if tt.want != "agent_browser" {
				require.Contains(t, textOf(r), ": "+tt.want+" {")
			}
			params, _ := first["params"].(map[string]any)
			r = c.call(tt.want, params)
			require.False(t, r.IsError, textOf(r))
			require.Contains(t, textOf(r), "Buy")
		})
	}
}

func TestStructuredContentOfTheCopilot(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetAgent, mcp.SetCopilot}})
	c := connect(t, s, nil)
	c.do("open",
		site.Show(`<title>Shop</title><form aria-label="Order"><label>Who <input></label><button>Buy</button></form>`))
	data := details(t, c.call("get_mini_pcd", nil))["data"].(map[string]any)
	require.NotEmpty(t, data["actions"])
	require.NotEmpty(t, data["forms"])
}
