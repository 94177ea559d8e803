package wait_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const movingPage = "/pages/acting-wait-moving.html"

// After the wait, what a button began is over.
func TestWaitUntilStable(t *testing.T) {
	t.Parallel()
	for button, over := range map[string]string{
		"Slide": "log.includes('slide')", "Grow": "log.includes('grow')",
		"Rows":              "list.children.length === 6 && log.includes('rows')",
		"Work in the frame": "frames[0].document.querySelectorAll('li').length === 6",
		"Scroll":            "log.includes('scroll') && scrollY === 1500",
	} {
		t.Run(button, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, movingPage)
			c.Do("wait", "--stable")
			c.Do("click", `text="`+button+`"`)
			reply := c.Do("wait", "--stable")
			require.Equal(t, true, c.Page(over), "%s, at %v", c.Log(), c.Page("scrollY"))
			require.Equal(t, object{"waited": "stable", "ms": 300.0}, sessiontest.Decode[object](t, reply.Result.Data))
			require.Equal(t, "✓ Done", reply.Result.Text)
		})
	}
}

// The page is at rest only when the server has answered, and the page has shown what it said.
func TestWaitUntilStableAfterRequests(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c, api := orders(t, pendingCommand(g))
	c.Do("click", "#chain")
	g.WaitAsked(t)
	err := c.Fails(fault.Timeout, "wait", "--stable", "--for", "50", "--timeout", "300")
	require.Contains(t, err.Error(), "the page did not settle; last seen: 1 request pending: GET "+site.URL(api+"orders"))
	reply := c.Start("wait", "--stable")
	c.Do("tab", "list")
	require.Empty(t, reply)
	g.Open()
	c.Await(reply)
	require.Equal(t, "orders 200\nprices 200", c.Log())
	require.Equal(t, true, c.Page("document.querySelector('.toast') !== null"))
}

// What turns in its place for ever is at rest; what pushes things about is not, and is named.
func TestWaitUntilStableInVain(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, movingPage)
	c.Do("click", "#turn")
	c.Do("wait", "--stable", "--timeout", "5000")
	for button, says := range map[string]string{
		"#run":  "an animation of <div#marquee> (marginLeft)",
		"#tick": "<p#clock> changes (",
	} {
		t.Run(button, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, movingPage)
			c.Do("click", button)
			err := c.Fails(fault.Timeout, "wait", "--stable", "--timeout", "3000")
			require.Contains(t, err.Error(), "Wait timed out after 3000ms: the page did not settle; last seen: ")
			require.Contains(t, err.Error(), says)
			require.Equal(t, "Moving", c.Do("get", "title").Result.Text, "the session goes on")
		})
	}
	t.Run("poll", func(t *testing.T) {
		t.Parallel()
		c, _ := orders(t, plainAnswers)
		c.Do("click", "#poll")
		c.Fails(fault.Timeout, "wait", "--stable", "--timeout", "900")
		c.Do("wait", "--stable", "--for", "20") // between two of them
	})
}

// A page that is replaced while it is waited for is waited for as well.
func TestWaitUntilStableAcrossPages(t *testing.T) {
	t.Parallel()
	image := site.Gate(t, "")
	there := site.Write(`<title>There</title><ul id=list></ul><script>let n = 0
		const grow = () => { list.insertAdjacentHTML('beforeend', '<li>x'); if (++n < 5) setTimeout(grow, 60) }; grow()</script><img src="` + image.Path + `">`)
	c := host.Showing(t, `<title>Here</title>`)
	g := site.Gate(t, "")
	c.Page("void fetch('" + g.Path + "').then(() => { location = '" + there + "' })")
	g.WaitAsked(t)
	reply := c.Start("wait", "--stable")
	c.Do("tab", "list")
	require.Empty(t, reply)
	g.Open()
	image.WaitAsked(t)
	c.Do("tab", "list")
	require.Empty(t, reply)
	image.Open()
	c.Await(reply)
	require.Equal(t, "There 5", c.Page("document.title + ' ' + list.children.length"))
}

// The observer of the wait goes with it.
func TestWaitUntilStableLeavesNothing(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, movingPage)
	before := c.Page("document.documentElement.outerHTML").(string)
	c.Do("wait", "--stable", "--for", "100")
	require.Equal(t, before, c.Page("document.documentElement.outerHTML"))
	require.False(t, strings.Contains(before, "skua"))
}
