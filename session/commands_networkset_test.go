package session_test

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// everywhere is a page whose frame in another process, worker and service worker ask for /data, each under its own name, when told to.
func everywhere() map[string]string {
	return map[string]string{
		"page.html": `<script>
			const told = (what, ...more) => new Promise(done => { onmessage = worker.onmessage = navigator.serviceWorker.onmessage = e => done(e.data); what().postMessage("go", ...more) });
			worker = new Worker("worker.js");
			askWorker = () => told(() => worker);
			askFrame = () => told(() => frames[0], "*");
			askService = async () => { await navigator.serviceWorker.register("service.js"); const r = await navigator.serviceWorker.ready; return told(() => r.active) };
			document.write("<iframe src='" + location.href.replace("127.0.0.1", "localhost").replace("page", "frame") + "'></iframe>")</script>`,
		"frame.html": `<script>onmessage = e => fetch("frame").then(r => r.text(), e => e.name).then(t => parent.postMessage(t, "*"))</script>`,
		"worker.js":  `onmessage = e => fetch("worker").then(r => r.text(), e => e.name).then(t => postMessage(t))`,
		"service.js": `onmessage = e => fetch("service").then(r => r.text(), e => e.name).then(t => e.source.postMessage(t))`,
	}
}

func TestSetHeaders(t *testing.T) {
	t.Parallel()
	server := listening(everywhere())
	c := openedFresh(t, server.folder+"page.html")
	c.page("askWorker().then(askFrame)")
	require.Equal(t, object{"set": true, "headers": []any{"X-Test", "X-Number"}}, c.data("set", "headers", `{"X-Test":"a b","X-Number":7}`))
	for _, ask := range []string{`fetch("top").then(r => r.text())`, "askFrame()", "askWorker()", "askService()"} {
		require.Equal(t, "from the server", c.page(ask))
	}
	for _, path := range []string{"top", "frame", "worker", "service"} {
		require.Equal(t, "a b", server.header(t, path, "X-Test"), path)
		require.Equal(t, "7", server.header(t, path, "X-Number"), path)
	}
	c.do("tab", "new", site.url(server.folder+"tab.html"))
	require.Equal(t, "a b", server.header(t, "tab.html", "X-Test"))
	c.page(`void open("opened.html").document`)
	require.Eventually(t, func() bool { return strings.Contains(c.do("tab", "list").Result.Text, "opened.html") }, commandLimit, tick)
	c.do("tab", "t3")
	c.page(`fetch("popup").then(r => r.text())`)
	require.Equal(t, "a b", server.header(t, "popup", "X-Test"))
	c.do("tab", "t2")
	c.do("click", c.writeLink(server.folder+"clicked.html")) // effects watch the network, and stop to
	c.do("wait", "--url", "clicked.html")
	require.Equal(t, "a b", server.header(t, "clicked.html", "X-Test"))
	c.do("set", "headers", `{"X-Other":"1"}`)
	c.do("open", site.url(server.folder+"other.html"))
	require.Equal(t, "1", server.header(t, "other.html", "X-Other"))
	require.Empty(t, server.header(t, "other.html", "X-Test"), "the new ones take the place of the old ones")
	c.do("set", "headers", "{}")
	c.do("open", site.url(server.folder+"none.html"))
	require.Empty(t, server.header(t, "none.html", "X-Other"))
	c.do("tab", "t1")
	c.page("askWorker().then(askFrame)")
	require.Empty(t, server.header(t, "worker", "X-Test"))
	require.Empty(t, server.header(t, "frame", "X-Test"))
}

// writeLink puts a link into the page and returns its selector.
func (c *client) writeLink(address string) string {
	c.page(fmt.Sprintf(`document.body.innerHTML = "<a id=link href='%s'>link</a>"`, address))
	return "#link"
}

