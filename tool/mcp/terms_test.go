package mcp_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/mcp"
)

// commandsIn are what a result of a client's names between backquotes that is a command, and no tool of the client.
func commandsIn(t *testing.T, r *sdk.CallToolResult, tools []string) []string {
	t.Helper()
	d := details(t, r)
	delete(d, "args")
	delete(d, "effectiveArgs")
	var texts []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		}
	}
	walk(d)
	var found []string
	for _, text := range append(texts, strings.Split(textOf(r), "\n")...) {
		for i, span := range strings.Split(text, "`") {
			words := strings.Fields(span)
			if i%2 == 0 || len(words) == 0 || slices.Contains(tools, words[0]) {
				continue
			}
			if words[0] == "skua" || argv.Lookup(words[0]) != nil ||
				len(words) > 1 && argv.Lookup(words[0]+" "+words[1]) != nil {
				found = append(found, text)
			}
		}
	}
	return found
}

// Advice names the tools of a client, and no command that it lacks a tool for.
func TestTextsNameToolsOfTheClient(t *testing.T) {
	t.Parallel()
	page := site.Show(
		"<title>Shop</title><p>Say `doctor` and `close`.</p><button id=off disabled>Off</button><input id=ro " +
			"readonly><input type=file id=file>" +
			`<select id=s><option>a</select><input type=checkbox id=c><iframe srcdoc="<p>in"></iframe><button id=b>Buy</button><button class=two>A</button><button class=two>A</button>
		<div style="position:relative"><button id=covered>Under</button><dialog open style="position:absolute;inset:0">Over <button aria-label=Close>x</button></dialog></div>
		<div role=combobox id=combo aria-expanded=false tabindex=0>Combo</div><button id=print onclick="print()">Print</button><button id=ask onclick="setTimeout(() => confirm('Run ` + "`doctor`" + `? Then ` + "`close`" + `.'))">Ask</button>`)
	type call struct {
		tool      string
		arguments map[string]any
	}
	for name, tt := range map[string]struct {
		sets  []mcp.Set
		calls []call
	}{
		"browser": {[]mcp.Set{mcp.SetBrowser}, []call{
			{"browser_snapshot", nil},
			{"browser_open", map[string]any{"url": page}},
			{"browser_click", map[string]any{"selector": "#nowhere"}},
			{"browser_click", map[string]any{"ref": "@e999"}},
			{"browser_click", map[string]any{"selector": "#off"}},
			{"browser_click", map[string]any{"selector": "#file"}},
			{"browser_click", map[string]any{"selector": "#s option"}},
			{"browser_click", map[string]any{"selector": "#covered"}},
			{"browser_click", map[string]any{"selector": ".two"}},
			{"browser_click", map[string]any{"selector": "text=a:has-text("}},
			{"browser_fill", map[string]any{"selector": "#ro", "value": "a"}},
			{"browser_fill", map[string]any{"selector": "#c", "value": "a"}},
			{"browser_fill", map[string]any{"selector": "#s", "value": "a"}},
			{"browser_fill", map[string]any{"selector": "#file", "value": "a"}},
			{"browser_fill", map[string]any{"selector": "iframe", "value": "a"}},
			{"browser_type", map[string]any{"selector": "#b", "text": "a"}},
			{"browser_select", map[string]any{"selector": "#s", "value": "zz"}},
			{"browser_select", map[string]any{"selector": "#b", "value": "zz"}},
			{"browser_click", map[string]any{"selector": "#combo"}},
			{"browser_click", map[string]any{"selector": "#print"}},
			{"browser_press", map[string]any{"key": "Nokey"}},
			{"browser_tabs", map[string]any{"action": "switch", "id": "t9"}},
			{"browser_tabs", map[string]any{"action": "close", "id": "t1"}},
			{"browser_evaluate", map[string]any{"script": "history.replaceState(null, '', '?a'); return"}},
			{"browser_wait", map[string]any{"text": "never", "timeout": 100}},
			{"browser_wait", map[string]any{"url": "*/never", "timeout": 100}},
			{"browser_screenshot", map[string]any{"path": "/dev/null/all.png"}},
			{"browser_pdf", map[string]any{"path": "/dev/null/all.pdf"}},
			{"browser_scout", map[string]any{"goal": "zebra"}},
			{"browser_skill_list", nil},
			{"browser_skill", map[string]any{"name": "nope"}},
			{"browser_run", map[string]any{"code": "await page.click('#nowhere')"}},
			{"browser_route", map[string]any{"url": "*/api", "action": "mock", "body": "x"}},
			{"browser_open", map[string]any{"url": "http://127.0.0.1:1/"}},
			{"browser_open", map[string]any{"url": page}},
			{"browser_click", map[string]any{"selector": "#ask"}},
			{"browser_snapshot", nil},
			{"browser_get", map[string]any{"attr": "title"}},
			{"browser_click", map[string]any{"selector": "#b"}},
		}},
		"copilot": {[]mcp.Set{mcp.SetCopilot}, []call{
			{"get_mini_pcd", nil},
			{"tabs_open", map[string]any{"url": page}},
			{"dom_click", map[string]any{"selector": "#nowhere"}},
			{"dom_click", map[string]any{"selector": "e999"}},
			{"dom_click", map[string]any{"selector": "#off"}},
			{"dom_click", map[string]any{"selector": "#file"}},
			{"dom_click", map[string]any{"selector": "#covered"}},
			{"dom_type", map[string]any{"selector": "#c", "text": "a"}},
			{"dom_type", map[string]any{"selector": "#s", "text": "a", "replace": true}},
			{"dom_check", map[string]any{"selector": "#b"}},
			{"dom_select", map[string]any{"selector": "#b", "value": "zz"}},
			{"dom_submit", map[string]any{"selector": "#b"}},
			{"dom_extract", map[string]any{"collectionId": "e999"}},
			{"get_details", map[string]any{"ids": []string{"e999"}}},
			{"pcd_query", map[string]any{"text": "zebra"}},
			{"capture_candidates", map[string]any{"ids": []string{"e999"}}},
			{"dom_wait_for", map[string]any{"event": "text", "value": "never", "timeoutMs": 100}},
			{"dom_wait_for", map[string]any{"event": "urlChange", "timeoutMs": 100}},
			{"tabs_switch", map[string]any{"tabId": "t9"}},
			{"tabs_close", map[string]any{"tabId": "t1"}},
			{"skill_sort", map[string]any{"by": "zebra"}},
			{"skill_login", map[string]any{"user": "a"}},
			{"dom_click", map[string]any{"selector": "#ask"}},
			{"get_mini_pcd", nil},
			{"dom_click", map[string]any{"selector": "#b"}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{Sets: tt.sets})
			c := connect(t, s, nil)
			var tools []string
			for _, tool := range listed(t, c) {
				tools = append(tools, tool.Name)
			}
			said := 0
			for _, call := range tt.calls {
				r := c.call(call.tool, call.arguments)
				given, err := json.Marshal(call.arguments)
				require.NoError(t, err)
				t.Logf("%s %s: %s", call.tool, given, textOf(r))
				for _, text := range commandsIn(t, r, tools) {
					if strings.Contains(text, "Say `doctor` and `close`.") || strings.Contains(text, "Run `doctor`? Then `close`.") {
						// the page says it
						said++
						continue
					}
					t.Errorf("%s %s: %s", call.tool, given, text)
				}
			}
			require.NotZero(t, said, "the words of the page stay")
		})
	}
}
