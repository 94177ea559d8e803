package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// tabs is what `tab list` tells of each tab, without the browser's own ids.
func (c *client) tabs() []string {
	c.t.Helper()
	data := decode[struct {
		Tabs []struct {
			TabID, TargetID, Title, URL, Type string
			Label                             *string
			Active                            bool
		}
	}](c.t, c.do("tab", "list").Result.Data)
	var lines []string
	for _, tab := range data.Tabs {
		require.NotEmpty(c.t, tab.TargetID)
		require.Equal(c.t, "page", tab.Type)
		line := tab.TabID
		if tab.Label != nil {
			line += " " + *tab.Label
		}
		line += " " + tab.Title
		if tab.Active {
			line += " active"
		}
		lines = append(lines, line)
	}
	return lines
}

func titled(title string) string { return site.write("<title>" + title + "</title>") }

func TestTabsOpenAndSwitch(t *testing.T) {
	t.Parallel()
	one, two := titled("One"), titled("Two")
	c := openedFresh(t, one)
	require.Equal(t, []string{"t1 One active"}, c.tabs())

	reply := c.do("tab", "new", site.url(two), "--label", "docs")
	require.Equal(t, "✓ Two\n  "+site.url(two), reply.Result.Text)
	data := decode[object](t, reply.Result.Data)
	delete(data, "targetId")
	require.Equal(t, object{"label": "docs", "tabId": "t2", "title": "Two", "total": 2.0, "url": site.url(two)}, data)
	require.Equal(t, "Two", c.page("document.title"), "the new tab is the active one")

	require.Equal(t, "about:blank", c.do("tab", "new").Result.Text)
	require.Equal(t, []string{"t1 One", "t2 docs Two", "t3  active"}, c.tabs())

	for name, title := range map[string]string{"t1": "One", "docs": "Two", "t2": "Two"} {
		reply := c.do("tab", name)
		require.Equal(t, title, c.page("document.title"))
		require.True(t, strings.HasPrefix(reply.Result.Text, "✓ "+title+"\n"))
	}
	target := c.data("tab", "t1")["targetId"].(string)
	c.do("tab", "docs")
	c.do("tab", target)
	require.Equal(t, "One", c.page("document.title"), "by the browser's own id")

	require.Equal(t, fmt.Sprintf("→ [t1] One - %s\n  [t2] docs Two - %s\n  [t3]  - about:blank", site.url(one), site.url(two)), c.do("tab").Result.Text)
}

// Titles and addresses are those of now, not those of the last command in the tab.
func TestTabsAreFresh(t *testing.T) {
	t.Parallel()
	g := site.gate(t, "")
	c := showingFresh(t, `<title>Before</title><script>fetch('`+g.path+`').then(() => { document.title = 'After' })</script>`)
	c.do("tab", "new")
	g.open()
	c.do("tab", "t1")
	c.do("wait", "--fn", "document.title == 'After'")
	c.do("tab", "t2")
	require.Equal(t, []string{"t1 After", "t2  active"}, c.tabs())
}

func TestTabsClose(t *testing.T) {
	t.Parallel()
	c := openedFresh(t, titled("One"))
	c.do("tab", "new", site.url(titled("Two")))
	c.do("tab", "new", site.url(titled("Three")))
	reply := c.do("tab", "close", "t2")
	require.Equal(t, "✓ Tab [t2] closed", reply.Result.Text)
	data := decode[object](t, reply.Result.Data)
	require.NotEmpty(t, data["targetId"])
	delete(data, "targetId")
	require.Equal(t, object{"closed": true, "label": nil, "tabId": "t2", "activeTabId": "t3"}, data)
	require.Equal(t, []string{"t1 One", "t3 Three active"}, c.tabs())
	c.do("tab", "close")
	require.Equal(t, []string{"t1 One active"}, c.tabs())
	require.Equal(t, "One", c.page("document.title"))
	err := c.fails(fault.TabNotFound, "tab", "close")
	require.Contains(t, err.Error(), "Cannot close the last tab")
	c.do("tab", "new")
	require.Equal(t, []string{"t1 One", "t4  active"}, c.tabs(), "ids are not used again")
	c.do("tab", "close", "t1")
	require.Equal(t, []string{"t4  active"}, c.tabs())
}

// The one that is gone back to is the one that opened it.
func TestTabsCloseGoesToTheOpener(t *testing.T) {
	t.Parallel()
	two := titled("Two")
	c := showingFresh(t, `<title>One</title><a id=a target=_blank rel=opener href="`+two+`">Open</a>`)
	c.do("tab", "new", site.url(titled("Other")))
	c.do("tab", "t1")
	reply := c.do("click", "#a")
	require.Contains(t, told(reply), "a new tab was opened: t3 "+site.url(two)+"; the active tab is still t1")
	require.Equal(t, "One", c.page("document.title"))
	c.do("tab", "t3")
	c.do("tab", "close")
	require.Equal(t, []string{"t1 One active", "t2 Other"}, c.tabs())
}

