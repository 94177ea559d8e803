package session_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// arriving is a page that asks for its controls when it has loaded, and puts them together in a later task, as libraries do.
const arriving = `<!doctype html><title>Arriving</title><h1>Orders</h1>
<script>
addEventListener('load', async () => {
  const answer = await fetch(new URLSearchParams(location.search).get('from'));
  await answer.text();
  const channel = new MessageChannel();
  channel.port1.onmessage = () => setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<button>Ship it</button>'); });
  channel.port2.postMessage(null);
});
</script>`

// A look at the whole page waits for what the page asks for when it has loaded.
func TestSnapshotOfAPageThatArrives(t *testing.T) {
	t.Parallel()
	for _, look := range [][]string{{"snapshot", "-i"}, {"snapshot"}, {"find", "role", "button", "count"}} {
		t.Run(look[len(look)-1], func(t *testing.T) {
			t.Parallel()
			g := site.gate(t, "")
			c := opened(t, site.write(arriving)+"?from="+url.QueryEscape(g.path))
			g.waitAsked(t)
			reply := c.start(look...)
			c.do("tab", "list")
			g.open()
			got := c.await(reply)
			if said := got.Result.Text + notes(got); strings.Contains(said, "still loading") {
				return // the machine was slow to open the gate
			}
			if look[0] == "snapshot" {
				require.Contains(t, got.Result.Text, `button "Ship it"`)
			} else {
				require.Equal(t, "1", got.Result.Text)
			}
		})
	}
}

// What never comes is said, and waited for once.
func TestSnapshotOfAPageThatNeverArrives(t *testing.T) {
	t.Parallel()
	g := site.gate(t, "")
	c := opened(t, site.write(arriving)+"?from="+url.QueryEscape(g.path))
	g.waitAsked(t)
	require.Contains(t, c.look(), "the page is still loading parts of itself (1 request pending); look again for more")
	require.NotContains(t, c.look(), "still loading")
	g.open()
	c.do("wait", "--text", "Ship it")
	require.Contains(t, c.look(), `button "Ship it"`)
}

// Streams and sockets do not end, and are not parts.
func TestSnapshotDoesNotWaitForAStream(t *testing.T) {
	t.Parallel()
	g := site.gate(t, "")
	c := opened(t, site.write(`<!doctype html><title>Stream</title><script>addEventListener('load', () => { new EventSource('`+g.path+`'); });</script><p>Ready`))
	g.waitAsked(t)
	require.NotContains(t, c.look(), "still loading")
}
