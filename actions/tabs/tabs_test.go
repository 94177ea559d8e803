package tabs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestTabsOpenAndSwitch(t *testing.T) {
	t.Parallel()
	one, two := site.Titled("One"), site.Titled("Two")
	c := host.OpenedFresh(t, one)
	require.Equal(t, []string{"t1 One active"}, c.Tabs())

	reply := c.Do("tab", "new", site.URL(two), "--label", "docs")
	require.Equal(t, "✓ Two\n  "+site.URL(two), reply.Result.Text)
	data := sessiontest.Decode[object](t, reply.Result.Data)
	delete(data, "targetId")
	require.Equal(t, object{"label": "docs", "tabId": "t2", "title": "Two", "total": 2.0, "url": site.URL(two)}, data)
	require.Equal(t, "Two", c.Page("document.title"), "the new tab is the active one")

	require.Equal(t, "about:blank", c.Do("tab", "new").Result.Text)
	require.Equal(t, []string{"t1 One", "t2 docs Two", "t3  active"}, c.Tabs())

	for name, title := range map[string]string{"t1": "One", "docs": "Two", "t2": "Two"} {
		reply := c.Do("tab", name)
		require.Equal(t, title, c.Page("document.title"))
		require.True(t, strings.HasPrefix(reply.Result.Text, "✓ "+title+"\n"))
	}
	target := c.Data("tab", "t1")["targetId"].(string)
	c.Do("tab", "docs")
	c.Do("tab", target)
	require.Equal(t, "One", c.Page("document.title"), "by the browser's own id")

	require.Equal(t,
		fmt.Sprintf("→ [t1] One - %s\n  [t2] docs Two - %s\n  [t3]  - about:blank", site.URL(one), site.URL(two)),
		c.Do("tab").Result.Text)
}

// Titles and addresses are those of now, not those of the last command in the tab.
func TestTabsAreFresh(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c := host.ShowingFresh(t,
		`<title>Before</title><script>fetch('`+g.Path+`').then(() => { document.title = 'After' })</script>`)
	c.Do("tab", "new")
	g.Open()
	c.Do("tab", "t1")
	c.Do("wait", "--fn", "document.title == 'After'")
	c.Do("tab", "t2")
	require.Equal(t, []string{"t1 After", "t2  active"}, c.Tabs())
}

func TestTabsClose(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, site.Titled("One"))
	c.Do("tab", "new", site.URL(site.Titled("Two")))
	c.Do("tab", "new", site.URL(site.Titled("Three")))
	reply := c.Do("tab", "close", "t2")
	require.Equal(t, "✓ Tab [t2] closed", reply.Result.Text)
	data := sessiontest.Decode[object](t, reply.Result.Data)
	require.NotEmpty(t, data["targetId"])
	delete(data, "targetId")
	require.Equal(t, object{"closed": true, "label": nil, "tabId": "t2", "activeTabId": "t3"}, data)
	require.Equal(t, []string{"t1 One", "t3 Three active"}, c.Tabs())
	c.Do("tab", "close")
	require.Equal(t, []string{"t1 One active"}, c.Tabs())
	require.Equal(t, "One", c.Page("document.title"))
	err := c.Fails(fault.TabNotFound, "tab", "close")
	require.Contains(t, err.Error(), "Cannot close the last tab")
	c.Do("tab", "new")
	require.Equal(t, []string{"t1 One", "t4  active"}, c.Tabs(), "ids are not used again")
	c.Do("tab", "close", "t1")
	require.Equal(t, []string{"t4  active"}, c.Tabs())
}

// The one that is gone back to is the one that opened it.
func TestTabsCloseGoesToTheOpener(t *testing.T) {
	t.Parallel()
	two := site.Titled("Two")
	c := host.ShowingFresh(t, `<title>One</title><a id=a target=_blank rel=opener href="`+two+`">Open</a>`)
	c.Do("tab", "new", site.URL(site.Titled("Other")))
	c.Do("tab", "t1")
	reply := c.Do("click", "#a")
	require.Contains(t, sessiontest.Told(reply), "a new tab was opened: t3 "+site.URL(two)+"; the active tab is still t1")
	require.Equal(t, "One", c.Page("document.title"))
	c.Do("tab", "t3")
	c.Do("tab", "close")
	require.Equal(t, []string{"t1 One active", "t2 Other"}, c.Tabs())
}

func TestTabsRefused(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, site.Titled("One"))
	c.Do("tab", "new", "--label", "docs")
	tests := []struct {
		command []string
		code    fault.Code
		says    string
	}{
		{[]string{"tab", "t9"}, fault.TabNotFound, "Tab t9 not found; run `tab` to list open tabs"},
		{[]string{"tab", "absent"}, fault.TabNotFound, "No tab with label `absent`"},
		{[]string{"tab", "1"}, fault.TabNotFound, "positional integers are not accepted"},
		{[]string{"tab", "close", "t9"}, fault.TabNotFound, "Tab t9 not found"},
		{[]string{"tab", "new", "--label", "docs"}, fault.Usage, "Label `docs` is already used by another tab"},
		{[]string{"tab", "new", "--label", "1bad"}, fault.Usage, "Invalid tab label `1bad`"},
		{[]string{"tab", "new", "--label", "t5"}, fault.Usage, "Tab label `t5` uses syntax reserved for tab IDs"},
		{[]string{"tab", "new", "--x"}, fault.Usage, "Unknown flag: --x"},
		{[]string{"tab", "new", "not an address"}, fault.Usage, "contains a space"},
		{
			[]string{"tab", "new", sessiontest.UnusedAddress(t)},
			fault.NavigationFailed,
			"The tab was closed again; t2 is the active one.",
		},
		{[]string{"tab", "list", "all"}, fault.Usage, "Unexpected argument: all"},
	}
	for _, tt := range tests {
		err := c.Fails(tt.code, tt.command...)
		require.Contains(t, err.Error(), tt.says)
		require.Equal(t, []string{"t1 One", "t2 docs  active"}, c.Tabs(), "%v", tt.command)
	}
}