func TestTabsRefused(t *testing.T) {
	t.Parallel()
	c := openedFresh(t, titled("One"))
	c.do("tab", "new", "--label", "docs")
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
		{[]string{"tab", "new", unusedAddress(t)}, fault.NavigationFailed, "The tab was closed again; t2 is the active one."},
		{[]string{"tab", "list", "all"}, fault.Usage, "Unexpected argument: all"},
	}
	for _, tt := range tests {
		err := c.fails(tt.code, tt.command...)
		require.Contains(t, err.Error(), tt.says)
		require.Equal(t, []string{"t1 One", "t2 docs  active"}, c.tabs(), "%v", tt.command)
	}
}

// Every way in which a page opens another one is told, and the active tab stays.
func TestTabsThatPagesOpen(t *testing.T) {
	t.Parallel()
	two := titled("Two")
	tests := []struct {
		name    string
		html    string
		command []string
	}{
		{"target", `<a id=x target=_blank href="` + two + `">Go</a>`, []string{"click", "#x"}},
		{"window.open", `<button id=x onclick="window.open('` + two + `')">Go</button>`, []string{"click", "#x"}},
		{"window.open with a size", `<button id=x onclick="window.open('` + two + `', '', 'width=300,height=200')">Go</button>`, []string{"click", "#x"}},
		{"window.open without opener", `<button id=x onclick="window.open('` + two + `', '', 'noopener')">Go</button>`, []string{"click", "#x"}},
		{"form", `<form target=_blank action="` + two + `"><button id=x>Go</button></form>`, []string{"click", "#x"}},
		{"key", `<a id=x target=_blank href="` + two + `">Go</a><script>x.focus()</script>`, []string{"press", "Enter"}},
		{"script", ``, []string{"eval", "open('" + two + "'), 1"}},
		{"choice", `<select id=x onchange="window.open('` + two + `')"><option>a<option>b</select>`, []string{"select", "#x", "b"}},
		{"checkbox", `<input type=checkbox id=x onchange="window.open('` + two + `')">`, []string{"check", "#x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := showingFresh(t, `<title>One</title>`+tt.html)
			reply := c.do(tt.command...)
			require.Contains(t, told(reply), "a new tab was opened: t2 ")
			require.Contains(t, told(reply), "the active tab is still t1")
			require.Equal(t, "One", c.page("document.title"))
			c.do("tab", "t2")
			c.do("wait", "--fn", "document.title == 'Two'")
			require.Equal(t, []string{"t1 One", "t2 Two active"}, c.tabs())
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
			two := site.write("<title>Two</title>" + tt.html)
			c := showingFresh(t, `<title>One</title><button id=x onclick="window.open('`+two+`')">Go</button>`)
			c.do("click", "#x")
			c.do("tab", "t2")
			said := notes(c.do(tt.command...))
			for !strings.Contains(said, " was closed") && t.Context().Err() == nil { // the browser closes the tab in its own time
				said += notes(c.do("tab", "list"))
			}
			require.Contains(t, said, "tab t2 ("+site.url(two)+") was closed; the active tab is now t1")
			require.Equal(t, []string{"t1 One active"}, c.tabs())
			require.Equal(t, "One", c.page("document.title"))
			err := c.fails(fault.TabNotFound, "tab", "t2")
			require.Contains(t, err.Error(), "Tab t2 not found")
		})
	}
}

func TestTabsAreWorlds(t *testing.T) {
	t.Parallel()
	c := showingFresh(t, `<title>One</title><button>Go</button>`)
	ref := c.ref(`button "Go"`)
	c.do("tab", "new", site.url(titled("Two")))
	err := c.fails(fault.RefStale, "click", ref)
	require.Contains(t, err.Error(), ref+" belongs to tab t1, and t2 is the active one")
	require.Contains(t, err.Error(), "Run `tab t1` first")
	c.do("tab", "t1")
	c.do("click", ref)
	c.do("tab", "t2")
	c.do("tab", "close", "t1")
	err = c.fails(fault.RefStale, "click", ref)
	require.Contains(t, err.Error(), "whose tab t1 was closed")
}

// Listing and closing tabs does not wait for a page that is stuck.
func TestTabsBesideAStuckPage(t *testing.T) {
	t.Parallel()
	c := openedFresh(t, titled("One"))
	stuck := site.gate(t, "")
	c.do("tab", "new", site.url(site.write(`<title>Stuck</title><button id=b onclick="stuck()">Go</button><script>stuck = () => {
		const r = new XMLHttpRequest(); r.open('GET', '`+stuck.path+`', false); r.send(); log.push('free') }</script>`)))
	click := c.start("click", "#b")
	stuck.waitAsked(t)
	require.Equal(t, []string{"t1 One", "t2 Stuck active"}, c.tabs())
	c.do("tab", "t1")
	require.Empty(t, click)
	stuck.open()
	c.await(click)
	require.Equal(t, "One", c.page("document.title"))
	c.do("tab", "t2")
	require.Equal(t, "free", c.log())
	require.Empty(t, cmp.Diff([]string{"t1 One", "t2 Stuck active"}, c.tabs()))
}