func TestSetHeadersMistakes(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	for _, test := range []struct{ json, says string }{
		{"x", "object"},
		{"[1]", "object"},
		{"", "object"},
		{`{"a":"b"`, "valid JSON"},
		{`{"a":null}`, `"a" is not text`},
		{`{"a":{}}`, "not text"},
		{`{"a b":"c"}`, `"a b" is not a header name`},
		{`{"a":"b\nc"}`, "character"},
		{`{"Host":"x"}`, "Host cannot be set"},
		{`{"A":"1","a":"2"}`, "twice"},
		{`{} {}`, "follows"},
		{`{"a":"b"}x`, "follows"},
	} {
		for _, args := range [][]string{{"set", "headers", test.json}, {"open", site.url("/echo"), "--headers", test.json}} {
			require.Contains(t, c.fails(fault.Usage, args...).Error(), test.says, "%q", args)
		}
	}
	require.Contains(t, c.fails(fault.Usage, "open", "about:blank", "--headers", "{}").Error(), "http")
	require.Contains(t, c.fails(fault.Usage, "open", "--headers", "{}").Error(), "address")
	require.Contains(t, c.fails(fault.Usage, "set", "headers").Error(), "Missing arguments")
	require.NotContains(t, c.fails(fault.Usage, "set", "headers", `{"Authorization":"sec\nret"}`).Error(), "ret")
}

// The headers of `open` are for the address's origin: for what it loads later, too, and for no other one, not even after a redirect.
func TestOpenHeaders(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := newClient(t)
	c.do("open", site.url(server.folder+"page.html"), "--headers", `{"Authorization":"Bearer secret"}`)
	require.Equal(t, "Bearer secret", server.header(t, "page.html", "Authorization"))
	c.page(`fetch("same").then(r => r.text())`)
	require.Equal(t, "Bearer secret", server.header(t, "same", "Authorization"))
	c.page(fmt.Sprintf(`fetch(%q).then(r => r.text())`, site.elsewhere(server.folder+"elsewhere")))
	require.Empty(t, server.header(t, "elsewhere", "Authorization"))
	c.do("open", site.url(server.folder+"to/x?to="+site.elsewhere(server.folder+"redirected")))
	require.Equal(t, "Bearer secret", server.header(t, "to/x", "Authorization"))
	require.Empty(t, server.header(t, "redirected", "Authorization"))
	c.do("tab", "new", site.url(server.folder+"tab.html"))
	require.Equal(t, "Bearer secret", server.header(t, "tab.html", "Authorization"))
	c.do("open", site.elsewhere(server.folder+"second.html"), "--headers", `{"X-Second":"2"}`)
	require.Equal(t, "2", server.header(t, "second.html", "X-Second"))
	require.Empty(t, server.header(t, "second.html", "Authorization"))
	c.do("network", "route", "/routed", "--request-header", "X-Routed: 1")
	c.do("open", site.url(server.folder+"routed"))
	require.Equal(t, "Bearer secret", server.header(t, "routed", "Authorization"), "a route lets them be")
	require.Equal(t, "1", server.header(t, "routed", "X-Routed"))
	c.do("open", site.url(server.folder+"none.html"), "--headers", "{}")
	require.Empty(t, server.header(t, "none.html", "Authorization"))
}

func TestSetOffline(t *testing.T) {
	t.Parallel()
	server := listening(everywhere())
	c := opened(t, server.folder+"page.html")
	asks := []string{`fetch("top").then(r => r.text(), e => e.name)`, "askFrame()", "askWorker()", "askService()"}
	for _, ask := range asks {
		require.Equal(t, "from the server", c.page(ask))
	}
	c.page(`addEventListener("offline", () => heard = "offline"); addEventListener("online", () => heard = "online"); heard = ""`)
	require.Equal(t, object{"offline": true}, c.data("set", "offline"))
	for _, ask := range asks {
		require.Equal(t, "TypeError", c.page(ask), ask)
	}
	require.Equal(t, false, c.page("navigator.onLine"))
	c.do("wait", "--fn", "heard === 'offline'")
	require.Contains(t, c.fails(fault.NavigationFailed, "tab", "new", site.url(server.folder+"new.html")).Error(), "ERR_INTERNET_DISCONNECTED")
	require.Empty(t, server.asked("new.html"))
	c.do("tab", "t1")
	require.Equal(t, object{"offline": false}, c.data("set", "offline", "off"))
	for _, ask := range asks {
		require.Equal(t, "from the server", c.page(ask), ask)
	}
	c.do("wait", "--fn", "heard === 'online'")
	require.Equal(t, true, c.page("navigator.onLine"))
	require.Equal(t, object{"offline": true}, c.data("set", "offline", "on"))
	require.Equal(t, object{"offline": false}, c.data("set", "offline", "false"))
	require.Contains(t, c.fails(fault.Usage, "set", "offline", "bogus").Error(), `got "bogus"`)
	require.Equal(t, "from the server", c.page(asks[0]))
}

