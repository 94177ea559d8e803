package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tick is how often a test looks for what no event of ours tells.
const tick = 20 * time.Millisecond

// Routes hold in tabs that were there and that come, in frames of the same and of other processes, in workers and in popups.
func TestRoutePlaces(t *testing.T) {
	t.Parallel()
	ask := fetchText("data", "{}")
	places := map[string]struct {
		pages map[string]string
	}{
		"frame": {map[string]string{
			"page.html":  `<iframe src=frame.html></iframe><script>onmessage = e => result = e.data</script>`,
			"frame.html": `<script>` + ask + `.then(t => parent.postMessage(t, "*"))</script>`,
		}},
		"frame in another process": {map[string]string{
			"page.html": `<script>onmessage = e => result = e.data;
				document.write("<iframe src='" + location.href.replace("127.0.0.1", "localhost").replace("page", "frame") + "'></iframe>")</script>`,
			"frame.html": `<script>` + ask + `.then(t => parent.postMessage(t, "*"))</script>`,
		}},
		"worker": {map[string]string{
			"page.html": `<script>new Worker("worker.js").onmessage = e => result = e.data</script>`,
			"worker.js": ask + `.then(t => postMessage(t))`,
		}},
		"worker of a worker": {map[string]string{
			"page.html":  `<script>new Worker("outer.js").onmessage = e => result = e.data</script>`,
			"outer.js":   `new Worker("worker.js").onmessage = e => postMessage(e.data)`,
			"worker.js":  ask + `.then(t => postMessage(t))`,
			"unneeded.x": "",
		}},
		"script of a worker": {map[string]string{
			"page.html": `<script>new Worker("data").onmessage = e => result = e.data</script>`,
		}},
		"page behind a service worker": {map[string]string{
			"page.html": `<script>navigator.serviceWorker.oncontrollerchange = () => ` + ask + `.then(t => result = t);
				navigator.serviceWorker.register("sw.js")</script>`,
			"sw.js": `oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim()); onfetch = e => e.respondWith(fetch(e.request))`,
		}},
		"service worker's own fetch": {map[string]string{
			"page.html": `<script>navigator.serviceWorker.onmessage = e => result = e.data;
				navigator.serviceWorker.register("sw.js").then(() => navigator.serviceWorker.ready).then(r => r.active.postMessage("go"))</script>`,
			"sw.js": `onmessage = e => ` + ask + `.then(t => e.source.postMessage(t))`,
		}},
	}
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := "mocked"
			want := "200 - mocked"
			if name == "script of a worker" {
				body, want = "postMessage('mocked')", "mocked"
			}
			server := listening(place.pages)
			c := newClient(t)
			c.do("open")
			route := []string{"network", "route", "/data", "--body", body}
			if want == "mocked" {
				route = append(route, "--content-type", "text/javascript")
			}
			c.do(route...)
			c.do("open", site.url(server.folder+"page.html"))
			require.Equal(t, want, c.do("wait", "--fn", "window.result").Result.Text[1:len(want)+1])
			require.Empty(t, server.asked("data"))
		})
	}
}

