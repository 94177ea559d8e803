package network_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// tick is how often a test looks for what no event of ours tells.
const tick = 20 * time.Millisecond

// Routes hold in tabs that were there and that come, in frames of the same and of other processes, in workers and in
// popups.
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
			server := site.Listening(place.pages)
			c := host.NewClient(t)
			c.Do("open")
			route := []string{"network", "route", "/data", "--body", body}
			if want == "mocked" {
				route = append(route, "--content-type", "text/javascript")
			}
			c.Do(route...)
			c.Do("open", site.URL(server.Folder+"page.html"))
			require.Equal(t, want, c.Do("wait", "--fn", "window.result").Result.Text[1:len(want)+1])
			require.Empty(t, server.Asked("data"))
		})
	}
}

// A worker, a frame and a tab that are there already are reached as well.
func TestRouteReachesWhatIsThere(t *testing.T) {
	t.Parallel()
	ask := fetchText("data", "{}")
	server := site.Listening(map[string]string{
		"page.html": `<script>
			worker = new Worker("worker.js");
			asks = what => new Promise(done => { onmessage = worker.onmessage = e => done(e.data); what.postMessage("go", "*") });
			document.write("<iframe src='" + location.href.replace("127.0.0.1", "localhost").replace("page", "frame") + "'></iframe>")</script>`,
		"frame.html": `<script>onmessage = e => ` + ask + `.then(t => parent.postMessage(t, "*"))</script>`,
		"worker.js":  `onmessage = e => ` + ask + `.then(t => postMessage(t))`,
	})
	c := host.Opened(t, server.Folder+"page.html")
	worker := `new Promise(done => { worker.onmessage = e => done(e.data); worker.postMessage("go") })`
	frame := `new Promise(done => { onmessage = e => done(e.data); frames[0].postMessage("go", "*") })`
	require.Equal(t, "200 text/plain from the server", c.Page(worker))
	require.Equal(t, "200 text/plain from the server", c.Page(frame))
	c.Do("tab", "new", site.URL(server.Folder+"other.html"))
	c.Do("network", "route", "/data", "--body", "mocked")
	require.Equal(t, "200 - mocked", c.Page(ask))
	c.Do("tab", "t1")
	require.Equal(t, "200 - mocked", c.Page(ask))
	require.Equal(t, "200 - mocked", c.Page(frame))
	require.Eventually(t, func() bool { return c.Page(worker) == "200 - mocked" }, sessiontest.CommandLimit, tick)
	c.Do("tab", "new", site.URL(server.Folder+"third.html"))
	require.Equal(t, "200 - mocked", c.Page(ask))
	c.Do("network", "unroute")
	require.Equal(t, "200 text/plain from the server", c.Page(ask))
	c.Do("tab", "t1")
	require.Equal(t, "200 text/plain from the server", c.Page(frame))
	require.Equal(t, "200 text/plain from the server", c.Page(worker))
}

// Another session in the same browser has its own routes.
func TestRouteIsOfItsSession(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c, other := host.Showing(t, "<p>page"), host.Showing(t, "<p>page")
	c.Do("network", "route", "/data", "--abort")
	require.Equal(t, "200 text/plain from the server", other.Page(fetchText(server.Folder+"data", "{}")))
	require.Equal(t, "No routes", other.Do("network", "routes").Result.Text)
}

func TestRouteRedirects(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	c.Do("network", "route", "/end", "--body", "mocked")
	c.Do("network", "route", "/to/", "--request-header", "X-Hop: 1")
	require.Equal(t, "200 - mocked", c.Page(fetchText(server.Folder+"to/a?to=../end", "{}")),
		"what a redirect leads to is routed")
	require.Equal(t, "200 text/plain from the server", c.Page(fetchText(server.Folder+"to/a?to=../plain", "{}")))
	require.Equal(t, "1", server.Header(t, "to/a", "X-Hop"))
	require.Empty(t, server.Header(t, "plain", "X-Hop"), "a header is for the requests that fit")
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
		"not allowed":     {[]string{"--body", "x"}, "{}", "TypeError: Failed to fetch"},
		"all":             {[]string{"--body", "x", "--allow-origin", "*"}, "{}", "200 - x"},
		"with a question": {[]string{"--body", "x", "--allow-origin", "*"}, asks, "200 - x"},
		"typed":           {[]string{"--body", "x", "--allow-origin", "*", "--resource-type", "fetch"}, asks, "200 - x"},
		"by method":       {[]string{"--body", "x", "--allow-origin", "*", "--method", "PUT"}, asks, "200 - x"},
		"own origin":      {[]string{"--body", "x", "--allow-origin", "ORIGIN"}, asks, "200 - x"},
		"with cookies": {
			[]string{"--body", "x", "--allow-origin", "ORIGIN"},
			`{credentials: "include", headers: {"X-Own": "1"}}`, "200 - x",
		},
		"another origin": {
			[]string{"--body", "x", "--allow-origin", "http://absent.example"},
			"{}",
			"TypeError: Failed to fetch",
		},
		"the server's answer": {[]string{"--allow-origin", "*"}, asks, "200 text/plain from the server"},
		"by header":           {[]string{"--body", "x", "--header", "Access-Control-Allow-Origin: *"}, asks, "200 - x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := site.Listening(nil)
			c := host.Showing(t, "<p>page")
			args := append([]string{"network", "route", "/api/"}, test.args...)
			for i := range args {
				args[i] = strings.Replace(args[i], "ORIGIN", site.URL(""), 1)
			}
			c.Do(args...)
			require.Equal(t, test.want, c.Page(fetchText(site.Elsewhere(server.Folder+"api/x"), test.options)))
			text := c.Do("network", "routes").Result.Text
			require.Equal(t, test.want == "TypeError: Failed to fetch", strings.Contains(text, "another origin"), text)
			require.Contains(t, text, "1 hit", "the question does not count")
		})
	}
}

