package navigate_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestOpenAddresses(t *testing.T) {
	t.Parallel()
	plain := site.Write("<!doctype html><title>Plain</title>")
	tests := []struct {
		name    string
		command []string
		url     string // what the page says its address is
		title   string
		note    string
	}{
		{"address", []string{"open", site.URL(plain)}, site.URL(plain), "Plain", ""},
		{"goto", []string{"goto", site.URL(plain)}, site.URL(plain), "Plain", ""},
		{"navigate", []string{"navigate", site.URL(plain)}, site.URL(plain), "Plain", ""},
		{"redirect", []string{"open", site.URL("/redirect?to=" + plain)}, site.URL(plain), "Plain", ""},
		{
			"not found",
			[]string{"open", site.URL("/status/404")},
			site.URL("/status/404"), "Status 404",
			"the server answered with HTTP 404",
		},
		{
			"server error",
			[]string{"open", site.URL("/status/500")},
			site.URL("/status/500"), "Status 500",
			"the server answered with HTTP 500",
		},
		{"localhost is plain HTTP", []string{"open", site.Localhost() + plain}, site.Elsewhere(plain), "Plain", ""},
		{"loopback is plain HTTP", []string{"open", "127.0.0.1:" + site.Port() + plain}, site.URL(plain), "Plain", ""},
		{"fragment", []string{"open", site.URL(plain) + "#part"}, site.URL(plain) + "#part", "Plain", ""},
		{"blanks around it", []string{"open", "  " + site.URL(plain) + " "}, site.URL(plain), "Plain", ""},
		{"query", []string{"open", site.URL("/echo?q=a%20b&r=ü")}, site.URL("/echo?q=a%20b&r=%C3%BC"), "Echo", ""},
		{"data", []string{"open", "data:text/html,<title>Data</title>"}, "data:text/html,<title>Data</title>", "Data", ""},
		{"blank", []string{"open", "about:blank"}, "about:blank", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			reply := c.Do(tt.command...)
			require.Equal(t, tt.url, c.Page("location.href"))
			require.Equal(t, tt.title, c.Page("document.title"))
			require.Equal(t, "complete", c.Page("document.readyState"))
			require.Equal(t, tt.note, sessiontest.Notes(reply))
			require.Equal(t, "✓ "+tt.title+"\n  "+tt.url, reply.Result.Text)
			data := sessiontest.Decode[object](t, reply.Result.Data)
			require.Equal(t, tt.url, data["url"])
			require.Equal(t, tt.title, data["title"])
			require.NotEmpty(t, data["targetId"])
		})
	}
}

// Paths are the caller's, wherever the host runs.
func TestOpenFiles(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	file := filepath.Join(c.Dir, "sub", "a b.html")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("<!doctype html><title>File</title>"), 0o600))
	c.Do("open", "./sub/a b.html")
	require.Equal(t, "File", c.Page("document.title"))
	require.Equal(t, "file:", c.Page("location.protocol"))
	c.Do("open", "about:blank")
	c.Do("open", file)
	require.Equal(t, "File", c.Page("document.title"))
	err := c.Fails(fault.NavigationFailed, "open", "./none.html")
	require.Contains(t, err.Error(), "ERR_FILE_NOT_FOUND")
}

func TestOpenWithoutAddress(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	reply := c.Do("open")
	require.Equal(t, "✓ Done", reply.Result.Text)
	require.True(t, reply.Lifecycle.Reused != reply.Lifecycle.Launched)
	require.Equal(t, "about:blank", c.Page("location.href"))
	c.Do("open", site.URL(site.Write("<!doctype html><title>Kept</title>")))
	c.Do("open")
	require.Equal(t, "Kept", c.Page("document.title"), "open without an address leaves the page alone")
}

func TestOpenFailures(t *testing.T) {
	t.Parallel()
	home := site.URL(site.Write("<!doctype html><title>Home</title>"))
	tests := []struct {
		name    string
		address string
		code    fault.Code
		says    string
		stays   bool // on the page that was there
	}{
		{"nothing listens", sessiontest.UnusedAddress(t), fault.NavigationFailed, "ERR_CONNECTION_REFUSED", false},
		{"no TLS", "https://127.0.0.1:" + site.Port(), fault.NavigationFailed, "ERR_SSL_PROTOCOL_ERROR", false},
		{"download", site.URL("/download"), fault.NavigationFailed, "it is a download", true},
		{"no content", site.URL("/status/204"), fault.NavigationFailed, "ERR_ABORTED", true},
		{"empty", "", fault.Usage, "The address is empty", true},
		{"blanks", "not an address", fault.Usage, "contains a space", true},
		{"other protocol", "ftp://example.com/", fault.Usage, "ftp:// addresses cannot be opened", true},
		{"script", "javascript:alert(1)", fault.Usage, "Scripts run with `eval`", true},
		{"impossible", "http://", fault.NavigationFailed, "http://", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("open", home)
			err := c.Fails(tt.code, "open", tt.address)
			require.Contains(t, err.Error(), tt.says)
			if tt.stays {
				require.Equal(t, home, c.Page("location.href"))
			}
			c.Do("open", home)
			require.Equal(t, "Home", c.Page("document.title"), "the session goes on")
		})
	}
}

