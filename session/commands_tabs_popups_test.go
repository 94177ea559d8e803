package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// until runs a check until it holds, since a page opens and closes tabs in its own time.
func (c *client) until(what string, holds func() bool) {
	c.t.Helper()
	for end := time.Now().Add(commandLimit); !holds(); {
		require.True(c.t, time.Now().Before(end), "waiting for %s", what)
	}
}

// Popups get an id and are named, the active tab stays, and they can be worked in beside it.
func TestTabsPopups(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"blank", "named", "features", "noopener", "later", "prepared"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			c := openedFresh(t, "/pages/acting-tab-opener.html")
			c.do("click", "#"+way)
			c.until("the tab", func() bool { return len(c.data("tab")["tabs"].([]any)) == 2 })
			require.Equal(t, "Opener", c.page("document.title"), "the active tab stays")
			c.do("--tab", "t2", "wait", "--fn", "document.title == 'Child "+way+"'")
			c.do("--tab", "t2", "fill", "#note", "hello")
			c.do("--tab", "t2", "click", "#done")
			require.Equal(t, "Opener", c.page("document.title"))
			if way != "noopener" && way != "blank" {
				c.do("wait", "--fn", "log.includes('done "+way+"')")
			}
			c.do("tab", "switch", "t2")
			require.Equal(t, "hello\ndone", c.log())
			c.do("click", "#close")
			c.until("the end of the tab", func() bool { return len(c.data("tab")["tabs"].([]any)) == 1 })
			require.Equal(t, "Opener", c.page("document.title"))
		})
	}
}

func TestTabsPopupsOfPopups(t *testing.T) {
	t.Parallel()
	c := openedFresh(t, "/pages/acting-tab-opener.html")
	c.do("click", "#nested")
	c.until("both tabs", func() bool { return len(c.data("tab")["tabs"].([]any)) == 3 })
	waited := c.try("--tab", "t3", "wait", "--fn", "document.title == 'Child inner'")
	require.NoError(t, waited.Err, "%v", c.data("tab"))
	openers := map[any]any{}
	for _, tab := range c.data("tab")["tabs"].([]any) {
		openers[tab.(object)["tabId"]] = tab.(object)["opener"]
	}
	require.Equal(t, map[any]any{"t1": nil, "t2": "t1", "t3": "t2"}, openers)
	c.do("--tab", "t3", "click", "#done")
	c.do("tab", "t2")
	require.Equal(t, "inner", c.page("w.location.search.slice(1)"))
}

// A popup that closes at once again leaves nothing, and its id is not used again.
func TestTabsPopupsThatVanish(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-tab-opener.html")
	promptly(t, func() { c.do("click", "#closing") })
	c.until("the end of the tab", func() bool { return len(c.data("tab")["tabs"].([]any)) == 1 })
	c.do("click", "#written")
	c.until("the tab", func() bool { return len(c.data("tab")["tabs"].([]any)) == 2 })
	list := c.data("tab")["tabs"].([]any)
	id := list[1].(object)["tabId"].(string)
	require.Equal(t, "Written", c.do("--tab", id, "get", "text", "h1").Result.Text)
}

// A command for one tab leaves the active one as it is, says which it was, and never runs in another one.
func TestTabsOneCommand(t *testing.T) {
	t.Parallel()
	c := openedFresh(t, "/pages/acting-tab-child.html?one")
	c.do("tab", "new", site.url("/pages/acting-tab-child.html?two"), "--label", "docs")
	for _, name := range []string{"t1", "docs"} {
		c.do("--tab", name, "fill", "#note", "in "+name)
		c.do("click", "#done", "--tab", name)
	}
	require.Equal(t, "in docs\ndone", c.log(), "docs is active")
	require.Equal(t, "in t1\ndone", c.data("--tab", "t1", "eval", `log.join("\n")`)["result"])
	out := printedReply(c.do("--json", "--tab", "t1", "snapshot")).Out
	require.Contains(t, out, `"tab":"t1"`)
	require.NotContains(t, printedReply(c.do("--json", "get", "title")).Out, `"tab":`)

	ref := c.refs()[`button "Done"`]
	c.do("tab", "t1")
	require.Contains(t, c.fails(fault.RefStale, "click", ref).Error(), "--tab t2")
	c.do("--tab", "t2", "click", ref)
	require.Equal(t, "in t1\ndone", c.log())
	c.do("--tab", "t2", "open", site.url("/echo?elsewhere"))
	require.Contains(t, c.do("get", "url").Result.Text, "?one")
	c.do("--tab", "docs", "tab", "close")
	err := c.fails(fault.TabGone, "--tab", "t2", "click", "#done")
	require.Contains(t, err.Error(), "tab_gone: tab t2 is gone")
	require.Equal(t, site.url("/echo?elsewhere"), err.Facts["lastUrl"])
	c.fails(fault.TabNotFound, "--tab", "t7", "click", "#done")
	require.Equal(t, "in t1\ndone", c.log(), "nothing ran in the tab that is left")
	c.fails(fault.Usage, "--tab", "t1", "tab", "list")
	c.fails(fault.Usage, "--tab", "t1", "session")
	c.env["SKUA_TAB"] = "t1"
	c.do("tab", "new")
	require.Equal(t, "Child one", c.do("get", "title").Result.Text, "a caller can be bound to a tab by its environment")
}

