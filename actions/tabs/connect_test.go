package tabs_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
)

// way is a proxy between us and a browser: it requires headers, hides endpoints, and may be cut.
type way struct {
	server *httptestServer
	hide   func(*http.Request) (status int, text string) // 0: nothing
}

type httptestServer struct {
	URL      string
	listener net.Listener
	handler  http.Handler
	server   *http.Server
}

func (s *httptestServer) start(t testing.TB) {
	s.server = &http.Server{Handler: s.handler}
	go func() { _ = s.server.Serve(s.listener) }()
	t.Cleanup(func() { _ = s.server.Close() })
}

// wayTo opens a way to a browser.
func wayTo(t testing.TB, b *sessiontest.Theirs, hide func(*http.Request) (int, string)) *way {
	t.Helper()
	w := &way{hide: hide}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: "127.0.0.1:" + b.Port})
	}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w.server = &httptestServer{
		URL: "http://" + l.Addr().String(), listener: l,
		handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if w.hide != nil {
				if status, text := w.hide(r); status != 0 {
					http.Error(rw, text, status)
					return
				}
			}
			proxy.ServeHTTP(rw, r)
		}),
	}
	w.server.start(t)
	return w
}

func (w *way) port() string { return w.server.URL[strings.LastIndexByte(w.server.URL, ':')+1:] }

// pipeTo opens a way to a browser that knows nothing of HTTP and can be cut.
type pipeTo struct {
	t       testing.TB
	to      string
	address string
	l       net.Listener
	conns   chan net.Conn
	drops   atomic.Int32 // how many connections from now on are ended at once
}

func openPipe(t testing.TB, b *sessiontest.Theirs) *pipeTo {
	t.Helper()
	p := &pipeTo{t: t, to: "127.0.0.1:" + b.Port, address: "127.0.0.1:0", conns: make(chan net.Conn, 1000)}
	p.open()
	t.Cleanup(func() { p.shut(); p.cut() })
	return p
}

func (p *pipeTo) port() string { _, port, _ := net.SplitHostPort(p.address); return port }

func (p *pipeTo) open() {
	var err error
	p.l, err = net.Listen("tcp", p.address)
	require.NoError(p.t, err)
	p.address = p.l.Addr().String()
	l, to := p.l, p.to
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			if p.drops.Add(-1) >= 0 {
				_ = near.Close()
				continue
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			p.conns <- near
			p.conns <- far
			go func() { defer near.Close(); defer far.Close(); _, _ = far.(*net.TCPConn).ReadFrom(near) }()
			go func() { defer near.Close(); defer far.Close(); _, _ = near.(*net.TCPConn).ReadFrom(far) }()
		}
	}()
}

// shut takes no new connections; cut ends those that there are.
func (p *pipeTo) shut() { _ = p.l.Close() }

func (p *pipeTo) cut() {
	for {
		select {
		case c := <-p.conns:
			_ = c.Close()
		default:
			return
		}
	}
}

func notesOf(c *sessiontest.Client, args ...string) string {
	c.T.Helper()
	return strings.Join(c.Do(args...).Result.Notes, "\n")
}

// The connection to a browser that goes on running is made again, with the tabs and what was said of them.
func TestConnectAgain(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	p := openPipe(t, b)
	c := host.NewClient(t)
	c.Do("connect", p.port())
	c.Do("open", wrote("<title>one</title><button>Go</button>"))
	c.Do("tab", "new", "--label", "docs", wrote("<title>two</title>"))
	c.Do("tab", "t1")
	c.Do("snapshot", "-i")
	c.Do("set", "viewport", "777", "555")
	c.Do("set", "headers", `{"X-Skua":"kept"}`)
	c.Do("network", "route", "**/made-up", "--body", "from the route")
	c.Do("eval", "window.mark = 'the same page'")

	p.cut()
	c.AwaitLoss()
	notes := notesOf(c, "get", "title")
	require.Contains(t, notes, "the connection to "+p.port()+" was lost and is restored")
	require.Contains(t, notes, "kept: t1, t2")
	require.Contains(t, notes, "applied again: ")
	require.Contains(t, notes, "the viewport")
	require.Contains(t, notes, "headers")
	require.Equal(t, "the same page", c.Page("window.mark"), "the tab that was active")
	require.Equal(t, 777.0, c.Page("innerWidth"))
	require.Equal(t, "from the route", c.Page("fetch('/made-up').then(r => r.text())"))
	tabs := c.Do("tab", "list").Result.Text
	require.Contains(t, tabs, "→ [t1] one")
	require.Contains(t, tabs, "[t2] docs")
	c.Fails(fault.RefStale, "click", "@e1")
	require.Empty(t, notesOf(c, "get", "title"), "it is said once")
	require.NoError(t, b.Owner.Err())
}

