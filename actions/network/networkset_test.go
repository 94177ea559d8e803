package network_test

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// everywhere is a page whose frame in another process, worker and service worker ask for /data, each under its own
// name, when told to.
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
	server := site.Listening(everywhere())
	c := host.OpenedFresh(t, server.Folder+"page.html")
	c.Page("askWorker().then(askFrame)")
	require.Equal(t, object{"set": true, "headers": []any{"X-Test", "X-Number"}},
		c.Data("set", "headers", `{"X-Test":"a b","X-Number":7}`))
	for _, ask := range []string{`fetch("top").then(r => r.text())`, "askFrame()", "askWorker()", "askService()"} {
		require.Equal(t, "from the server", c.Page(ask))
	}
	for _, path := range []string{"top", "frame", "worker", "service"} {
		require.Equal(t, "a b", server.Header(t, path, "X-Test"), path)
		require.Equal(t, "7", server.Header(t, path, "X-Number"), path)
	}
	c.Do("tab", "new", site.URL(server.Folder+"tab.html"))
	require.Equal(t, "a b", server.Header(t, "tab.html", "X-Test"))
	c.Page(`void open("opened.html").document`)
	require.Eventually(t, func() bool {
		return strings.Contains(c.Do("tab", "list").Result.Text, "opened.html")
	}, sessiontest.CommandLimit, tick)
	c.Do("tab", "t3")
	c.Page(`fetch("popup").then(r => r.text())`)
	require.Equal(t, "a b", server.Header(t, "popup", "X-Test"))
	c.Do("tab", "t2")
	c.Do("click", writeLink(c, server.Folder+"clicked.html")) // effects watch the network, and stop to
	c.Do("wait", "--url", "clicked.html")
	require.Equal(t, "a b", server.Header(t, "clicked.html", "X-Test"))
	c.Do("set", "headers", `{"X-Other":"1"}`)
	c.Do("open", site.URL(server.Folder+"other.html"))
	require.Equal(t, "1", server.Header(t, "other.html", "X-Other"))
	require.Empty(t, server.Header(t, "other.html", "X-Test"), "the new ones take the place of the old ones")
	c.Do("set", "headers", "{}")
	c.Do("open", site.URL(server.Folder+"none.html"))
	require.Empty(t, server.Header(t, "none.html", "X-Other"))
	c.Do("tab", "t1")
	c.Page("askWorker().then(askFrame)")
	require.Empty(t, server.Header(t, "worker", "X-Test"))
	require.Empty(t, server.Header(t, "frame", "X-Test"))
}

// writeLink puts a link into the page and returns its selector.
func writeLink(c *sessiontest.Client, address string) string {
	c.Page(fmt.Sprintf(`document.body.innerHTML = "<a id=link href='%s'>link</a>"`, address))
	return "#link"
}

func TestSetHeadersMistakes(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
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
		for _, args := range [][]string{{"set", "headers", test.json}, {"open", site.URL("/echo"), "--headers", test.json}} {
			require.Contains(t, c.Fails(fault.Usage, args...).Error(), test.says, "%q", args)
		}
	}
	require.Contains(t, c.Fails(fault.Usage, "open", "about:blank", "--headers", "{}").Error(), "http")
	require.Contains(t, c.Fails(fault.Usage, "open", "--headers", "{}").Error(), "address")
	require.Contains(t, c.Fails(fault.Usage, "set", "headers").Error(), "Missing arguments")
	require.NotContains(t, c.Fails(fault.Usage, "set", "headers", `{"Authorization":"sec\nret"}`).Error(), "ret")
}

// The headers of `open` are for the address's origin: for what it loads later, too, and for no other one, not even
// after a redirect.
func TestOpenHeaders(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.NewClient(t)
	c.Do("open", site.URL(server.Folder+"page.html"), "--headers", `{"Authorization":"Bearer secret"}`)
	require.Equal(t, "Bearer secret", server.Header(t, "page.html", "Authorization"))
	c.Page(`fetch("same").then(r => r.text())`)
	require.Equal(t, "Bearer secret", server.Header(t, "same", "Authorization"))
	c.Page(fmt.Sprintf(`fetch(%q).then(r => r.text())`, site.Elsewhere(server.Folder+"elsewhere")))
	require.Empty(t, server.Header(t, "elsewhere", "Authorization"))
	c.Do("open", site.URL(server.Folder+"to/x?to="+site.Elsewhere(server.Folder+"redirected")))
	require.Equal(t, "Bearer secret", server.Header(t, "to/x", "Authorization"))
	require.Empty(t, server.Header(t, "redirected", "Authorization"))
	c.Do("tab", "new", site.URL(server.Folder+"tab.html"))
	require.Equal(t, "Bearer secret", server.Header(t, "tab.html", "Authorization"))
	c.Do("open", site.Elsewhere(server.Folder+"second.html"), "--headers", `{"X-Second":"2"}`)
	require.Equal(t, "2", server.Header(t, "second.html", "X-Second"))
	require.Empty(t, server.Header(t, "second.html", "Authorization"))
	c.Do("network", "route", "/routed", "--request-header", "X-Routed: 1")
	c.Do("open", site.URL(server.Folder+"routed"))
	require.Equal(t, "Bearer secret", server.Header(t, "routed", "Authorization"), "a route lets them be")
	require.Equal(t, "1", server.Header(t, "routed", "X-Routed"))
	c.Do("open", site.URL(server.Folder+"none.html"), "--headers", "{}")
	require.Empty(t, server.Header(t, "none.html", "Authorization"))
}

