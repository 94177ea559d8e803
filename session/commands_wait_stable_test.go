package session_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const movingPage = "/pages/acting-wait-moving.html"

// After the wait, what a button began is over.
func TestWaitUntilStable(t *testing.T) {
	t.Parallel()
	for button, over := range map[string]string{
		"Slide": "log.includes('slide')", "Grow": "log.includes('grow')", "Rows": "list.children.length === 6 && log.includes('rows')",
		"Work in the frame": "frames[0].document.querySelectorAll('li').length === 6", "Scroll": "log.includes('scroll') && scrollY === 1500",
	} {
		t.Run(button, func(t *testing.T) {
			t.Parallel()
			c := opened(t, movingPage)
			c.do("wait", "--stable")
			c.do("click", `text="`+button+`"`)
			reply := c.do("wait", "--stable")
			require.Equal(t, true, c.page(over), "%s, at %v", c.log(), c.page("scrollY"))
			require.Equal(t, object{"waited": "stable", "ms": 300.0}, decode[object](t, reply.Result.Data))
			require.Equal(t, "✓ Done", reply.Result.Text)
		})
	}
}

// The page is at rest only when the server has answered, and the page has shown what it said.
func TestWaitUntilStableAfterRequests(t *testing.T) {
	t.Parallel()
	g := site.gate(t, "")
	c, api := orders(t, pendingCommand(g))
	c.do("click", "#chain")
	g.waitAsked(t)
	err := c.fails(fault.Timeout, "wait", "--stable", "--for", "50", "--timeout", "300")
	require.Contains(t, err.Error(), "the page did not settle; last seen: 1 request pending: GET "+site.url(api+"orders"))
	reply := c.start("wait", "--stable")
	c.do("tab", "list")
	require.Empty(t, reply)
	g.open()
	c.await(reply)
	require.Equal(t, "orders 200\nprices 200", c.log())
	require.Equal(t, true, c.page("document.querySelector('.toast') !== null"))
}

// What turns in its place for ever is at rest; what pushes things about is not, and is named.
func TestWaitUntilStableInVain(t *testing.T) {
	t.Parallel()
	c := opened(t, movingPage)
	c.do("click", "#turn")
	c.do("wait", "--stable", "--timeout", "5000")
	for button, says := range map[string]string{"#run": "an animation of <div#marquee> (marginLeft)", "#tick": "<p#clock> changes ("} {
		t.Run(button, func(t *testing.T) {
			t.Parallel()
			c := opened(t, movingPage)
			c.do("click", button)
			err := c.fails(fault.Timeout, "wait", "--stable", "--timeout", "3000")
			require.Contains(t, err.Error(), "Wait timed out after 3000ms: the page did not settle; last seen: ")
			require.Contains(t, err.Error(), says)
			require.Equal(t, "Moving", c.do("get", "title").Result.Text, "the session goes on")
		})
	}
	t.Run("poll", func(t *testing.T) {
		t.Parallel()
		c, _ := orders(t, plainAnswers)
		c.do("click", "#poll")
		c.fails(fault.Timeout, "wait", "--stable", "--timeout", "900")
		c.do("wait", "--stable", "--for", "20") // between two of them
	})
}

// A page that is replaced while it is waited for is waited for as well.
func TestWaitUntilStableAcrossPages(t *testing.T) {
	t.Parallel()
	image := site.gate(t, "")
	there := site.write(`<title>There</title><ul id=list></ul><script>let n = 0
		const grow = () => { list.insertAdjacentHTML('beforeend', '<li>x'); if (++n < 5) setTimeout(grow, 60) }; grow()</script><img src="` + image.path + `">`)
	c := showing(t, `<title>Here</title>`)
	g := site.gate(t, "")
	c.page("void fetch('" + g.path + "').then(() => { location = '" + there + "' })")
	g.waitAsked(t)
	reply := c.start("wait", "--stable")
	c.do("tab", "list")
	require.Empty(t, reply)
	g.open()
	image.waitAsked(t)
	c.do("tab", "list")
	require.Empty(t, reply)
	image.open()
	c.await(reply)
	require.Equal(t, "There 5", c.page("document.title + ' ' + list.children.length"))
}

// The observer of the wait goes with it.
func TestWaitUntilStableLeavesNothing(t *testing.T) {
	t.Parallel()
	c := opened(t, movingPage)
	before := c.page("document.documentElement.outerHTML").(string)
	c.do("wait", "--stable", "--for", "100")
	require.Equal(t, before, c.page("document.documentElement.outerHTML"))
	require.False(t, strings.Contains(before, "skua"))
}