// A browser that is on its way back, and ends the first connections, is asked again.
func TestConnectAgainAtALaterAttempt(t *testing.T) {
	t.Parallel()
	p := openPipe(t, sessiontest.StartTheirs(t, t.TempDir()))
	c := host.NewClient(t)
	c.Do("connect", p.port())
	c.Do("open", wrote("<title>one</title>"))
	p.drops.Store(2)
	p.cut()
	c.AwaitLoss()
	require.Contains(t, notesOf(c, "get", "title"), "kept: t1")
	require.Equal(t, "one", c.Page("document.title"))
}

// What cannot be reached stays the session's browser: no other one is started, and it is found when it answers again.
func TestConnectAgainLater(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	p := openPipe(t, b)
	c := host.NewClient(t)
	c.Do("connect", "ws://127.0.0.1:"+p.port()+b.Path+"?token=secret")
	c.Do("open", wrote("<title>theirs</title>"))
	p.shut()
	p.cut()
	c.AwaitLoss()
	for _, args := range [][]string{
		{"get", "title"},
		{"open", site.URL("/")},
		{"tab", "list"},
		{"tab", "new"},
		{"--tab", "t1", "get", "url"},
	} {
		err := c.Fails(fault.ConnectFailed, args...)
		require.Contains(t, err.Error(),
			"the connection to the browser of this session (ws://127.0.0.1:"+p.port()+b.Path+") was lost")
		require.NotContains(t, err.Error(), "secret")
	}
	p.open()
	require.Contains(t, notesOf(c, "get", "title"), "kept: t1")
	require.Equal(t, "theirs", c.Do("get", "title").Result.Text)

	// A call that names another browser gets that one.
	p.shut()
	p.cut()
	c.AwaitLoss()
	require.Contains(t, notesOf(c, "--cdp", b.Port, "get", "title"), "the session has another browser now")
	require.Equal(t, "✓ Detached; the browser keeps running", c.Do("close").Result.Text)
	require.NoError(t, b.Owner.Err())
}

// Another browser that answers at the same address is not taken for the one before.
func TestConnectAgainToAnother(t *testing.T) {
	t.Parallel()
	first, second := sessiontest.StartTheirs(t, t.TempDir()), sessiontest.StartTheirs(t, t.TempDir())
	p := openPipe(t, first)
	c := host.NewClient(t)
	c.Do("connect", p.port())
	page := wrote("<title>first</title>")
	c.Do("open", page)
	p.to = "127.0.0.1:" + second.Port
	p.shut()
	p.cut()
	p.open()
	c.AwaitLoss()
	notes := notesOf(c, "get", "url")
	require.Contains(t, notes, "another one answers there now")
	require.Contains(t, notes, "gone: t1 ("+page+")")
}

// A proxy in front of a browser may require headers, for HTTP requests and the WebSocket. Their values are never shown.
func TestConnectHeaders(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	var sockets atomic.Int64
	w := wayTo(t, b, func(r *http.Request) (int, string) {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			return http.StatusUnauthorized, "who are you"
		}
		if r.Header.Get("Upgrade") != "" {
			sockets.Add(1)
		}
		return 0, ""
	})
	c := host.NewClient(t)
	err := c.Fails(fault.ConnectFailed, "connect", w.server.URL)
	require.Contains(t, err.Error(), "/json/version: HTTP 401 Unauthorized: it wants to know who asks")
	err = c.Fails(fault.ConnectFailed, "connect", w.server.URL, "--cdp-headers", `{"Authorization":"Bearer wr0ng"}`)
	require.NotContains(t, err.Error(), "wr0ng")
	c.Do("connect", w.server.URL, "--cdp-headers", `{"Authorization":"Bearer s3cret"}`)
	require.EqualValues(t, 1, sockets.Load())
	require.NotContains(t, c.Do("get", "cdp-url").Result.Text, "s3cret")
	c.Do("close")
	c.Env["SKUA_CDP_HEADERS"] = `{"authorization":"Bearer s3cret"}`
	c.Do("--cdp", w.port(), "get", "url")
	require.EqualValues(t, 2, sockets.Load())
	delete(c.Env, "SKUA_CDP_HEADERS")

	for text, want := range map[string]string{
		`{bad`:                      "Invalid JSON for --cdp-headers",
		`["a"]`:                     "--cdp-headers must be a JSON object with string values",
		`{"X-S": 5}`:                "--cdp-headers must be a JSON object with string values",
		`{"X-S": null}`:             "--cdp-headers must be a JSON object with string values",
		`null`:                      "--cdp-headers must be a JSON object with string values",
		`{"X S": "hidden"}`:         "not a header name",
		`{"X-S": "hid\nden"}`:       "the value of X-S has a character",
		`{"Upgrade": "hidden"}`:     "Upgrade belongs to the connection",
		`{"Sec-WebSocket-Key": ""}`: "belongs to the connection",
	} {
		err := c.Fails(fault.Usage, "--cdp", "1", "--cdp-headers", text, "get", "url")
		require.Contains(t, err.Error(), want, text)
		require.NotContains(t, err.Error(), "hid", text)
	}
}

