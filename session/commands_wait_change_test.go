package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A wait for another address ends when the page pushes one, and at once when it is another one than was said.
func TestWaitForAnotherAddress(t *testing.T) {
	t.Parallel()
	c := opened(t, movingPage)
	first := c.page("location.href").(string)
	err := c.fails(fault.Timeout, "wait", "--url-change", "--timeout", "200")
	require.Contains(t, err.Error(), "the address is still "+first)
	c.page("setTimeout(() => history.pushState(null, '', '?page=2'), 2000) && 0")
	require.Equal(t, first+"?page=2", c.do("wait", "--url-change", first, "--timeout", "60000").Result.Text)
	c.page("setTimeout(() => history.pushState(null, '', '?page=3'), 1000) && 0")
	require.Equal(t, first+"?page=3", c.do("wait", "--url-change", first+"?page=2", "--timeout", "60000").Result.Text)
	require.Equal(t, object{"url": first + "?page=3", "from": first, "waited": "url-change", "already": true},
		decode[object](t, c.do("wait", "--url-change", first).Result.Data))
	c.fails(fault.Usage, "wait", "--url-change", "--text", "x")
}

// Idle is a page without requests, whatever moves in it.
func TestWaitUntilIdle(t *testing.T) {
	t.Parallel()
	g := site.gate(t, "")
	c, api := orders(t, pendingCommand(g))
	c.do("wait", "--idle")
	c.do("click", "#chain")
	g.waitAsked(t)
	err := c.fails(fault.Timeout, "wait", "--idle", "--for", "50", "--timeout", "300")
	require.Contains(t, err.Error(), "1 request pending: GET "+site.url(api+"orders"))
	c.page("setInterval(() => document.body.append('.'), 5) && 0")
	reply := c.start("wait", "--idle", "--timeout", "60000")
	c.do("tab", "list")
	require.Empty(t, reply)
	g.open()
	require.Equal(t, object{"waited": "idle", "ms": 300.0}, decode[object](t, c.await(reply).Result.Data))
	require.Equal(t, "orders 200\nprices 200", c.log())
}
