//go:build linux

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVocabularies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		words []string
		peer  vocabulary
		want  toolCall
	}{
		{
			"skua takes every command line",
			[]string{"get", "text", "h1"},
			skuaWords,
			toolCall{"agent_browser", arguments("args", []string{"get", "text", "h1"})},
		},
		{
			"agent-browser, a flag",
			[]string{"snapshot", "-i"},
			upstreamWords,
			toolCall{"agent_browser_snapshot", arguments("interactive", true)},
		},
		{
			"agent-browser, passing over our option", wholeSnapshot, upstreamWords,
			toolCall{"agent_browser_snapshot", arguments("interactive", true)},
		},
		{
			"agent-browser, two words",
			[]string{"wait", "--text", "ok"},
			upstreamWords,
			toolCall{"agent_browser_wait_for_text", arguments("text", "ok")},
		},
		{
			"agent-browser, a list",
			[]string{"select", "@e1", "a", "b"},
			upstreamWords,
			toolCall{"agent_browser_select", arguments("selector", "@e1", "values", []string{"a", "b"})},
		},
		{
			"agent-browser, tab or tab list",
			[]string{"tab", "t2"},
			upstreamWords,
			toolCall{"agent_browser_tab_switch", arguments("tab", "t2")},
		},
		{
			"agent-browser, closing a tab",
			[]string{"tab", "close", "t2"},
			upstreamWords,
			toolCall{"agent_browser_tab_close", arguments("tab", "t2")},
		},
		{
			"playwright, by script",
			[]string{"get", "title"},
			playwrightWords,
			toolCall{"browser_evaluate", arguments("function", "() => document.title")},
		},
		{
			"playwright, an element",
			[]string{"fill", "e4", "x"},
			playwrightWords,
			toolCall{"browser_type", arguments("element", "the element", "target", "e4", "text", "x")},
		},
		{
			"devtools, on the page",
			[]string{"click", "1_4"},
			devtoolsWords,
			toolCall{"click", arguments("uid", "1_4", "pageId", 1)},
		},
		{
			"devtools, a list",
			[]string{"wait", "--text", "ok"},
			devtoolsWords,
			toolCall{"wait_for", arguments("text", []string{"ok"}, "pageId", 1)},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := test.peer.call(test.words)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
	for name, v := range map[string]vocabulary{
		"agent-browser": upstreamWords, "playwright": playwrightWords,
		"devtools": devtoolsWords,
	} {
		t.Run(name+" says what it has no tool for", func(t *testing.T) {
			t.Parallel()
			_, err := v.call([]string{"cookies", "clear"})
			require.ErrorIs(t, err, errNoTool)
		})
	}
}

func TestRefsOfPeers(t *testing.T) {
	t.Parallel()
	const (
		playwright = "```yaml\n- generic [active] [ref=e1]:\n  - button \"Go\" [ref=f2e3]\n  - button \"Go on\" [disabled] " +
			"[ref=f2e4] [cursor=pointer]: Go on\n  - link \"A (b)\" [ref=e9]:\n```"
		devtools = "## Latest page snapshot\nuid=1_0 RootWebArea \"T\"\n  uid=1_2 button \"Go\"\n  uid=1_3 button \"Go " +
			"on\"\n  uid=1_4 link \"A (b)\"\n"
	)
	tests := []struct {
		name           string
		peer           vocabulary
		snapshot       string
		role, wantName string
		want           string
		fails          string
	}{
		{"playwright", playwrightWords, playwright, "button", "Go", "f2e3", ""},
		{"playwright, with states", playwrightWords, playwright, "button", "Go on", "f2e4", ""},
		{"playwright, special characters", playwrightWords, playwright, "link", "A (b)", "e9", ""},
		{"playwright, none", playwrightWords, playwright, "link", "Go", "", "0 lines"},
		{"devtools", devtoolsWords, devtools, "button", "Go", "1_2", ""},
		{"devtools, special characters", devtoolsWords, devtools, "link", "A (b)", "1_4", ""},
		{"devtools, several", devtoolsWords, devtools + devtools, "button", "Go", "", "2 lines"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := test.peer.ref(test.snapshot, test.role, test.wantName)
			if test.fails != "" {
				require.ErrorContains(t, err, test.fails)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestRefOfWhatChanged(t *testing.T) {
	t.Parallel()
	const reply = "Clicked: @e1\n(+ 1 appeared, ~ 1 changed, - 1 gone since revision 1, now revision 2)\n" +
		"- button \"Gone\" [ref=e1]\n+ textbox \"Price\" [focused, ref=e7]\n~ button \"Save\" [ref=e8] (was: button " +
		"\"Edit\" [ref=e8])\n"
	for _, one := range []struct {
		role, name, want string
	}{{"textbox", "Price", "@e7"}, {"button", "Save", "@e8"}, {"button", "Gone", ""}, {"button", "Edit", ""}} {
		ref, err := refOfDelta(reply, one.role, one.name)
		require.Equal(t, one.want, ref, one.name)
		require.Equal(t, one.want == "", err != nil)
	}
	ref, err := refOfDelta("- button \"Whole\" [ref=e3]\n", "button", "Whole")
	require.NoError(t, err)
	require.Equal(t, "@e3", ref)
}