// A running browser is found by its DevToolsActivePort file; stale files of others are ignored.
func TestAutoConnect(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	leave := func(folder, text string, age time.Duration) {
		path := filepath.Join(c.Dir, ".config", folder, "DevToolsActivePort")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		then := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(path, then, then))
	}
	leave("google-chrome", "1\n/devtools/browser/long-gone", time.Minute)
	err := c.Fails(fault.ConnectFailed, "--auto-connect", "get", "title")
	require.Contains(t, err.Error(),
		"No running Chrome instance found. Launch Chrome with --remote-debugging-port or use --cdp.")
	require.Contains(t, err.Error(), "~/.config/google-chrome names port 1: ")
	require.Contains(t, err.Error(), "port 9222: ")

	b := sessiontest.StartTheirs(t, filepath.Join(c.Dir, ".config", "chromium"))
	page, newErr := b.Owner.DefaultContext(engine.ContextOptions{}).NewPage(t.Context())
	require.NoError(t, newErr)
	_, newErr = page.Navigate(t.Context(), wrote("<title>signed in</title>"), engine.WaitLoad)
	require.NoError(t, newErr)
	leave("microsoft-edge", b.Port+"\n/devtools/browser/another-one", -time.Minute) // its port is Chromium's by now
	reply := c.Do("--auto-connect", "get", "title")
	require.Equal(t, "signed in", reply.Result.Text)
	require.Contains(t, strings.Join(reply.Result.Notes, "\n"),
		"working in Chromium, which keeps its profiles in ~/.config/chromium")
	require.Empty(t, notesOf(c, "--auto-connect", "get", "title"))
	c.Do("close")
	require.Equal(t, "✓ Done", c.Do("connect", "auto").Result.Text)
	require.Equal(t, "signed in", c.Do("get", "title").Result.Text)
	require.Contains(t, strings.Join(c.Do("--verbose", "get", "title").Details, "\n"),
		"was running already and is left running")
	require.Contains(t, c.Fails(fault.Usage, "--auto-connect", "--cdp", "1", "get", "url").Error(),
		"Cannot use --auto-connect and --cdp together")
	require.NoError(t, b.Owner.Err())
}

// A Chrome whose user decides who may debug it tells nothing and opens its websocket when the user agrees.
func TestAutoConnectConsent(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	asked, agreed := make(chan struct{}, 10), make(chan struct{})
	w := wayTo(t, b, func(r *http.Request) (int, string) {
		if r.Header.Get("Upgrade") == "" || r.URL.Path != b.Path {
			return http.StatusNotFound, "no"
		}
		asked <- struct{}{}
		select {
		case <-agreed:
		case <-r.Context().Done():
		}
		return 0, ""
	})
	c := host.NewClient(t)
	path := filepath.Join(c.Dir, ".config", "google-chrome", "DevToolsActivePort")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(w.port()+"\n"+b.Path), 0o600))

	err := c.Fails(fault.Timeout, "--timeout", "1000", "connect", "auto")
	require.Contains(t, err.Error(), "A dialog in the browser asks whether to allow remote debugging")
	require.Contains(t, err.Error(), "Google Chrome, which keeps its profiles in ~/.config/google-chrome")
	<-asked
	reply := c.Start("connect", "auto")
	<-asked
	close(agreed)
	c.Await(reply)
	c.Do("open", wrote("<title>agreed</title>"))
	require.Equal(t, "agreed", c.Do("get", "title").Result.Text)
}

