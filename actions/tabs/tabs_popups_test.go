package tabs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Popups get an id and are named, the active tab stays, and they can be worked in beside it.
func TestTabsPopups(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"blank", "named", "features", "noopener", "later", "prepared"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			c := host.OpenedFresh(t, "/pages/acting-tab-opener.html")
			c.Do("click", "#"+way)
			c.Until("the tab", func() bool { return len(c.Data("tab")["tabs"].([]any)) == 2 })
			require.Equal(t, "Opener", c.Page("document.title"), "the active tab stays")
			c.Do("--tab", "t2", "wait", "--fn", "document.title == 'Child "+way+"'")
			c.Do("--tab", "t2", "fill", "#note", "hello")
			c.Do("--tab", "t2", "click", "#done")
			require.Equal(t, "Opener", c.Page("document.title"))
			if way != "noopener" && way != "blank" {
				c.Do("wait", "--fn", "log.includes('done "+way+"')")
			}
			c.Do("tab", "switch", "t2")
			require.Equal(t, "hello\ndone", c.Log())
			c.Do("click", "#close")
			c.Until("the end of the tab", func() bool { return len(c.Data("tab")["tabs"].([]any)) == 1 })
			require.Equal(t, "Opener", c.Page("document.title"))
		})
	}
}

func TestTabsPopupsOfPopups(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, "/pages/acting-tab-opener.html")
	c.Do("click", "#nested")
	c.Until("both tabs", func() bool { return len(c.Data("tab")["tabs"].([]any)) == 3 })
	waited := c.Try("--tab", "t3", "wait", "--fn", "document.title == 'Child inner'")
	require.NoError(t, waited.Err, "%v", c.Data("tab"))
	openers := map[any]any{}
	for _, tab := range c.Data("tab")["tabs"].([]any) {
		openers[tab.(object)["tabId"]] = tab.(object)["opener"]
	}
	require.Equal(t, map[any]any{"t1": nil, "t2": "t1", "t3": "t2"}, openers)
	c.Do("--tab", "t3", "click", "#done")
	c.Do("tab", "t2")
	require.Equal(t, "inner", c.Page("w.location.search.slice(1)"))
}

// A popup that closes at once again leaves nothing, and its id is not used again.
func TestTabsPopupsThatVanish(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-tab-opener.html")
	sessiontest.Promptly(t, func() { c.Do("click", "#closing") })
	c.Until("the end of the tab", func() bool { return len(c.Data("tab")["tabs"].([]any)) == 1 })
	c.Do("click", "#written")
	c.Until("the tab", func() bool { return len(c.Data("tab")["tabs"].([]any)) == 2 })
	list := c.Data("tab")["tabs"].([]any)
	id := list[1].(object)["tabId"].(string)
	require.Equal(t, "Written", c.Do("--tab", id, "get", "text", "h1").Result.Text)
}

// A command for one tab leaves the active one as it is, says which it was, and never runs in another one.
func TestTabsOneCommand(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, "/pages/acting-tab-child.html?one")
	c.Do("tab", "new", site.URL("/pages/acting-tab-child.html?two"), "--label", "docs")
	for _, name := range []string{"t1", "docs"} {
		c.Do("--tab", name, "fill", "#note", "in "+name)
		c.Do("click", "#done", "--tab", name)
	}
	require.Equal(t, "in docs\ndone", c.Log(), "docs is active")
	require.Equal(t, "in t1\ndone", c.Data("--tab", "t1", "eval", `log.join("\n")`)["result"])
	out := sessiontest.PrintedReply(c.Do("--json", "--tab", "t1", "snapshot")).Out
	require.Contains(t, out, `"tab":"t1"`)
	require.NotContains(t, sessiontest.PrintedReply(c.Do("--json", "get", "title")).Out, `"tab":`)

	ref := c.Refs()[`button "Done"`]
	c.Do("tab", "t1")
	require.Contains(t, c.Fails(fault.RefStale, "click", ref).Error(), "--tab t2")
	c.Do("--tab", "t2", "click", ref)
	require.Equal(t, "in t1\ndone", c.Log())
	c.Do("--tab", "t2", "open", site.URL("/echo?elsewhere"))
	require.Contains(t, c.Do("get", "url").Result.Text, "?one")
	c.Do("--tab", "docs", "tab", "close")
	err := c.Fails(fault.TabGone, "--tab", "t2", "click", "#done")
	require.Contains(t, err.Error(), "tab_gone: tab t2 is gone")
	require.Equal(t, site.URL("/echo?elsewhere"), err.Facts["lastUrl"])
	c.Fails(fault.TabNotFound, "--tab", "t7", "click", "#done")
	require.Equal(t, "in t1\ndone", c.Log(), "nothing ran in the tab that is left")
	c.Fails(fault.Usage, "--tab", "t1", "tab", "list")
	c.Fails(fault.Usage, "--tab", "t1", "session")
	c.Env["SKUA_TAB"] = "t1"
	c.Do("tab", "new")
	require.Equal(t, "Child one", c.Do("get", "title").Result.Text, "a caller can be bound to a tab by its environment")
}