func TestSetOffline(t *testing.T) {
	t.Parallel()
	server := site.Listening(everywhere())
	c := host.Opened(t, server.Folder+"page.html")
	asks := []string{`fetch("top").then(r => r.text(), e => e.name)`, "askFrame()", "askWorker()", "askService()"}
	for _, ask := range asks {
		require.Equal(t, "from the server", c.Page(ask))
	}
	c.Page(
		`addEventListener("offline", () => heard = "offline"); addEventListener("online", () => heard = "online"); heard = ""`)
	require.Equal(t, object{"offline": true}, c.Data("set", "offline"))
	for _, ask := range asks {
		require.Equal(t, "TypeError", c.Page(ask), ask)
	}
	require.Equal(t, false, c.Page("navigator.onLine"))
	c.Do("wait", "--fn", "heard === 'offline'")
	require.Contains(t, c.Fails(fault.NavigationFailed, "tab", "new", site.URL(server.Folder+"new.html")).Error(),
		"ERR_INTERNET_DISCONNECTED")
	require.Empty(t, server.Asked("new.html"))
	c.Do("tab", "t1")
	require.Equal(t, object{"offline": false}, c.Data("set", "offline", "off"))
	for _, ask := range asks {
		require.Equal(t, "from the server", c.Page(ask), ask)
	}
	c.Do("wait", "--fn", "heard === 'online'")
	require.Equal(t, true, c.Page("navigator.onLine"))
	require.Equal(t, object{"offline": true}, c.Data("set", "offline", "on"))
	require.Equal(t, object{"offline": false}, c.Data("set", "offline", "false"))
	require.Contains(t, c.Fails(fault.Usage, "set", "offline", "bogus").Error(), `got "bogus"`)
	require.Equal(t, "from the server", c.Page(asks[0]))
}

func TestSetNetwork(t *testing.T) {
	t.Parallel()
	server := site.Listening(map[string]string{"big": strings.Repeat("x", 60_000)})
	c := host.Opened(t, server.Folder+"page.html")
	took := `(async () => { const t = performance.now(); await fetch("big?" + Math.random()).then(r => r.text()); return performance.now() - t })()`
	require.Equal(t, object{"network": "slow-3g", "offline": false, "latency": 2000.0, "down": 400.0, "up": 400.0},
		c.Data("set", "network", "slow-3g"))
	require.Greater(t, c.Page(took), 2000.0)
	require.Equal(t, "cellular", c.Page("navigator.connection.type || 'cellular'"))
	require.Equal(t, object{"offline": false, "latency": 300.0}, c.Data("set", "network", "--latency", "300"))
	require.Greater(t, c.Page(took), 300.0)
	c.Do("set", "network", "--down", "480") // 60 kB a second
	require.Greater(t, c.Page(took), 700.0)
	c.Do("tab", "new", site.URL(server.Folder+"tab.html"))
	require.Greater(t, c.Page(took), 700.0, "in a new tab")
	c.Do("set", "offline")
	c.Do("set", "offline", "off")
	// the browser's network process may be late to hear of it
	c.Page(`(async () => { for (;;) try { return !await fetch("page.html") } catch {} })()`)
	require.Greater(t, c.Page(took), 700.0, "what was set before is there again")
	require.Equal(t, true, c.Data("set", "network", "offline")["offline"])
	require.Equal(t, false, c.Page("navigator.onLine"))
	c.Do("set", "network", "none")
	require.Equal(t, true, c.Page("navigator.onLine"))
	require.Equal(t, 60_000.0, c.Page(`fetch("big").then(r => r.text()).then(t => t.length)`))
	for _, args := range [][]string{
		{},
		{"bogus"},
		{"--latency", "-1"},
		{"--down", "0"},
		{"none", "--latency", "5"},
		{"--up", "x"},
	} {
		c.Fails(fault.Usage, append([]string{"set", "network"}, args...)...)
	}
}