// Every way in which a page opens another one is told, and the active tab stays.
func TestTabsThatPagesOpen(t *testing.T) {
	t.Parallel()
	two := site.Titled("Two")
	tests := []struct {
		name    string
		html    string
		command []string
	}{
		{"target", `<a id=x target=_blank href="` + two + `">Go</a>`, []string{"click", "#x"}},
		{"window.open", `<button id=x onclick="window.open('` + two + `')">Go</button>`, []string{"click", "#x"}},
		{
			"window.open with a size",
			`<button id=x onclick="window.open('` + two + `', '', 'width=300,height=200')">Go</button>`,
			[]string{"click", "#x"},
		},
		{
			"window.open without opener", `<button id=x onclick="window.open('` + two + `', '', 'noopener')">Go</button>`,
			[]string{"click", "#x"},
		},
		{"form", `<form target=_blank action="` + two + `"><button id=x>Go</button></form>`, []string{"click", "#x"}},
		{"key", `<a id=x target=_blank href="` + two + `">Go</a><script>x.focus()</script>`, []string{"press", "Enter"}},
		{"script", ``, []string{"eval", "open('" + two + "'), 1"}},
		{
			"choice", `<select id=x onchange="window.open('` + two + `')"><option>a<option>b</select>`,
			[]string{"select", "#x", "b"},
		},
		{"checkbox", `<input type=checkbox id=x onchange="window.open('` + two + `')">`, []string{"check", "#x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, `<title>One</title>`+tt.html)
			reply := c.Do(tt.command...)
			require.Contains(t, sessiontest.Told(reply), "a new tab was opened: t2 ")
			require.Contains(t, sessiontest.Told(reply), "the active tab is still t1")
			require.Equal(t, "One", c.Page("document.title"))
			c.Do("tab", "t2")
			c.Do("wait", "--fn", "document.title == 'Two'")
			require.Equal(t, []string{"t1 One", "t2 Two active"}, c.Tabs())
		})
	}
}

func TestTabsThatPagesClose(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		html    string
		command []string
	}{
		{"click", `<button id=b onclick="window.close()">Close</button>`, []string{"click", "#b"}},
		{"key", `<input id=b autofocus onkeydown="window.close()">`, []string{"press", "x"}},
		{"typing", `<input id=b oninput="window.close()">`, []string{"type", "#b", "x"}},
		{"filling", `<input id=b oninput="window.close()">`, []string{"fill", "#b", "x"}},
		{"choice", `<select id=b onchange="window.close()"><option>a<option>b</select>`, []string{"select", "#b", "b"}},
		{"checkbox", `<input id=b type=checkbox onclick="window.close()">`, []string{"check", "#b"}},
		{"pointer", `<button id=b onmouseover="window.close()">Close</button>`, []string{"hover", "#b"}},
		{"script", ``, []string{"eval", "window.close(); new Promise(() => {})"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			two := site.Write("<title>Two</title>" + tt.html)
			c := host.ShowingFresh(t, `<title>One</title><button id=x onclick="window.open('`+two+`')">Go</button>`)
			c.Do("click", "#x")
			c.Do("tab", "t2")
			said := sessiontest.Notes(c.Do(tt.command...))
			for !strings.Contains(said, " was closed") && t.Context().Err() == nil {
				// the browser closes the tab in its own time
				said += sessiontest.Notes(c.Do("tab", "list"))
			}
			require.Contains(t, said, "tab t2 ("+site.URL(two)+") was closed; the active tab is now t1")
			require.Equal(t, []string{"t1 One active"}, c.Tabs())
			require.Equal(t, "One", c.Page("document.title"))
			err := c.Fails(fault.TabNotFound, "tab", "t2")
			require.Contains(t, err.Error(), "Tab t2 not found")
		})
	}
}

func TestTabsAreWorlds(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<title>One</title><button>Go</button>`)
	ref := c.Ref(`button "Go"`)
	c.Do("tab", "new", site.URL(site.Titled("Two")))
	err := c.Fails(fault.RefStale, "click", ref)
	require.Contains(t, err.Error(), ref+" belongs to tab t1, and t2 is the active one")
	require.Contains(t, err.Error(), "Run `tab t1` first")
	c.Do("tab", "t1")
	c.Do("click", ref)
	c.Do("tab", "t2")
	c.Do("tab", "close", "t1")
	err = c.Fails(fault.RefStale, "click", ref)
	require.Contains(t, err.Error(), "whose tab t1 was closed")
}

// Listing and closing tabs does not wait for a page that is stuck.
func TestTabsBesideAStuckPage(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, site.Titled("One"))
	stuck := site.Gate(t, "")
	c.Do("tab", "new",
		site.URL(site.Write(`<title>Stuck</title><button id=b onclick="stuck()">Go</button><script>stuck = () => {
		const r = new XMLHttpRequest(); r.open('GET', '`+stuck.Path+`', false); r.send(); log.push('free') }</script>`)))
	click := c.Start("click", "#b")
	stuck.WaitAsked(t)
	require.Equal(t, []string{"t1 One", "t2 Stuck active"}, c.Tabs())
	c.Do("tab", "t1")
	require.Empty(t, click)
	stuck.Open()
	c.Await(click)
	require.Equal(t, "One", c.Page("document.title"))
	c.Do("tab", "t2")
	require.Equal(t, "free", c.Log())
	require.Empty(t, cmp.Diff([]string{"t1 One", "t2 Stuck active"}, c.Tabs()))
}