// The headers that were given can be read from there as well.
func TestRouteOtherOriginHeaders(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<p>page")
	c.Do("network", "route", "/api/", "--body", "x", "--allow-origin", "*", "--header", "X-Mine: 1")
	require.Equal(t, "1", c.Page(fmt.Sprintf("fetch(%q).then(r => r.headers.get('x-mine'))", site.Elsewhere("/api/x"))))
}

// What was routed is in the list of requests as the page saw it.
func TestRoutesAndTheLog(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	c.Do("network", "requests", "--clear")
	c.Do("network", "route", "/mocked", "--status", "418", "--body", "tea")
	c.Do("network", "route", "/failed", "--abort")
	c.Page(fetchText(server.Folder+"mocked", "{}"))
	c.Page(fetchText(server.Folder+"failed", "{}"))
	text := c.Do("network", "requests").Result.Text
	require.Regexp(t, `/mocked \(Fetch\) 418`, text)
	require.Regexp(t, `/failed \(Fetch\).* failed: net::ERR_FAILED`, text)
}

// Many requests at once are all answered.
func TestRouteMany(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	c.Do("network", "route", "/api/", "--body", "x", "--delay", "1")
	got := c.Page(
		fmt.Sprintf(
			`Promise.all(Array.from({length: 500}, (_, i) => fetch(%q + i).then(r => r.text()))).then(all => all.join(""))`,
			server.Folder+"api/"))
	require.Equal(t, strings.Repeat("x", 500), got)
	require.Contains(t, c.Do("network", "routes").Result.Text, "500 hits")
}

// Routes are made and ended while a page shows a dialog or still loads.
func TestRouteBesideTrouble(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	c.Do("dialog", "policy", "keep")
	c.Page("void setTimeout(() => { alert('x'); done = 1 })")
	require.Eventually(t, func() bool {
		return strings.Contains(c.Do("dialog", "status").Result.Text, "alert")
	}, sessiontest.CommandLimit, tick)
	c.Do("network", "route", "/data", "--body", "mocked")
	c.Do("network", "routes")
	c.Do("dialog", "accept")
	require.Equal(t, "200 - mocked", c.Page(fetchText(server.Folder+"data", "{}")))
	c.Do("network", "route", "/held.html", "--delay", "1h")
	opening := c.Start("open", site.URL(server.Folder+"held.html"))
	require.Eventually(t, func() bool {
		return strings.Contains(c.Do("network", "routes").Result.Text, "1 waiting")
	}, sessiontest.CommandLimit, tick)
	c.Do("network", "unroute", "/held.html")
	require.Contains(t, c.Await(opening).Result.Text, "held.html", "an open that a route holds back can be let go")
}

// What a page opens is reached, too.
func TestRoutePopup(t *testing.T) {
	t.Parallel()
	server := site.Listening(map[string]string{"popup.html": "<title>Popup</title>"})
	c := host.OpenedFresh(t, server.Folder+"page.html")
	c.Do("network", "route", "/data", "--body", "mocked")
	c.Page(`void open("popup.html")`)
	require.Eventually(t, func() bool {
		return strings.Contains(c.Do("tab", "list").Result.Text, "popup.html")
	}, sessiontest.CommandLimit, tick)
	c.Do("tab", "t2")
	require.Equal(t, "200 - mocked", c.Page(fetchText("data", "{}")))
}