// A pinned session does not go on in another tab when the page closes the one that it works in.
func TestTabsPinned(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, "/pages/acting-tab-opener.html")
	c.Do("click", "#features")
	c.Do("tab", "t2")
	c.Do("wait", "#close")
	c.Do("--pin-tab", "click", "#close")
	c.Until("the end of the tab", func() bool { return len(c.Data("tab")["tabs"].([]any)) == 1 })
	for _, command := range [][]string{cmd("click", "#features"), cmd("snapshot"), cmd("open", site.URL("/echo"))} {
		err := c.Fails(fault.TabGone, command...)
		require.Contains(t, err.Error(), "tab_gone: tab t2 is gone (target ")
		require.Contains(t, err.Error(), "Run `tab new <url>` to open another one")
	}
	require.Len(t, c.Data("tab")["tabs"], 1, "nothing was clicked")
	c.Do("tab", "t1")
	require.Equal(t, "Opener", c.Page("document.title"))
	c.Do("tab", "new", site.URL(site.Titled("Mine")))
	c.Do("tab", "close")
	require.Equal(t, "Opener", c.Page("document.title"), "what the caller closes does not surprise it")
}

func TestTabsWindow(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, site.Titled("One"))
	reply := c.Do("window", "new")
	require.Equal(t, "✓ Window opened [t2] (2 total)", reply.Result.Text)
	data := sessiontest.Decode[object](t, reply.Result.Data)
	require.Equal(t, []any{"t2", 2.0}, []any{data["tabId"], data["total"]})
	require.Equal(t, "about:blank", c.Page("location.href"))
	c.Do("open", site.URL("/pages/acting-tab-child.html?window"))
	c.Do("tab", "t1")
	c.Do("--tab", "t2", "click", "#done")
	require.Equal(t, "One", c.Page("document.title"))
}

// Many tabs: the list stays quick, also with stuck pages among them.
func TestTabsMany(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, site.Titled("First"))
	const most = 40
	c.Do("eval", fmt.Sprintf("for (let i = 0; i < %d; i++) open('%s'); 0", most, site.Titled("Tab")))
	c.Until("all tabs", func() bool { return len(c.Data("tab")["tabs"].([]any)) == most+1 })
	text := c.Do("tab", "list").Result.Text
	require.Equal(t, most+1, strings.Count(text, "["))
	c.Do("--tab", fmt.Sprintf("t%d", most), "wait", "--fn", "document.title == 'Tab'")
	c.Do("--tab", fmt.Sprintf("t%d", most), "eval", "log.push('there'); 0")
	c.Do("tab", fmt.Sprintf("t%d", most))
	require.Equal(t, "there", c.Log())
}

// A tab in the background works as one in front does.
func TestTabsInTheBackground(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-tab-background.html")
	c.Do("tab", "new", site.URL(site.Titled("In front")))
	c.Do("--tab", "t1", "click", "#go")
	c.Do("--tab", "t1", "type", "#name", "ab")
	c.Do("--tab", "t1", "click", "#fade")
	c.Do("--tab", "t1", "wait", "--fn", "log.includes('faded')")
	require.Equal(t, []any{"clicked visible true", "focus", "a", "ab", "faded"},
		c.Data("--tab", "t1", "eval", "log")["result"])
	before := c.Data("--tab", "t1", "eval", "frames1")["result"].(float64)
	c.Do("--tab", "t1", "wait", "--fn", fmt.Sprintf("frames1 > %v + 3 && ticks > 3", before))
	c.Do("--tab", "t1", "scrollintoview", "#card")
	c.Do("--tab", "t1", "wait", "--fn", "seen.includes('card')")
	require.Greater(t, c.Data("--tab", "t1", "eval", "scrollY")["result"], 1000.0)
	shot := c.Do("--tab", "t1", "screenshot", "back.png")
	require.FileExists(t, c.Dir+"/back.png")
	require.NotEmpty(t, shot.Result.Text)
	require.Equal(t, "In front", c.Page("document.title"))
}
