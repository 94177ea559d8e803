package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testport"
)

func TestOpenAddresses(t *testing.T) {
	t.Parallel()
	plain := site.write("<!doctype html><title>Plain</title>")
	tests := []struct {
		name    string
		command []string
		url     string // what the page says its address is
		title   string
		note    string
	}{
		{"address", []string{"open", site.url(plain)}, site.url(plain), "Plain", ""},
		{"goto", []string{"goto", site.url(plain)}, site.url(plain), "Plain", ""},
		{"navigate", []string{"navigate", site.url(plain)}, site.url(plain), "Plain", ""},
		{"redirect", []string{"open", site.url("/redirect?to=" + plain)}, site.url(plain), "Plain", ""},
		{"not found", []string{"open", site.url("/status/404")}, site.url("/status/404"), "Status 404", "the server answered with HTTP 404"},
		{"server error", []string{"open", site.url("/status/500")}, site.url("/status/500"), "Status 500", "the server answered with HTTP 500"},
		{"localhost is plain HTTP", []string{"open", site.localhost() + plain}, site.elsewhere(plain), "Plain", ""},
		{"loopback is plain HTTP", []string{"open", "127.0.0.1:" + site.port() + plain}, site.url(plain), "Plain", ""},
		{"fragment", []string{"open", site.url(plain) + "#part"}, site.url(plain) + "#part", "Plain", ""},
		{"blanks around it", []string{"open", "  " + site.url(plain) + " "}, site.url(plain), "Plain", ""},
		{"query", []string{"open", site.url("/echo?q=a%20b&r=ü")}, site.url("/echo?q=a%20b&r=%C3%BC"), "Echo", ""},
		{"data", []string{"open", "data:text/html,<title>Data</title>"}, "data:text/html,<title>Data</title>", "Data", ""},
		{"blank", []string{"open", "about:blank"}, "about:blank", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t)
			reply := c.do(tt.command...)
			require.Equal(t, tt.url, c.page("location.href"))
			require.Equal(t, tt.title, c.page("document.title"))
			require.Equal(t, "complete", c.page("document.readyState"))
			require.Equal(t, tt.note, notes(reply))
			require.Equal(t, "✓ "+tt.title+"\n  "+tt.url, reply.Result.Text)
			data := decode[object](t, reply.Result.Data)
			require.Equal(t, tt.url, data["url"])
			require.Equal(t, tt.title, data["title"])
			require.NotEmpty(t, data["targetId"])
		})
	}
}

// Paths are the caller's, wherever the host runs.
func TestOpenFiles(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	file := filepath.Join(c.dir, "sub", "a b.html")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("<!doctype html><title>File</title>"), 0o600))
	c.do("open", "./sub/a b.html")
	require.Equal(t, "File", c.page("document.title"))
	require.Equal(t, "file:", c.page("location.protocol"))
	c.do("open", "about:blank")
	c.do("open", file)
	require.Equal(t, "File", c.page("document.title"))
	err := c.fails(fault.NavigationFailed, "open", "./none.html")
	require.Contains(t, err.Error(), "ERR_FILE_NOT_FOUND")
}

func TestOpenWithoutAddress(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	reply := c.do("open")
	require.Equal(t, "✓ Done", reply.Result.Text)
	require.True(t, reply.Lifecycle.Reused != reply.Lifecycle.Launched)
	require.Equal(t, "about:blank", c.page("location.href"))
	c.do("open", site.url(site.write("<!doctype html><title>Kept</title>")))
	c.do("open")
	require.Equal(t, "Kept", c.page("document.title"), "open without an address leaves the page alone")
}

func TestOpenFailures(t *testing.T) {
	t.Parallel()
	home := site.url(site.write("<!doctype html><title>Home</title>"))
	tests := []struct {
		name    string
		address string
		code    fault.Code
		says    string
		stays   bool // on the page that was there
	}{
		{"nothing listens", unusedAddress(t), fault.NavigationFailed, "ERR_CONNECTION_REFUSED", false},
		{"no TLS", "https://127.0.0.1:" + site.port(), fault.NavigationFailed, "ERR_SSL_PROTOCOL_ERROR", false},
		{"download", site.url("/download"), fault.NavigationFailed, "it is a download", true},
		{"no content", site.url("/status/204"), fault.NavigationFailed, "ERR_ABORTED", true},
		{"empty", "", fault.Usage, "The address is empty", true},
		{"blanks", "not an address", fault.Usage, "contains a space", true},
		{"other protocol", "ftp://example.com/", fault.Usage, "ftp:// addresses cannot be opened", true},
		{"script", "javascript:alert(1)", fault.Usage, "Scripts run with `eval`", true},
		{"impossible", "http://", fault.NavigationFailed, "http://", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t)
			c.do("open", home)
			err := c.fails(tt.code, "open", tt.address)
			require.Contains(t, err.Error(), tt.says)
			if tt.stays {
				require.Equal(t, home, c.page("location.href"))
			}
			c.do("open", home)
			require.Equal(t, "Home", c.page("document.title"), "the session goes on")
		})
	}
}