func TestSetNetwork(t *testing.T) {
	t.Parallel()
	server := listening(map[string]string{"big": strings.Repeat("x", 60_000)})
	c := opened(t, server.folder+"page.html")
	took := `(async () => { const t = performance.now(); await fetch("big?" + Math.random()).then(r => r.text()); return performance.now() - t })()`
	require.Equal(t, object{"network": "slow-3g", "offline": false, "latency": 2000.0, "down": 400.0, "up": 400.0}, c.data("set", "network", "slow-3g"))
	require.Greater(t, c.page(took), 2000.0)
	require.Equal(t, "cellular", c.page("navigator.connection.type || 'cellular'"))
	require.Equal(t, object{"offline": false, "latency": 300.0}, c.data("set", "network", "--latency", "300"))
	require.Greater(t, c.page(took), 300.0)
	c.do("set", "network", "--down", "480") // 60 kB a second
	require.Greater(t, c.page(took), 700.0)
	c.do("tab", "new", site.url(server.folder+"tab.html"))
	require.Greater(t, c.page(took), 700.0, "in a new tab")
	c.do("set", "offline")
	c.do("set", "offline", "off")
	c.page(`(async () => { for (;;) try { return !await fetch("page.html") } catch {} })()`) // the browser's network process may be late to hear of it
	require.Greater(t, c.page(took), 700.0, "what was set before is there again")
	require.Equal(t, true, c.data("set", "network", "offline")["offline"])
	require.Equal(t, false, c.page("navigator.onLine"))
	c.do("set", "network", "none")
	require.Equal(t, true, c.page("navigator.onLine"))
	require.Equal(t, 60_000.0, c.page(`fetch("big").then(r => r.text()).then(t => t.length)`))
	for _, args := range [][]string{{}, {"bogus"}, {"--latency", "-1"}, {"--down", "0"}, {"none", "--latency", "5"}, {"--up", "x"}} {
		c.fails(fault.Usage, append([]string{"set", "network"}, args...)...)
	}
}

// guarding answers those who know the name and the password.
func guarding(check func(r *http.Request) bool, challenge string) (folder string, refused *atomic.Int32) {
	refused = &atomic.Int32{}
	return site.answering(func(w http.ResponseWriter, r *http.Request) {
		if !check(r) {
			refused.Add(1)
			w.Header().Set("WWW-Authenticate", challenge)
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, "<title>Refused</title>")
			return
		}
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		writePage(w, "<!doctype html><title>Welcome</title>")
	}), refused
}

func basic(user, password string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		u, p, ok := r.BasicAuth()
		return ok && u == user && p == password
	}
}

func TestSetCredentials(t *testing.T) {
	t.Parallel()
	folder, _ := guarding(basic("ada", "p:ä"), `Basic realm="x", charset="UTF-8"`)
	c := newClient(t)
	require.Contains(t, told(c.do("open", site.url(folder))), "401")
	reply := c.do("set", "credentials", "ada", "p:ä")
	require.NotContains(t, fmt.Sprint(reply.Result), "p:ä")
	require.Contains(t, told(c.do("open", site.url(folder))), "✓ Welcome")
	c.do("tab", "new", site.url(folder+"tab"))
	require.Equal(t, "Welcome", c.page("document.title"))
	require.Equal(t, 200.0, c.page(`fetch("x").then(r => r.status)`))
	require.Equal(t, 200.0, c.page(`new Promise(done => { const w = new Worker(URL.createObjectURL(new Blob(
		["fetch('" + location.origin + location.pathname + "').then(r => postMessage(r.status))"]))); w.onmessage = e => done(e.data) })`))
}

