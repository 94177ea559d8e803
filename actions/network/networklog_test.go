package network_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// netBinary is not text in any encoding.
var netBinary = strings.Repeat("\x00\xff\xc3\x28", 750)

// netSite answers with what the tests of the network log need. Paths are below the folder that it returns.
func netSite() string {
	return site.Answering(func(w http.ResponseWriter, r *http.Request) {
		path := r.PathValue("rest")
		switch {
		case path == "json":
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Set-Cookie", "seen=yes; Path=/; HttpOnly")
			_, _ = io.WriteString(w, `{"a":1}`)
		case path == "echo":
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			fmt.Fprintf(w, "%s %s %s", r.Method, r.Header.Get("Authorization"), body)
		case path == "hop":
			http.Redirect(w, r, "hop2?n=2", http.StatusFound)
		case path == "hop2":
			http.Redirect(w, r, "json", http.StatusTemporaryRedirect)
		case path == "binary":
			w.Header().Set("Content-Type", "application/octet-stream")
			_, _ = io.WriteString(w, netBinary)
		case path == "big":
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, strings.Repeat("0123456789", 300_000))
		case path == "cached":
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Cache-Control", "max-age=3600")
			_, _ = io.WriteString(w, "globalThis.cached = true")
		case path == "socket":
			socket, err := websocket.Accept(w, r, nil)
			if err != nil {
				return
			}
			defer socket.CloseNow()
			for {
				kind, data, err := socket.Read(r.Context())
				if err != nil {
					return
				}
				if err := socket.Write(r.Context(), kind, append([]byte("re:"), data...)); err != nil {
					return
				}
			}
		case path == "events":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "event: tick\nid: 7\ndata: one\n\ndata: two\n\n")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case path == "secret":
			if name, password, _ := r.BasicAuth(); name != "ada" || password != "right" {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				w.Header().Set("X-Try", "first")
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			w.Header().Set("X-Try", "second")
			_, _ = io.WriteString(w, "in")
		case path == "slow":
			<-r.Context().Done()
		case strings.HasPrefix(path, "n/"):
			_, _ = io.WriteString(w, path)
		case path == "worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, `fetch("json?by=worker").then((r) => r.text()).then((t) => postMessage(t))`)
		case path == "sw.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, `self.addEventListener("install", () => self.skipWaiting());
				self.addEventListener("activate", (e) => e.waitUntil(clients.claim()));
				self.addEventListener("fetch", (e) => { if (e.request.url.includes("viasw")) e.respondWith(fetch("json?by=sw")) });`)
		default:
			sessiontest.WritePage(w,
				"<!doctype html><title>Net</title><script>log = []</script><img "+
					"src='data:image/gif;base64,"+
					"R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADtR0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs='>")
		}
	})
}

// detailOf is all that is known of a request.
func detailOf(c *sessiontest.Client, row object, flags ...string) object {
	c.T.Helper()
	return sessiontest.Decode[object](c.T,
		c.Do(append([]string{"network", "request", row["requestId"].(string)}, flags...)...).Result.Data)
}

// recording makes a caller whose requests are recorded from the start, on a page of netSite.
func recording(t testing.TB) (c *sessiontest.Client, folder string) {
	t.Helper()
	folder = netSite()
	c = host.NewClient(t)
	c.Do("network", "requests", "--clear")
	c.Do("open", site.URL(folder+"page"))
	return c, folder
}

func urls(rows []object) (all []string) {
	for _, r := range rows {
		all = append(all, r["url"].(string))
	}
	return all
}

func TestNetworkRequests(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	c.Page(
		`fetch("json?x=1").then(() => fetch("echo", {method: "POST", body: "name=value", headers: {Authorization: "Bearer sesame"}}))
		.then((r) => r.text()).then((t) => log.push(t))`)
	echo := c.RequestTo("/echo")
	require.Equal(t, "POST Bearer sesame name=value", c.Log(), "the server's word")

	document := c.RequestTo(folder + "page")
	require.Equal(t, "GET", document["method"])
	require.Equal(t, "Document", document["resourceType"])
	require.EqualValues(t, 200, document["status"])
	require.Equal(t, "text/html", document["mimeType"])
	require.InDelta(t, time.Now().UnixMilli(), document["timestamp"], 600_000)
	require.Equal(t, "t1", document["tabId"])
	require.Nil(t, document["recorded"])

	require.Equal(t, "name=value", echo["postData"])
	require.Equal(t, "(hidden)", echo["headers"].(object)["Authorization"], "a list shows no credentials")
	require.Equal(t, "(hidden)", c.RequestTo("json?x=1")["responseHeaders"].(object)["Set-Cookie"])

	text := c.Do("network", "requests").Result.Text
	require.Contains(t, text, fmt.Sprintf("[%s] POST %s (Fetch) 200", echo["requestId"], site.URL(folder+"echo")))
	require.NotContains(t, text, "sesame")
	require.Contains(t, text, "data:image/gif;base64,")
	require.Contains(t, text, "…[", "its length is said")
	for line := range strings.Lines(text) {
		require.Less(t, len(line), 300)
	}

	detail := detailOf(c, echo)
	require.Equal(t, "Bearer sesame", detail["headers"].(object)["Authorization"])
	require.Equal(t, "POST Bearer sesame name=value", detail["responseBody"])
	require.Equal(t, "seen=yes", detail["headers"].(object)["Cookie"], "which no script can see")
	require.Equal(t, "script", detail["initiator"].(object)["type"])
	require.Contains(t, detail["timing"], "wait")
	require.Equal(t, strings.TrimPrefix(site.URL(""), "http://"), detail["remoteAddress"])
	require.Equal(t, "http/1.1", detail["protocol"])
	said := c.Do("network", "request", echo["requestId"].(string)).Result.Text
	for _, part := range []string{
		"POST " + site.URL(folder+"echo"), "Status: 200 OK", "Authorization: Bearer sesame", "Request body:\nname=value",
		"Response body:\nPOST Bearer sesame name=value", "Timing (ms): ", "Initiator: script", "Cookie: seen=yes",
	} {
		require.Contains(t, said, part)
	}

	c.Do("network", "requests", "--clear")
	require.Empty(t, c.Requests())
	require.Equal(t, "No requests captured", c.Do("network", "requests").Result.Text)
	require.Contains(t, c.Fails(fault.Usage, "network", "request", echo["requestId"].(string)).Error(),
		"Request not found")
	c.Page(`fetch("n/after").then((r) => r.text())`)
	require.Equal(t, []string{site.URL(folder + "n/after")}, urls(c.Requests()))
}

func TestNetworkRequestsFilters(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	elsewhere := site.Elsewhere(folder + "n/other")
	c.Page(fmt.Sprintf(`(async () => {
		await fetch("json"); await fetch("/status/404"); await fetch("/status/503", {method: "PUT"});
		const x = new XMLHttpRequest(); x.open("DELETE", "n/x"); await new Promise((done) => { x.onloadend = done; x.send() });
		await fetch(%q, {mode: "no-cors"});
	})()`, elsewhere))
	c.RequestTo("n/other")
	paths := func(flags ...string) (all []string) {
		for _, u := range urls(c.Requests(flags...)) {
			if !strings.HasPrefix(u, "data:") && !strings.HasSuffix(u, "/favicon.ico") {
				all = append(all, strings.TrimPrefix(strings.TrimPrefix(u, site.URL("")), folder))
			}
		}
		return all
	}
	for _, tt := range []struct {
		flags, want string
	}{
		{"--filter json", "json"},
		{"--filter */status/*", "/status/404 /status/503"},
		{"--type document", "page"},
		{"--type XHR,document", "page n/x"},
		{"--method put", "/status/503"},
		{"--status 404", "/status/404"},
		{"--status 4xx", "/status/404"},
		{"--status 400-599", "/status/404 /status/503"},
		{"--status 404,5xx", "/status/404 /status/503"},
		{"--current-origin", "page json /status/404 /status/503 n/x"},
		{"--current-page", "page json /status/404 /status/503 n/x"},
		{"--current-url", "page"},
		{"--type fetch --status 2xx", "json " + elsewhere},
		{"--filter nothing", ""},
	} {
		require.Equal(t, tt.want, strings.Join(paths(strings.Fields(tt.flags)...), " "), tt.flags)
	}
	for _, tt := range []struct{ flag, value, says string }{
		{"--status", "abc", "'abc'"},
		{"--status", "6xx", "'6xx'"},
		{"--status", "500-400", "'500-400'"},
		{"--status", "20", "'20'"},
		{"--type", "picture", "'picture'"},
		{"--method", "G E T", "'G E T'"},
	} {
		require.Contains(t, c.Fails(fault.Usage, "network", "requests", tt.flag, tt.value).Error(), tt.says)
	}
}

// What a page loaded before anybody asked is what it remembers of it.
func TestNetworkRequestsBeforeRecording(t *testing.T) {
	t.Parallel()
	folder := netSite()
	c := host.ShowingFresh(t,
		fmt.Sprintf(`<script src="%[1]scached"></script><iframe src=%[2]q></iframe><script>fetch("%[1]sjson")</script>`,
			folder, site.Elsewhere(folder+"page")))
	c.Do("wait", "--load", "networkidle")
	reply := c.Do("network", "requests")
	require.Contains(t, sessiontest.Notes(reply), "recording began with this command")
	rows := sessiontest.Decode[struct{ Requests []object }](t, reply.Result.Data).Requests
	byPath := map[string]object{}
	for _, r := range rows {
		require.Equal(t, false, r["recorded"], "%v", r)
		require.Empty(t, r["headers"])
		byPath[r["url"].(string)] = r
	}
	document := byPath[c.Page("location.href").(string)]
	require.Equal(t, "Document", document["resourceType"])
	require.EqualValues(t, 200, document["status"])
	require.Equal(t, "GET", document["method"])
	script := byPath[site.URL(folder+"cached")]
	require.Equal(t, "Script", script["resourceType"])
	require.Equal(t, "text/javascript", script["mimeType"])
	require.Equal(t, "globalThis.cached = true", detailOf(c, script)["responseBody"])
	fetched := byPath[site.URL(folder+"json")]
	require.Equal(t, "Fetch", fetched["resourceType"])
	require.EqualValues(t, 200, fetched["status"])
	require.Contains(t, detailOf(c, fetched)["responseBodyError"], "before the recording began")
	require.Contains(t, byPath, site.Elsewhere(folder+"page"), "of a frame in another process")

	c.Page(fmt.Sprintf(`fetch("%sn/later").then((r) => r.text())`, folder))
	require.Nil(t, c.RequestTo("n/later")["recorded"])
	var since []string
	for _, r := range c.Requests() {
		if r["recorded"] == nil && !strings.HasSuffix(r["url"].(string), "/favicon.ico") {
			since = append(since, r["url"].(string))
		}
	}
	require.Equal(t, []string{site.URL(folder + "n/later")}, since, "nothing is listed twice")
}

// What had begun when the recording did is there as far as it can be known.
func TestNetworkRequestInFlight(t *testing.T) {
	t.Parallel()
	gate := site.Gate(t, "")
	c := host.Showing(t,
		fmt.Sprintf(`<script>fetch(%q).then((r) => r.text()).then((t) => log.push(t))</script>`, gate.Path))
	gate.WaitAsked(t)
	c.Do("network", "requests")
	gate.Open()
	row := c.RequestTo(gate.Path)
	require.Equal(t, false, row["recorded"])
	require.EqualValues(t, 200, row["status"])
	require.Nil(t, row["method"])
}

func TestNetworkRequestRedirects(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	c.Page(`fetch("hop", {headers: {"X-Mine": "1"}}).then((r) => r.text()).then((t) => log.push(t))`)
	last := c.RequestTo("/json")
	rows := c.Requests("--type", "fetch")
	require.Equal(t, []string{site.URL(folder + "hop"), site.URL(folder + "hop2?n=2"), site.URL(folder + "json")},
		urls(rows))
	id := rows[0]["requestId"].(string)
	require.Equal(t, id+":1", rows[1]["requestId"])
	require.EqualValues(t, 302, rows[0]["status"])
	require.EqualValues(t, 307, rows[1]["status"])
	require.EqualValues(t, 200, last["status"])
	require.Equal(t, id+":1", last["redirectedBy"])
	first := detailOf(c, rows[0])
	require.Equal(t, "hop2?n=2", strings.TrimPrefix(first["redirectedTo"].(string), site.URL(folder)))
	require.Contains(t, first["responseHeaders"], "Location")
	require.Contains(t, first["responseBodyError"], "redirect")
	require.Contains(t, detailOf(c, last)["responseHeaders"], "Set-Cookie", "each step has its own headers")
	require.NotContains(t, detailOf(c, rows[1])["responseHeaders"], "Set-Cookie")
	require.Equal(t, `{"a":1}`, detailOf(c, last)["responseBody"])
}

func TestNetworkRequestFailures(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	c.Page(`(async () => {
		const stop = new AbortController();
		const slow = fetch("slow", {signal: stop.signal}).catch(() => {});
		setTimeout(() => stop.abort(), 50);
		await slow;
		await fetch("http://127.0.0.1:1/").catch(() => {});
		await fetch("` + site.Elsewhere(folder+"json") + `").catch(() => {});
	})()`)
	require.Equal(t, true, c.RequestTo("/slow")["canceled"])
	require.Contains(t, c.RequestTo("127.0.0.1:1/")["failure"], "net::ERR_")
	require.Contains(t, c.RequestTo(site.Localhost() + folder + "json")["failure"], "CORS")
	text := c.Do("network", "requests").Result.Text
	require.Contains(t, text, "/slow (Fetch) failed: net::ERR_ABORTED")
	require.Contains(t, detailOf(c, c.RequestTo("127.0.0.1:1/"))["responseBodyError"], "the request failed")
}

func TestNetworkRequestsOfWorkersFramesAndPopups(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	c.Page(`new Promise((done) => { new Worker("worker.js").onmessage = done })`)
	worker := c.RequestTo("json?by=worker")
	require.Equal(t, "worker", worker["worker"])
	require.Equal(t, `{"a":1}`, detailOf(c, worker)["responseBody"])

	c.Page(
		fmt.Sprintf(
			`new Promise((done) => { const f = document.createElement("iframe"); f.src = %q; f.onload = done; document.body.append(f) })`,
			site.Elsewhere(folder+"page?framed")))
	framed := c.RequestTo("page?framed")
	require.EqualValues(t, 200, framed["status"])
	require.Contains(t, detailOf(c, framed)["responseBody"], "<title>Net</title>")

	c.Page(`void window.open("page?popup")`)
	require.NotEmpty(t, c.RequestTo("page?popup")["url"])
	c.Do("tab", "t2")
	c.Page(`fetch("n/inpopup").then((r) => r.text())`)
	require.Equal(t, "t2", c.RequestTo("n/inpopup")["tabId"])
}

// A service worker serves several tabs, and its requests are listed once.
func TestNetworkRequestsOfServiceWorkers(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	c.Do("open", site.Elsewhere(folder+"page"))
	ready := `navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ||
		new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done))).then(() => 1)`
	c.Page(`navigator.serviceWorker.register("sw.js").then(() => 1)`)
	c.Page(ready)
	c.Do("tab", "new", site.Elsewhere(folder+"page?two"))
	c.Page(ready)
	c.Page(`fetch("viasw").then((r) => r.text()).then((t) => log.push(t))`)
	require.Equal(t, `{"a":1}`, c.Log())
	require.Equal(t, "service-worker", c.RequestTo("/viasw")["source"])
	by := c.RequestTo("json?by=sw")
	require.Equal(t, "service_worker", by["worker"])
	require.Len(t, c.Requests("--filter", "json?by=sw"), 1)
}

// The log is bounded, and says what it had to drop.
func TestNetworkRequestsBounded(t *testing.T) {
	t.Parallel()
	c, _ := recording(t)
	c.Env["SKUA_NETWORK_ENTRIES"] = "100"
	const all = 1_000
	c.Do("eval", "--timeout", "3m", fmt.Sprintf(`(async () => {
		for (let i = 0; i < %d; i += 100) {
			await Promise.all(Array.from({length: 100}, (_, j) => fetch("data:text/plain," + (i + j)).then((r) => r.text())));
		}
	})()`, all))
	reply := c.Do("network", "requests")
	data := sessiontest.Decode[struct {
		Requests []object
		Dropped  int
	}](t, reply.Result.Data)
	require.Len(t, data.Requests, 100)
	require.GreaterOrEqual(t, data.Dropped, all-500)
	require.Contains(t, sessiontest.Notes(reply), "were discarded")
	require.Equal(t, fmt.Sprintf("data:text/plain,%d", all-1), data.Requests[99]["url"])
	c.Env["SKUA_NETWORK_BYTES"] = "lots"
	require.Contains(t, c.Fails(fault.Usage, "network", "requests").Error(), "SKUA_NETWORK_BYTES")
}

func awaitDialog(c *sessiontest.Client) {
	c.T.Helper()
	require.Eventually(c.T, func() bool {
		return c.Data("dialog", "status")["hasDialog"] == true
	}, sessiontest.CommandLimit, 10*time.Millisecond)
}

// A dialog does not keep the list from being read.
func TestNetworkRequestsBesideDialog(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	c.Do("eval", "setTimeout(() => confirm('really?'))")
	awaitDialog(c)
	require.Contains(t, urls(c.Requests()), site.URL(folder+"page"))
	c.Do("dialog", "dismiss")
	other := host.OpenedFresh(t, folder+"page")
	other.Do("eval", "setTimeout(() => confirm('really?'))")
	awaitDialog(other)
	require.Contains(t, sessiontest.Notes(other.Do("network", "requests")), "recording began")
	other.Do("dialog", "dismiss")
	other.Page(`fetch("n/x").then((r) => r.text())`)
	require.Equal(t, "GET", other.RequestTo("n/x")["method"])
}

// With --tab the list is that of one tab.
func TestNetworkRequestsOfOneTab(t *testing.T) {
	t.Parallel()
	c, folder := recording(t)
	c.Do("tab", "new", site.URL(folder+"page?two"))
	c.RequestTo("page?two")
	require.NotContains(t, urls(c.Requests("--tab", "t1")), site.URL(folder+"page?two"))
	require.Contains(t, urls(c.Requests("--tab", "t1")), site.URL(folder+"page"))
	require.Contains(t, urls(c.Requests("--tab", "t2")), site.URL(folder+"page?two"))
	require.Len(t, c.Requests("--type", "document"), 2)
}

// Actions watch the traffic of their page for a while, and the log goes on when they stop.
func TestNetworkRequestsBesideEffects(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<button onclick="fetch('/echo?clicked').then((r) => r.text()).then(() => log.push('done'))">Go</button>`)
	c.Do("click", "text=Go") // its watching goes on when the log begins
	c.Do("wait", "--fn", "log.length === 1")
	rows := c.Requests("--filter", "clicked")
	require.Len(t, rows, 1)
	require.Equal(t, "GET", rows[0]["method"], "which the click's effect knows")
	for i := range 3 {
		effect := c.Effect("click", "text=Go")
		require.NotEmpty(t, effect["requests"])
		c.Do("wait", "--fn", fmt.Sprintf("log.length === %d", i+2))
	}
	require.Len(t, c.Requests("--filter", "clicked"), 4)
	require.Contains(t, detailOf(c, c.RequestTo("?clicked"))["responseBody"], "<title>Echo</title>",
		"bodies are kept all the same")
}