// unusedAddress is one at which nothing listens.
func unusedAddress(t testing.TB) string {
	t.Helper()
	return "http://127.0.0.1:" + testport.Free(t) + "/"
}

func TestGotoNeedsAnAddress(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	for _, name := range []string{"goto", "navigate"} {
		err := c.fails(fault.Usage, name)
		require.Contains(t, err.Error(), "Missing arguments for: "+name)
		require.Contains(t, err.Error(), "Usage: skua "+name+" <url>")
	}
}

// The document, its image and the data that its script fetches each wait at a gate of their own, so that returning tells what was
// waited for.
func TestOpenWaitUntil(t *testing.T) {
	t.Parallel()
	type gates struct{ document, image, data *gate }
	tests := []struct {
		until  string
		opened func(gates) []*gate // before the command may return
		state  string              // of the document when it has
	}{
		{"none", func(gates) []*gate { return nil }, ""},
		{"domcontentloaded", func(g gates) []*gate { return []*gate{g.document} }, "interactive"},
		{"load", func(g gates) []*gate { return []*gate{g.document, g.image} }, "complete"},
		{"networkidle", func(g gates) []*gate { return []*gate{g.document, g.image, g.data} }, "complete"},
	}
	for _, tt := range tests {
		t.Run(tt.until, func(t *testing.T) {
			t.Parallel()
			g := gates{site.gate(t, ""), site.gate(t, ""), site.gate(t, "")}
			c := newClient(t)
			reply := c.start("open", "--wait-until", tt.until, site.url(site.write(`<p>Begun</p><img src="`+g.image.path+`">
				<script>fetch('`+g.data.path+`').then(() => log.push('data'))</script>
				<script src="`+g.document.path+`"></script><p id=end>Ended</p>`)))
			g.document.waitAsked(t)
			for _, gate := range tt.opened(g) {
				gate.waitAsked(t)
				require.Empty(t, reply, "%s has not come yet", tt.until)
				gate.open()
			}
			require.Empty(t, notes(c.await(reply)))
			if tt.state != "" {
				require.Equal(t, tt.state, c.page("document.readyState"))
			}
			if tt.until == "networkidle" {
				require.Equal(t, "data", c.log())
			}
			g.document.open()
			require.Equal(t, "Ended", c.page("document.getElementById('end').textContent"), "the next command waits for the document")
		})
	}
}

// A page that is usable counts as open although an image of it never comes.
func TestOpenHangingImage(t *testing.T) {
	t.Parallel()
	image := site.gate(t, "")
	c := newClient(t)
	reply := c.do("open", site.url(site.write(`<img src="`+image.path+`"><h1>Usable</h1>`)))
	require.Contains(t, notes(reply), "has not fired its load event; still loading: "+site.url(image.path))
	require.Equal(t, "interactive", c.page("document.readyState"))
	require.Equal(t, "Usable", c.do("get", "text", "h1").Result.Text)
	image.open()
	c.do("wait", "--load", "load")
	require.Equal(t, "complete", c.page("document.readyState"))
}

func TestOpenHangingDocument(t *testing.T) {
	t.Parallel()
	silent := site.gate(t, "")
	c := opened(t, site.write("<title>Before</title>"))
	err := c.fails(fault.Timeout, "open", "--timeout", "300", site.url(silent.path))
	require.Contains(t, err.Error(), site.url(silent.path))
	require.Contains(t, err.Error(), "raise --timeout")
	c.do("open", site.url(site.write("<title>After</title>")))
	require.Equal(t, "After", c.page("document.title"))
}