func TestGotoNeedsAnAddress(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	for _, name := range []string{"goto", "navigate"} {
		err := c.Fails(fault.Usage, name)
		require.Contains(t, err.Error(), "Missing arguments for: "+name)
		require.Contains(t, err.Error(), "Usage: skua "+name+" <url>")
	}
}

// The document, its image and the data that its script fetches each wait at a gate of their own, so that returning
// tells what was waited for.
func TestOpenWaitUntil(t *testing.T) {
	t.Parallel()
	type gates struct{ document, image, data *sessiontest.Gate }
	tests := []struct {
		until  string
		opened func(gates) []*sessiontest.Gate // before the command may return
		state  string                          // of the document when it has
	}{
		{"none", func(gates) []*sessiontest.Gate { return nil }, ""},
		{"domcontentloaded", func(g gates) []*sessiontest.Gate { return []*sessiontest.Gate{g.document} }, "interactive"},
		{"load", func(g gates) []*sessiontest.Gate { return []*sessiontest.Gate{g.document, g.image} }, "complete"},
		{"networkidle", func(g gates) []*sessiontest.Gate {
			return []*sessiontest.Gate{g.document, g.image, g.data}
		}, "complete"},
	}
	for _, tt := range tests {
		t.Run(tt.until, func(t *testing.T) {
			t.Parallel()
			g := gates{site.Gate(t, ""), site.Gate(t, ""), site.Gate(t, "")}
			c := host.NewClient(t)
			reply := c.Start("open", "--wait-until", tt.until, site.URL(site.Write(`<p>Begun</p><img src="`+g.image.Path+`">
				<script>fetch('`+g.data.Path+`').then(() => log.push('data'))</script>
				<script src="`+g.document.Path+`"></script><p id=end>Ended</p>`)))
			g.document.WaitAsked(t)
			for _, gate := range tt.opened(g) {
				gate.WaitAsked(t)
				require.Empty(t, reply, "%s has not come yet", tt.until)
				gate.Open()
			}
			require.Empty(t, sessiontest.Notes(c.Await(reply)))
			if tt.state != "" {
				require.Equal(t, tt.state, c.Page("document.readyState"))
			}
			if tt.until == "networkidle" {
				require.Equal(t, "data", c.Log())
			}
			g.document.Open()
			require.Equal(t, "Ended", c.Page("document.getElementById('end').textContent"),
				"the next command waits for the document")
		})
	}
}

// A page that is usable counts as open although an image of it never comes.
func TestOpenHangingImage(t *testing.T) {
	t.Parallel()
	image := site.Gate(t, "")
	c := host.NewClient(t)
	reply := c.Do("open", site.URL(site.Write(`<img src="`+image.Path+`"><h1>Usable</h1>`)))
	require.Contains(t, sessiontest.Notes(reply), "has not fired its load event; still loading: "+site.URL(image.Path))
	require.Equal(t, "interactive", c.Page("document.readyState"))
	require.Equal(t, "Usable", c.Do("get", "text", "h1").Result.Text)
	image.Open()
	c.Do("wait", "--load", "load")
	require.Equal(t, "complete", c.Page("document.readyState"))
}

func TestOpenHangingDocument(t *testing.T) {
	t.Parallel()
	silent := site.Gate(t, "")
	c := host.Opened(t, site.Write("<title>Before</title>"))
	err := c.Fails(fault.Timeout, "open", "--timeout", "300", site.URL(silent.Path))
	require.Contains(t, err.Error(), site.URL(silent.Path))
	require.Contains(t, err.Error(), "raise --timeout")
	c.Do("open", site.URL(site.Write("<title>After</title>")))
	require.Equal(t, "After", c.Page("document.title"))
}