// Options that only a browser which we start can take are refused where the caller typed them; those that are about
// pages hold.
func TestConnectOptions(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	c := host.NewClient(t)
	about := []string{"--cdp", b.Port, "--user-agent", "Skua/1", "--color-scheme", "dark", "open", site.URL("/")}
	err := c.Fails(fault.BrowserOptions, append([]string{"--headed", "--proxy", "http://me:pw@127.0.0.1:1"}, about...)...)
	require.Contains(t, err.Error(),
		"--headed, --proxy cannot be applied to a browser that already runs; nothing was done")
	require.NotContains(t, err.Error(), "pw")
	require.NotContains(t, sessiontest.Notes(c.Do(about...)), "not applied")
	require.Equal(t, "Skua/1", c.Page("navigator.userAgent"))
	require.Equal(t, true, c.Page("matchMedia('(prefers-color-scheme: dark)').matches"))
}

// The address of a tab means that tab, in its browser.
func TestConnectToTab(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	ctxt := b.Owner.DefaultContext(engine.ContextOptions{})
	var ids []string
	for i := range 3 {
		page, err := ctxt.NewPage(t.Context())
		require.NoError(t, err)
		_, err = page.Navigate(t.Context(), wrote(fmt.Sprintf("<title>tab %d</title>", i)), engine.WaitLoad)
		require.NoError(t, err)
		ids = append(ids, page.ID())
	}
	c := host.NewClient(t)
	c.Do("connect", "ws://127.0.0.1:"+b.Port+"/devtools/page/"+ids[1])
	require.Equal(t, "tab 1", c.Do("get", "title").Result.Text)
	require.Contains(t, c.Do("get", "cdp-url").Result.Text, b.Path)

	// If only that WebSocket is available, it serves the whole browser.
	w := wayTo(t, b, func(r *http.Request) (int, string) {
		if !strings.HasPrefix(r.URL.Path, "/devtools/page/") {
			return http.StatusForbidden, "no"
		}
		return 0, ""
	})
	c.Do("connect", "ws://127.0.0.1:"+w.port()+"/devtools/page/"+ids[0])
	require.Equal(t, "tab 0", c.Do("get", "title").Result.Text)
	c.Do("tab", "new", wrote("<title>mine</title>"))
	require.Equal(t, "mine", c.Do("get", "title").Result.Text)
	require.Contains(t, c.Do("tab", "list").Result.Text, "tab 2")
	require.Contains(t, strings.Join(c.Do("--verbose", "get", "title").Details, "\n"),
		"reached over the connection of one of its tabs")
}

// An address names one page. Another page of the browser is not what was asked for.
func TestConnectToPageThatIsNotThere(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	ctxt := b.Owner.DefaultContext(engine.ContextOptions{})
	open := func(html string) *engine.Page {
		page, err := ctxt.NewPage(t.Context())
		require.NoError(t, err)
		_, err = page.Navigate(t.Context(), wrote(html), engine.WaitLoad)
		require.NoError(t, err)
		return page
	}
	open("<title>left open</title><script>new SharedWorker(URL.createObjectURL(new " +
		"Blob([`onconnect=e=>e.ports[0].postMessage(1)`]))).port.onmessage = () => document.title = 'working'</script>")
	closed := open("<title>closed</title>")
	require.NoError(t, closed.Close(t.Context()))
	at := "127.0.0.1:" + b.Port
	worker := ""
	require.Eventually(t, func() bool {
		for _, tab := range endpoint.RecentTabs(t.Context(), "ws://"+at, nil) {
			if tab.Type == "shared_worker" {
				worker = tab.ID
			}
		}
		return worker != ""
	}, sessiontest.CommandLimit, 10*time.Millisecond)

	for _, test := range []struct {
		name, address, says string
	}{
		{"no such page", "ws://" + at + "/devtools/page/NOPE", "has no page NOPE"},
		{"a page that was closed", "ws://" + at + "/devtools/page/" + closed.ID(), "has no page " + closed.ID()},
		{"an HTTP address", "http://" + at + "/devtools/page/NOPE", "has no page NOPE"},
		{"a worker", "ws://" + at + "/devtools/page/" + worker, worker + " is a shared_worker"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, args := range [][]string{{"connect", test.address}, {"--cdp", test.address, "get", "title"}} {
				c := host.NewClient(t)
				f := c.Fails(fault.ConnectFailed, args...)
				require.Contains(t, f.Error(), test.says)
				require.Contains(t, f.Hint, "`connect http://"+at+"`")
			}
		})
	}
}

// wrote is the address of a page with this content.
func wrote(html string) string { return site.URL(site.Write(html)) }
