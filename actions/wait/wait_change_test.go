package wait_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A wait for another address ends when the page pushes one, and at once when it is another one than was said.
func TestWaitForAnotherAddress(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, movingPage)
	first := c.Page("location.href").(string)
	err := c.Fails(fault.Timeout, "wait", "--url-change", "--timeout", "200")
	require.Contains(t, err.Error(), "the address is still "+first)
	c.Page("setTimeout(() => history.pushState(null, '', '?page=2'), 2000) && 0")
	require.Equal(t, first+"?page=2", c.Do("wait", "--url-change", first, "--timeout", "60000").Result.Text)
	c.Page("setTimeout(() => history.pushState(null, '', '?page=3'), 1000) && 0")
	require.Equal(t, first+"?page=3", c.Do("wait", "--url-change", first+"?page=2", "--timeout", "60000").Result.Text)
	require.Equal(t, object{"url": first + "?page=3", "from": first, "waited": "url-change", "already": true},
		sessiontest.Decode[object](t, c.Do("wait", "--url-change", first).Result.Data))
	c.Fails(fault.Usage, "wait", "--url-change", "--text", "x")
}

// Idle is a page without requests, whatever moves in it.
func TestWaitUntilIdle(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c, api := orders(t, pendingCommand(g))
	c.Do("wait", "--idle")
	c.Do("click", "#chain")
	g.WaitAsked(t)
	err := c.Fails(fault.Timeout, "wait", "--idle", "--for", "50", "--timeout", "300")
	require.Contains(t, err.Error(), "1 request pending: GET "+site.URL(api+"orders"))
	c.Page("setInterval(() => document.body.append('.'), 5) && 0")
	reply := c.Start("wait", "--idle", "--timeout", "60000")
	c.Do("tab", "list")
	require.Empty(t, reply)
	g.Open()
	require.Equal(t, object{"waited": "idle", "ms": 300.0}, sessiontest.Decode[object](t, c.Await(reply).Result.Data))
	require.Equal(t, "orders 200\nprices 200", c.Log())
}