// A page that goes elsewhere while it loads: what it arrives at is what was opened.
func TestOpenPageThatMovesOn(t *testing.T) {
	t.Parallel()
	there := site.write("<title>There</title>")
	for name, script := range map[string]string{
		"script":  `<script>location.replace("` + there + `")</script>`,
		"refresh": `<meta http-equiv=refresh content="0;url=` + there + `">`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := opened(t, site.write(script))
			c.do("wait", "--url", there)
			require.Equal(t, "There", c.do("get", "title").Result.Text)
		})
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	one, two := site.url(site.write(`<title>One</title><input id=f>`)), site.url(site.write(`<title>Two</title>`))
	c.do("open", one)
	c.do("fill", "#f", "kept")
	c.do("open", two)

	require.Equal(t, one, c.do("back").Result.Text)
	require.Equal(t, []any{"One", one, "kept"}, c.page("[document.title, location.href, document.getElementById('f').value]"))
	require.Equal(t, two, c.do("forward").Result.Text)
	require.Equal(t, "Two", c.page("document.title"))

	reply := c.do("forward")
	require.Equal(t, two, c.page("location.href"))
	require.Contains(t, notes(reply), "no page to go forward to")
	c.do("back")
	require.Equal(t, "about:blank", c.data("back")["url"])
	reply = c.do("back")
	require.Equal(t, "about:blank", reply.Result.Text)
	require.Contains(t, notes(reply), "no page to go back to")
}

func TestHistoryWithinADocument(t *testing.T) {
	t.Parallel()
	c := showing(t, `<script>
		born = Math.random();
		addEventListener('popstate', (e) => log.push('pop ' + location.search + ' ' + e.state));
		history.replaceState('first', '', '?a'); history.pushState('second', '', '?b');
	</script>`)
	born := c.page("born")
	reply := c.do("back")
	require.True(t, strings.HasSuffix(reply.Result.Text, "?a"), reply.Result.Text)
	c.do("forward")
	require.Equal(t, "pop ?a first\npop ?b second", c.log())
	require.Equal(t, born, c.page("born"), "the document stayed")
}

func TestReload(t *testing.T) {
	t.Parallel()
	path := site.write(`<title>Again</title>`)
	c := opened(t, path)
	c.page("mark = 1")
	require.Equal(t, site.url(path), c.do("reload").Result.Text)
	require.Equal(t, "undefined", c.page("typeof mark"))
	require.Equal(t, 2, site.requests(path))
	require.Equal(t, "reload", c.page("performance.getEntriesByType('navigation')[0].type"))
	require.Equal(t, site.url(path), c.data("reload")["url"])
}

func TestReloadThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	c := opened(t, "/status/503")
	require.Contains(t, notes(c.do("reload")), "the server answered with HTTP 503")
}

// The title of a page that an action led to is its own, and never that of the page before.
func TestTitleBehindAClick(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, page, title string }{
		{"a page with a title", "<title>There</title>there", "There"},
		{"a page without one", "there", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			there := site.write("<!doctype html>" + tt.page)
			c := showing(t, `<title>Here</title><a href="`+there+`">Go</a>`)
			require.Equal(t, "Here", c.do("get", "url").Page.Title)
			c.do("click", "a")
			shown := c.do("wait", "--url", "**"+there).Page
			require.Equal(t, site.url(there), shown.URL)
			for shown.Title != tt.title && t.Context().Err() == nil { // the browser is asked beside the commands
				require.NotEqual(t, "Here", shown.Title)
				shown = c.do("get", "url").Page
			}
		})
	}
}

// A page that goes elsewhere by itself has the browser drop what the caller opens: that is asked for again, and is what the tab shows.
func TestOpenWhileThePageGoesElsewhere(t *testing.T) {
	t.Parallel()
	wanted := site.gate(t, "<!doctype html><title>Wanted</title>")
	when := site.gate(t, "")
	there := site.gate(t, "")
	c := showing(t, `<title>Here</title><script>fetch('`+when.path+`').then(() => { location.href = '`+there.path+`' })</script>`)
	when.waitAsked(t)
	open := c.start("open", site.url(wanted.path))
	wanted.waitAsked(t)
	when.open()
	there.waitAsked(t)
	wanted.open()
	c.await(open)
	require.Equal(t, "Wanted", c.page("document.title"))
	require.Equal(t, site.url(wanted.path), c.do("get", "url").Result.Text)
}