// A page that is stuck does not keep the list from being made.
func TestNetworkRequestsBesideStuckPage(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<p>Stuck</p>`)
	c.Do("eval", "setTimeout(() => "+site.Gate(t, "").Block()+", 20)")
	require.Contains(t, sessiontest.Notes(c.Do("network", "requests")), "recording began")
	c.Do("network", "har", "start")
	c.Do("network", "har", "stop", "x.har")
}

// A request that is sent again with credentials is one, with what was sent and came last.
func TestNetworkRequestWithCredentials(t *testing.T) {
	t.Parallel()
	c, _ := recording(t)
	c.Do("set", "credentials", "ada", "right")
	c.Page(`fetch("secret").then((r) => r.text()).then((t) => log.push(t))`)
	require.Equal(t, "in", c.Log())
	row := c.RequestTo("/secret")
	require.EqualValues(t, 200, row["status"])
	detail := detailOf(c, row)
	require.Equal(t, "second", detail["responseHeaders"].(object)["X-Try"])
	require.NotContains(t, c.Do("network", "requests").Result.Text, "Basic ")
	require.Len(t, c.Requests("--filter", "secret"), 1)
}

// What `network route` answers or fails is recorded like the rest.
func TestNetworkRequestsThatAreRouted(t *testing.T) {
	t.Parallel()
	c, _ := recording(t)
	c.Do("network", "route", "*/json", "--body", `{"mock":true}`)
	c.Do("network", "route", "*/binary", "--abort")
	c.Page(
		`fetch("json").then((r) => r.text()).then((t) => log.push(t)).then(() => fetch("binary")).catch(() => log.push("failed"))`)
	require.Equal(t, "{\"mock\":true}\nfailed", c.Log())
	require.Equal(t, `{"mock":true}`, detailOf(c, c.RequestTo("/json"))["responseBody"])
	require.Contains(t, c.RequestTo("/binary")["failure"], "net::ERR_FAILED")
}