// A pinned session does not go on in another tab when the page closes the one that it works in.
func TestTabsPinned(t *testing.T) {
	t.Parallel()
	c := openedFresh(t, "/pages/acting-tab-opener.html")
	c.do("click", "#features")
	c.do("tab", "t2")
	c.do("wait", "#close")
	c.do("--pin-tab", "click", "#close")
	c.until("the end of the tab", func() bool { return len(c.data("tab")["tabs"].([]any)) == 1 })
	for _, command := range [][]string{cmd("click", "#features"), cmd("snapshot"), cmd("open", site.url("/echo"))} {
		err := c.fails(fault.TabGone, command...)
		require.Contains(t, err.Error(), "tab_gone: tab t2 is gone (target ")
		require.Contains(t, err.Error(), "Run `tab new <url>` to open another one")
	}
	require.Len(t, c.data("tab")["tabs"], 1, "nothing was clicked")
	c.do("tab", "t1")
	require.Equal(t, "Opener", c.page("document.title"))
	c.do("tab", "new", site.url(titled("Mine")))
	c.do("tab", "close")
	require.Equal(t, "Opener", c.page("document.title"), "what the caller closes does not surprise it")
}

func TestTabsWindow(t *testing.T) {
	t.Parallel()
	c := openedFresh(t, titled("One"))
	reply := c.do("window", "new")
	require.Equal(t, "✓ Window opened [t2] (2 total)", reply.Result.Text)
	data := decode[object](t, reply.Result.Data)
	require.Equal(t, []any{"t2", 2.0}, []any{data["tabId"], data["total"]})
	require.Equal(t, "about:blank", c.page("location.href"))
	c.do("open", site.url("/pages/acting-tab-child.html?window"))
	c.do("tab", "t1")
	c.do("--tab", "t2", "click", "#done")
	require.Equal(t, "One", c.page("document.title"))
}

// Many tabs: the list stays quick, also with stuck pages among them.
func TestTabsMany(t *testing.T) {
	t.Parallel()
	c := opened(t, titled("First"))
	const most = 40
	c.do("eval", fmt.Sprintf("for (let i = 0; i < %d; i++) open('%s'); 0", most, titled("Tab")))
	c.until("all tabs", func() bool { return len(c.data("tab")["tabs"].([]any)) == most+1 })
	text := c.do("tab", "list").Result.Text
	require.Equal(t, most+1, strings.Count(text, "["))
	c.do("--tab", fmt.Sprintf("t%d", most), "wait", "--fn", "document.title == 'Tab'")
	c.do("--tab", fmt.Sprintf("t%d", most), "eval", "log.push('there'); 0")
	c.do("tab", fmt.Sprintf("t%d", most))
	require.Equal(t, "there", c.log())
}

// A tab in the background works as one in front does.
func TestTabsInTheBackground(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-tab-background.html")
	c.do("tab", "new", site.url(titled("In front")))
	c.do("--tab", "t1", "click", "#go")
	c.do("--tab", "t1", "type", "#name", "ab")
	c.do("--tab", "t1", "click", "#fade")
	c.do("--tab", "t1", "wait", "--fn", "log.includes('faded')")
	require.Equal(t, []any{"clicked visible true", "focus", "a", "ab", "faded"}, c.data("--tab", "t1", "eval", "log")["result"])
	before := c.data("--tab", "t1", "eval", "frames1")["result"].(float64)
	c.do("--tab", "t1", "wait", "--fn", fmt.Sprintf("frames1 > %v + 3 && ticks > 3", before))
	c.do("--tab", "t1", "scrollintoview", "#card")
	c.do("--tab", "t1", "wait", "--fn", "seen.includes('card')")
	require.Greater(t, c.data("--tab", "t1", "eval", "scrollY")["result"], 1000.0)
	shot := c.do("--tab", "t1", "screenshot", "back.png")
	require.FileExists(t, c.dir+"/back.png")
	require.NotEmpty(t, shot.Result.Text)
	require.Equal(t, "In front", c.page("document.title"))
}