// Wrong credentials are given once; the page shows what the server says to that.
func TestSetCredentialsWrong(t *testing.T) {
	t.Parallel()
	folder, refused := guarding(basic("ada", "right"), "Basic realm=x")
	c := newClient(t)
	c.do("set", "auth", "ada", "wrong")
	require.Contains(t, told(c.do("open", site.url(folder))), "401")
	require.Equal(t, "Refused", c.page("document.title"))
	require.EqualValues(t, 2, refused.Load(), "without, and with them")
	c.do("set", "credentials", "ada", "right")
	require.Contains(t, told(c.do("open", site.url(folder))), "✓ Welcome")
}

// Several servers on the way of one request each get an answer.
func TestSetCredentialsRedirect(t *testing.T) {
	t.Parallel()
	first, _ := guarding(basic("ada", "secret"), "Basic realm=first")
	second, _ := guarding(basic("ada", "secret"), "Basic realm=second")
	c := newClient(t)
	c.do("set", "credentials", "ada", "secret")
	require.Contains(t, told(c.do("open", site.url(first+"?to="+site.elsewhere(second)))), "✓ Welcome")
}

func TestSetCredentialsOrigin(t *testing.T) {
	t.Parallel()
	folder, _ := guarding(basic("ada", "secret"), "Basic realm=x")
	c := newClient(t)
	c.do("set", "credentials", "ada", "secret", "--origin", site.url("/some/page"))
	require.Contains(t, told(c.do("open", site.elsewhere(folder))), "401")
	require.Contains(t, told(c.do("open", site.url(folder))), "✓ Welcome")
	other := newClient(t)
	other.do("set", "credentials", "ada", "secret")
	require.Equal(t, object{"set": false}, other.data("set", "credentials", "--clear"))
	require.Contains(t, told(other.do("open", site.url(folder))), "401")
	for _, args := range [][]string{{}, {"ada"}, {"a:b", "c"}, {"a", "b", "--clear"}, {"a", "b", "--origin", "file:///x"}, {"a", "b", "c"}} {
		other.fails(fault.Usage, append([]string{"set", "credentials"}, args...)...)
	}
}

func TestSetCredentialsDigest(t *testing.T) {
	t.Parallel()
	sum := func(s string) string { h := md5.Sum([]byte(s)); return hex.EncodeToString(h[:]) }
	field := func(header, name string) string {
		m := regexp.MustCompile(name + `="?([^",]*)`).FindStringSubmatch(header)
		if m == nil {
			return ""
		}
		return m[1]
	}
	folder, _ := guarding(func(r *http.Request) bool {
		h := r.Header.Get("Authorization")
		if !strings.HasPrefix(h, "Digest ") {
			return false
		}
		h = strings.TrimPrefix(h, "Digest ")
		ha1, ha2 := sum("ada:x:secret"), sum(r.Method+":"+field(h, "uri"))
		return field(h, "response") == sum(strings.Join([]string{ha1, field(h, "nonce"), field(h, "nc"), field(h, "cnonce"), "auth", ha2}, ":"))
	}, `Digest realm="x", qop="auth", nonce="n1"`)
	c := newClient(t)
	c.do("set", "credentials", "ada", "secret")
	require.Contains(t, told(c.do("open", site.url(folder))), "✓ Welcome")
}

// A route beside credentials works, and answers what needs none.
func TestSetCredentialsAndRoutes(t *testing.T) {
	t.Parallel()
	folder, _ := guarding(basic("ada", "secret"), "Basic realm=x")
	c := newClient(t)
	c.do("set", "credentials", "ada", "secret")
	c.do("network", "route", "/mocked", "--body", "mocked")
	require.Contains(t, told(c.do("open", site.url(folder))), "✓ Welcome")
	require.Equal(t, "200 - mocked", c.page(fetchText("mocked", "{}")))
	c.do("network", "unroute")
	require.Equal(t, 200.0, c.page(`fetch("x").then(r => r.status)`))
}

// A page that is not loaded again for lack of a network is not a success.
func TestReloadOffline(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := opened(t, server.folder+"page.html")
	c.do("set", "offline")
	e := c.fails(fault.NavigationFailed, "reload")
	require.Contains(t, e.Error(), "net::ERR_INTERNET_DISCONNECTED at "+site.url(server.folder+"page.html"))
	c.do("set", "offline", "off")
	require.Equal(t, site.url(server.folder+"page.html"), c.do("reload").Result.Text)
}
