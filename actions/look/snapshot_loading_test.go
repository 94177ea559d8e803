package look_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// arriving is a page that asks for its controls when it has loaded, and puts them together in a later task, as
// libraries do.
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
			g := site.Gate(t, "")
			c := host.Opened(t, site.Write(arriving)+"?from="+url.QueryEscape(g.Path))
			g.WaitAsked(t)
			reply := c.Start(look...)
			c.Do("tab", "list")
			g.Open()
			got := c.Await(reply)
			if said := got.Result.Text + sessiontest.Notes(got); strings.Contains(said, "still loading") {
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
	g := site.Gate(t, "")
	c := host.Opened(t, site.Write(arriving)+"?from="+url.QueryEscape(g.Path))
	g.WaitAsked(t)
	require.Contains(t, lookAt(c), "the page is still loading parts of itself (1 request pending); look again for more")
	require.NotContains(t, lookAt(c), "still loading")
	g.Open()
	c.Do("wait", "--text", "Ship it")
	require.Contains(t, lookAt(c), `button "Ship it"`)
}

// Streams and sockets do not end, and are not parts.
func TestSnapshotDoesNotWaitForAStream(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c := host.Opened(t,
		site.Write(`<!doctype html><title>Stream</title><script>addEventListener('load', () => { new EventSource('`+g.Path+
			`'); });</script><p>Ready`))
	g.WaitAsked(t)
	require.NotContains(t, lookAt(c), "still loading")
}