// A worker, a frame and a tab that are there already are reached as well.
func TestRouteReachesWhatIsThere(t *testing.T) {
	t.Parallel()
	ask := fetchText("data", "{}")
	server := listening(map[string]string{
		"page.html": `<script>
			worker = new Worker("worker.js");
			asks = what => new Promise(done => { onmessage = worker.onmessage = e => done(e.data); what.postMessage("go", "*") });
			document.write("<iframe src='" + location.href.replace("127.0.0.1", "localhost").replace("page", "frame") + "'></iframe>")</script>`,
		"frame.html": `<script>onmessage = e => ` + ask + `.then(t => parent.postMessage(t, "*"))</script>`,
		"worker.js":  `onmessage = e => ` + ask + `.then(t => postMessage(t))`,
	})
	c := opened(t, server.folder+"page.html")
	worker := `new Promise(done => { worker.onmessage = e => done(e.data); worker.postMessage("go") })`
	frame := `new Promise(done => { onmessage = e => done(e.data); frames[0].postMessage("go", "*") })`
	require.Equal(t, "200 text/plain from the server", c.page(worker))
	require.Equal(t, "200 text/plain from the server", c.page(frame))
	c.do("tab", "new", site.url(server.folder+"other.html"))
	c.do("network", "route", "/data", "--body", "mocked")
	require.Equal(t, "200 - mocked", c.page(ask))
	c.do("tab", "t1")
	require.Equal(t, "200 - mocked", c.page(ask))
	require.Equal(t, "200 - mocked", c.page(frame))
	require.Eventually(t, func() bool { return c.page(worker) == "200 - mocked" }, commandLimit, tick)
	c.do("tab", "new", site.url(server.folder+"third.html"))
	require.Equal(t, "200 - mocked", c.page(ask))
	c.do("network", "unroute")
	require.Equal(t, "200 text/plain from the server", c.page(ask))
	c.do("tab", "t1")
	require.Equal(t, "200 text/plain from the server", c.page(frame))
	require.Equal(t, "200 text/plain from the server", c.page(worker))
}

// Another session in the same browser has its own routes.
func TestRouteIsOfItsSession(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c, other := showing(t, "<p>page"), showing(t, "<p>page")
	c.do("network", "route", "/data", "--abort")
	require.Equal(t, "200 text/plain from the server", other.page(fetchText(server.folder+"data", "{}")))
	require.Equal(t, "No routes", other.do("network", "routes").Result.Text)
}

func TestRouteRedirects(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := showing(t, "<p>page")
	c.do("network", "route", "/end", "--body", "mocked")
	c.do("network", "route", "/to/", "--request-header", "X-Hop: 1")
	require.Equal(t, "200 - mocked", c.page(fetchText(server.folder+"to/a?to=../end", "{}")), "what a redirect leads to is routed")
	require.Equal(t, "200 text/plain from the server", c.page(fetchText(server.folder+"to/a?to=../plain", "{}")))
	require.Equal(t, "1", server.header(t, "to/a", "X-Hop"))
	require.Empty(t, server.header(t, "plain", "X-Hop"), "a header is for the requests that fit")
}

// A page reads the answer of another origin when the route allows it, also when it has to ask first.
func TestRouteOtherOrigin(t *testing.T) {
	t.Parallel()
	asks := `{method: "PUT", headers: {"X-Own": "1", "Content-Type": "application/json"}, body: "{}"}`
	for name, test := range map[string]struct {
		args    []string
		options string
		want    string
	}{
		"not allowed":         {[]string{"--body", "x"}, "{}", "TypeError: Failed to fetch"},
		"all":                 {[]string{"--body", "x", "--allow-origin", "*"}, "{}", "200 - x"},
		"with a question":     {[]string{"--body", "x", "--allow-origin", "*"}, asks, "200 - x"},
		"typed":               {[]string{"--body", "x", "--allow-origin", "*", "--resource-type", "fetch"}, asks, "200 - x"},
		"by method":           {[]string{"--body", "x", "--allow-origin", "*", "--method", "PUT"}, asks, "200 - x"},
		"own origin":          {[]string{"--body", "x", "--allow-origin", "ORIGIN"}, asks, "200 - x"},
		"with cookies":        {[]string{"--body", "x", "--allow-origin", "ORIGIN"}, `{credentials: "include", headers: {"X-Own": "1"}}`, "200 - x"},
		"another origin":      {[]string{"--body", "x", "--allow-origin", "http://absent.example"}, "{}", "TypeError: Failed to fetch"},
		"the server's answer": {[]string{"--allow-origin", "*"}, asks, "200 text/plain from the server"},
		"by header":           {[]string{"--body", "x", "--header", "Access-Control-Allow-Origin: *"}, asks, "200 - x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := listening(nil)
			c := showing(t, "<p>page")
			args := append([]string{"network", "route", "/api/"}, test.args...)
			for i := range args {
				args[i] = strings.Replace(args[i], "ORIGIN", site.url(""), 1)
			}
			c.do(args...)
			require.Equal(t, test.want, c.page(fetchText(site.elsewhere(server.folder+"api/x"), test.options)))
			text := c.do("network", "routes").Result.Text
			require.Equal(t, test.want == "TypeError: Failed to fetch", strings.Contains(text, "another origin"), text)
			require.Contains(t, text, "1 hit", "the question does not count")
		})
	}
}