// guarding answers those who know the name and the password.
func guarding(check func(r *http.Request) bool, challenge string) (folder string, refused *atomic.Int32) {
	refused = &atomic.Int32{}
	return site.Answering(func(w http.ResponseWriter, r *http.Request) {
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
		sessiontest.WritePage(w, "<!doctype html><title>Welcome</title>")
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
	c := host.NewClient(t)
	require.Contains(t, sessiontest.Told(c.Do("open", site.URL(folder))), "401")
	reply := c.Do("set", "credentials", "ada", "p:ä")
	require.NotContains(t, fmt.Sprint(reply.Result), "p:ä")
	require.Contains(t, sessiontest.Told(c.Do("open", site.URL(folder))), "✓ Welcome")
	c.Do("tab", "new", site.URL(folder+"tab"))
	require.Equal(t, "Welcome", c.Page("document.title"))
	require.Equal(t, 200.0, c.Page(`fetch("x").then(r => r.status)`))
	require.Equal(t, 200.0, c.Page(`new Promise(done => { const w = new Worker(URL.createObjectURL(new Blob(
		["fetch('" + location.origin + location.pathname + "').then(r => postMessage(r.status))"]))); w.onmessage = e => done(e.data) })`))
}

// Wrong credentials are given once; the page shows what the server says to that.
func TestSetCredentialsWrong(t *testing.T) {
	t.Parallel()
	folder, refused := guarding(basic("ada", "right"), "Basic realm=x")
	c := host.NewClient(t)
	c.Do("set", "auth", "ada", "wrong")
	require.Contains(t, sessiontest.Told(c.Do("open", site.URL(folder))), "401")
	require.Equal(t, "Refused", c.Page("document.title"))
	require.EqualValues(t, 2, refused.Load(), "without, and with them")
	c.Do("set", "credentials", "ada", "right")
	require.Contains(t, sessiontest.Told(c.Do("open", site.URL(folder))), "✓ Welcome")
}

// Several servers on the way of one request each get an answer.
func TestSetCredentialsRedirect(t *testing.T) {
	t.Parallel()
	first, _ := guarding(basic("ada", "secret"), "Basic realm=first")
	second, _ := guarding(basic("ada", "secret"), "Basic realm=second")
	c := host.NewClient(t)
	c.Do("set", "credentials", "ada", "secret")
	require.Contains(t, sessiontest.Told(c.Do("open", site.URL(first+"?to="+site.Elsewhere(second)))), "✓ Welcome")
}

func TestSetCredentialsOrigin(t *testing.T) {
	t.Parallel()
	folder, _ := guarding(basic("ada", "secret"), "Basic realm=x")
	c := host.NewClient(t)
	c.Do("set", "credentials", "ada", "secret", "--origin", site.URL("/some/page"))
	require.Contains(t, sessiontest.Told(c.Do("open", site.Elsewhere(folder))), "401")
	require.Contains(t, sessiontest.Told(c.Do("open", site.URL(folder))), "✓ Welcome")
	other := host.NewClient(t)
	other.Do("set", "credentials", "ada", "secret")
	require.Equal(t, object{"set": false}, other.Data("set", "credentials", "--clear"))
	require.Contains(t, sessiontest.Told(other.Do("open", site.URL(folder))), "401")
	for _, args := range [][]string{
		{},
		{"ada"},
		{"a:b", "c"},
		{"a", "b", "--clear"},
		{"a", "b", "--origin", "file:///x"},
		{"a", "b", "c"},
	} {
		other.Fails(fault.Usage, append([]string{"set", "credentials"}, args...)...)
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
		return field(h,
			"response") == sum(strings.Join([]string{ha1, field(h, "nonce"), field(h, "nc"), field(h, "cnonce"), "auth", ha2},
			":"))
	}, `Digest realm="x", qop="auth", nonce="n1"`)
	c := host.NewClient(t)
	c.Do("set", "credentials", "ada", "secret")
	require.Contains(t, sessiontest.Told(c.Do("open", site.URL(folder))), "✓ Welcome")
}

// A route beside credentials works, and answers what needs none.
func TestSetCredentialsAndRoutes(t *testing.T) {
	t.Parallel()
	folder, _ := guarding(basic("ada", "secret"), "Basic realm=x")
	c := host.NewClient(t)
	c.Do("set", "credentials", "ada", "secret")
	c.Do("network", "route", "/mocked", "--body", "mocked")
	require.Contains(t, sessiontest.Told(c.Do("open", site.URL(folder))), "✓ Welcome")
	require.Equal(t, "200 - mocked", c.Page(fetchText("mocked", "{}")))
	c.Do("network", "unroute")
	require.Equal(t, 200.0, c.Page(`fetch("x").then(r => r.status)`))
}

// A page that is not loaded again for lack of a network is not a success.
func TestReloadOffline(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Opened(t, server.Folder+"page.html")
	c.Do("set", "offline")
	e := c.Fails(fault.NavigationFailed, "reload")
	require.Contains(t, e.Error(), "net::ERR_INTERNET_DISCONNECTED at "+site.URL(server.Folder+"page.html"))
	c.Do("set", "offline", "off")
	require.Equal(t, site.URL(server.Folder+"page.html"), c.Do("reload").Result.Text)
}
