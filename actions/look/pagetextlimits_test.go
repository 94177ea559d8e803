package look_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// longPage writes hundreds of kilobytes wherever a page writes what a command tells by itself.
const longPage = `<!doctype html><title>t</title>
	<button id=name>b</button><button id=ask onclick="alert(long)">Ask</button><input id=said aria-label=Said>
	<button id=turn onclick="document.title = 'x' + long">Turn</button><button id=menu onclick="say()">Menu</button>
	<script>
		const long = 'y'.repeat(300_000);
		document.title = long;
		name_ = document.getElementById('name'); name_.setAttribute('aria-label', long);
		function say() { const d = document.createElement('div'); d.setAttribute('role', 'alert'); d.textContent = long; document.body.append(d) }
		history.replaceState(null, '', '#' + 'z'.repeat(150_000));
	</script>`

// What a page writes does not come out of a command in any length: it is cut where it is kept, and the reply says so.
func TestPageTextIsBounded(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	const most = 40_000
	short := func(args ...string) string {
		t.Helper()
		said := sessiontest.Everything(c.Try(args...))
		require.Less(t, len(said), most, "%v: %.300s", args, said)
		return said
	}
	require.Contains(t, short("open", site.URL(site.Write(longPage))), "… (300,000 characters)")
	require.Contains(t, short("get", "title"), "… (300,000 characters)")
	require.Contains(t, short("get", "url"), " characters)")
	require.Contains(t, short("tab", "list"), "… (300,000 characters)")
	short("session", "list")
	short("session", "info")
	short("click", "#turn") // effects have a shorter bound of their own
	short("click", "#menu")
	short("focus", "#name")
	short("click", "#name")
	short("hover", "#name")
	short("click", "#ask") // Chromium cuts a message by itself
	short("dialog", "status")
	short("dialog", "accept")
	short("eval", "throw new Error(long)")
	short("wait", "--fn", "(() => { throw new Error(long) })()", "--timeout", "1000")
	short("click", "#nothing", "--timeout", "500")
	short("fill", "#turn", "x", "--timeout", "500")
	short("get", "count", "button")
	short("console")
	require.Contains(t, short("snapshot", "-i"), "… (300,000 characters)")
	ref := c.Do("snapshot", "-i", "--json")
	require.NotNil(t, ref)
	short("journal", "--limit", "1") // each has two addresses
	short("errors")
	require.Less(t, strings.Count(sessiontest.Everything(c.Try("tab", "new")), "y"), most)
}