// The headers that were given can be read from there as well.
func TestRouteOtherOriginHeaders(t *testing.T) {
	t.Parallel()
	c := showing(t, "<p>page")
	c.do("network", "route", "/api/", "--body", "x", "--allow-origin", "*", "--header", "X-Mine: 1")
	require.Equal(t, "1", c.page(fmt.Sprintf("fetch(%q).then(r => r.headers.get('x-mine'))", site.elsewhere("/api/x"))))
}

// What was routed is in the list of requests as the page saw it.
func TestRoutesAndTheLog(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := showing(t, "<p>page")
	c.do("network", "requests", "--clear")
	c.do("network", "route", "/mocked", "--status", "418", "--body", "tea")
	c.do("network", "route", "/failed", "--abort")
	c.page(fetchText(server.folder+"mocked", "{}"))
	c.page(fetchText(server.folder+"failed", "{}"))
	text := c.do("network", "requests").Result.Text
	require.Regexp(t, `/mocked \(Fetch\) 418`, text)
	require.Regexp(t, `/failed \(Fetch\).* failed: net::ERR_FAILED`, text)
}

// Many requests at once are all answered.
func TestRouteMany(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := showing(t, "<p>page")
	c.do("network", "route", "/api/", "--body", "x", "--delay", "1")
	got := c.page(fmt.Sprintf(`Promise.all(Array.from({length: 500}, (_, i) => fetch(%q + i).then(r => r.text()))).then(all => all.join(""))`,
		server.folder+"api/"))
	require.Equal(t, strings.Repeat("x", 500), got)
	require.Contains(t, c.do("network", "routes").Result.Text, "500 hits")
}

// Routes are made and ended while a page shows a dialog or still loads.
func TestRouteBesideTrouble(t *testing.T) {
	t.Parallel()
	server := listening(nil)
	c := showing(t, "<p>page")
	c.do("dialog", "policy", "keep")
	c.page("void setTimeout(() => { alert('x'); done = 1 })")
	require.Eventually(t, func() bool { return strings.Contains(c.do("dialog", "status").Result.Text, "alert") }, commandLimit, tick)
	c.do("network", "route", "/data", "--body", "mocked")
	c.do("network", "routes")
	c.do("dialog", "accept")
	require.Equal(t, "200 - mocked", c.page(fetchText(server.folder+"data", "{}")))
	c.do("network", "route", "/held.html", "--delay", "1h")
	opening := c.start("open", site.url(server.folder+"held.html"))
	require.Eventually(t, func() bool { return strings.Contains(c.do("network", "routes").Result.Text, "1 waiting") }, commandLimit, tick)
	c.do("network", "unroute", "/held.html")
	require.Contains(t, c.await(opening).Result.Text, "held.html", "an open that a route holds back can be let go")
}

// What a page opens is reached, too.
func TestRoutePopup(t *testing.T) {
	t.Parallel()
	server := listening(map[string]string{"popup.html": "<title>Popup</title>"})
	c := openedFresh(t, server.folder+"page.html")
	c.do("network", "route", "/data", "--body", "mocked")
	c.page(`void open("popup.html")`)
	require.Eventually(t, func() bool { return strings.Contains(c.do("tab", "list").Result.Text, "popup.html") }, commandLimit, tick)
	c.do("tab", "t2")
	require.Equal(t, "200 - mocked", c.page(fetchText("data", "{}")))
}
