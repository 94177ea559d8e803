package mcp_test

import (
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// A field that the page replaces while it is typed into is typed into once more on each road that types; then it holds
// the text, or the call fails with what arrived.
func TestTypeIntoAFieldThatIsReplaced(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	step := func(action string, more object) object {
		more["action"] = action
		return object{"job": object{"steps": []object{more}}}
	}
	html, err := os.ReadFile("../../testdata/pages/acting-typing-remount.html")
	require.NoError(t, err)
	page := site.Show(string(html))
	roads := map[string]struct {
		tool      string
		arguments object
		fills     bool // enters the text at once
		each      bool // each character is typed by a command of its own
	}{
		"dom_type": {tool: "dom_type", arguments: object{"selector": "@e1", "text": "hello"}},
		"dom_type over": {
			tool: "dom_type", arguments: object{"selector": "@e1", "text": "hello", "replace": true},
			fills: true,
		},
		"browser_type": {tool: "browser_type", arguments: object{"selector": "#field", "text": "hello"}},
		"browser_run":  {tool: "browser_run", arguments: object{"code": "await page.type('#field', 'hello')"}},
		"job type":     {tool: "agent_browser", arguments: step("type", object{"selector": "#field", "text": "hello"})},
		"job fill": {
			tool: "agent_browser", arguments: step("fill", object{"selector": "#field", "text": "hello"}),
			fills: true,
		},
		"semantic fill": {
			tool:      "agent_browser",
			arguments: object{"semanticAction": object{"action": "fill", "locator": "label", "value": "Name", "text": "hello"}},
			fills:     true,
		},
		"args find fill": {
			tool:      "agent_browser",
			arguments: object{"args": []string{"find", "label", "Name", "fill", "hello"}}, fills: true,
		},
		"args find type": {
			tool:      "agent_browser",
			arguments: object{"args": []string{"find", "label", "Name", "type", "hello"}},
		},
		"browser_fill": {tool: "browser_fill", arguments: object{"selector": "#field", "value": "hello"}, fills: true},
		"job type by delay": {
			tool:      "agent_browser",
			arguments: step("type", object{"selector": "#field", "text": "hello", "delayMs": 1}), each: true,
		},
	}
	for name, road := range roads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetAgent, mcp.SetBrowser, mcp.SetCopilot}})
			c := connect(t, s, nil)
			for _, query := range []string{
				"on=focus&times=1", "on=later&times=1", "on=input&times=1&value=kept",
				"on=input&times=1", "on=input&value=kept&focus=1",
			} {
				if (road.fills || road.each) && query == "on=input&times=1" {
					continue // the page has thrown away what it had taken
				}
				c.do("open", page+"?"+query)
				road.arguments = withRef(c, road.arguments)
				r := c.call(road.tool, road.arguments)
				require.False(t, r.IsError, "%s: %s", query, textOf(r))
				require.Contains(t, c.do("eval", "'<' + document.getElementById('field').value + '>' + log.join('')"), "<hello>",
					"%s: %s", query, textOf(r))
			}
			query, says := "on=input&value=kept", "2 characters of 5 arrived"
			if road.fills || road.each {
				query, says = "on=later", "before it had the text"
			}
			if road.each {
				says = "0 characters of 1 arrived"
			}
			c.do("open", page+"?"+query)
			road.arguments = withRef(c, road.arguments)
			r := c.call(road.tool, road.arguments)
			require.True(t, r.IsError, textOf(r))
			require.Contains(t, textOf(r), says)
		})
	}
}

// withRef takes a snapshot and puts the field's ref where the arguments have one.
func withRef(c *client, arguments map[string]any) map[string]any {
	c.t.Helper()
	ref := regexp.MustCompile(`textbox "Name" (@e\d+)`).FindStringSubmatch(c.do("snapshot", "-i"))
	require.NotNil(c.t, ref)
	arguments = maps.Clone(arguments)
	if word, _ := arguments["selector"].(string); strings.HasPrefix(word, "@") {
		arguments["selector"] = ref[1]
	}
	return arguments
}