// A page that goes elsewhere while it loads: what it arrives at is what was opened.
func TestOpenPageThatMovesOn(t *testing.T) {
	t.Parallel()
	there := site.Write("<title>There</title>")
	for name, script := range map[string]string{
		"script":  `<script>location.replace("` + there + `")</script>`,
		"refresh": `<meta http-equiv=refresh content="0;url=` + there + `">`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, site.Write(script))
			c.Do("wait", "--url", there)
			require.Equal(t, "There", c.Do("get", "title").Result.Text)
		})
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	one, two := site.URL(site.Write(`<title>One</title><input id=f>`)), site.URL(site.Write(`<title>Two</title>`))
	c.Do("open", one)
	c.Do("fill", "#f", "kept")
	c.Do("open", two)

	require.Equal(t, one, c.Do("back").Result.Text)
	require.Equal(t, []any{"One", one, "kept"},
		c.Page("[document.title, location.href, document.getElementById('f').value]"))
	require.Equal(t, two, c.Do("forward").Result.Text)
	require.Equal(t, "Two", c.Page("document.title"))

	reply := c.Do("forward")
	require.Equal(t, two, c.Page("location.href"))
	require.Contains(t, sessiontest.Notes(reply), "no page to go forward to")
	c.Do("back")
	require.Equal(t, "about:blank", c.Data("back")["url"])
	reply = c.Do("back")
	require.Equal(t, "about:blank", reply.Result.Text)
	require.Contains(t, sessiontest.Notes(reply), "no page to go back to")
}

func TestHistoryWithinADocument(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<script>
		born = Math.random();
		addEventListener('popstate', (e) => log.push('pop ' + location.search + ' ' + e.state));
		history.replaceState('first', '', '?a'); history.pushState('second', '', '?b');
	</script>`)
	born := c.Page("born")
	reply := c.Do("back")
	require.True(t, strings.HasSuffix(reply.Result.Text, "?a"), reply.Result.Text)
	c.Do("forward")
	require.Equal(t, "pop ?a first\npop ?b second", c.Log())
	require.Equal(t, born, c.Page("born"), "the document stayed")
}

// The browser does not load a document again for another fragment, which a caller who wants to see a changed page has
// to know.
func TestOpenAnotherFragment(t *testing.T) {
	t.Parallel()
	var loads atomic.Int32
	url := site.URL(site.Answering(func(w http.ResponseWriter, _ *http.Request) {
		sessiontest.WritePage(w, fmt.Sprintf("<title>Load %d</title><p id=part>", loads.Add(1)))
	}))
	c := host.NewClient(t)
	const said = "the document was not loaded again; `open --reload` loads it"
	require.NotContains(t, sessiontest.Notes(c.Do("open", url)), said)
	require.Contains(t, sessiontest.Notes(c.Do("open", url+"#part")), said)
	require.Equal(t, "Load 1", c.Page("document.title"))
	require.NotContains(t, sessiontest.Notes(c.Do("open", "--reload", url+"#other")), said)
	require.Equal(t, "Load 2", c.Page("document.title"))
	require.Equal(t, url+"#other", c.Page("location.href"))
	require.NotContains(t, sessiontest.Notes(c.Do("open", "--reload", url)), said,
		"without a fragment it is loaded anyway")
	require.Equal(t, int32(3), loads.Load(), "and once")
}

func TestReload(t *testing.T) {
	t.Parallel()
	path := site.Write(`<title>Again</title>`)
	c := host.Opened(t, path)
	c.Page("mark = 1")
	require.Equal(t, site.URL(path), c.Do("reload").Result.Text)
	require.Equal(t, "undefined", c.Page("typeof mark"))
	require.Equal(t, 2, site.Requests(path))
	require.Equal(t, "reload", c.Page("performance.getEntriesByType('navigation')[0].type"))
	require.Equal(t, site.URL(path), c.Data("reload")["url"])
}

func TestReloadThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/status/503")
	require.Contains(t, sessiontest.Notes(c.Do("reload")), "the server answered with HTTP 503")
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
			there := site.Write("<!doctype html>" + tt.page)
			c := host.Showing(t, `<title>Here</title><a href="`+there+`">Go</a>`)
			require.Equal(t, "Here", c.Do("get", "url").Page.Title)
			c.Do("click", "a")
			shown := c.Do("wait", "--url", "**"+there).Page
			require.Equal(t, site.URL(there), shown.URL)
			for shown.Title != tt.title && t.Context().Err() == nil { // the browser is asked beside the commands
				require.NotEqual(t, "Here", shown.Title)
				shown = c.Do("get", "url").Page
			}
		})
	}
}

// A page that goes elsewhere by itself has the browser drop what the caller opens: that is asked for again, and is what
// the tab shows.
func TestOpenWhileThePageGoesElsewhere(t *testing.T) {
	t.Parallel()
	wanted := site.Gate(t, "<!doctype html><title>Wanted</title>")
	when := site.Gate(t, "")
	there := site.Gate(t, "")
	c := host.Showing(t,
		`<title>Here</title><script>fetch('`+when.Path+`').then(() => { location.href = '`+there.Path+`' })</script>`)
	when.WaitAsked(t)
	open := c.Start("open", site.URL(wanted.Path))
	wanted.WaitAsked(t)
	when.Open()
	there.WaitAsked(t)
	wanted.Open()
	c.Await(open)
	require.Equal(t, "Wanted", c.Page("document.title"))
	require.Equal(t, site.URL(wanted.Path), c.Do("get", "url").Result.Text)
}
