package network_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// fetchText is a script that asks for an address and tells what came.
func fetchText(address, options string) string {
	return fmt.Sprintf(
		`fetch(%q, %s).then(async r => r.status + " " + (r.headers.get("content-type") || "-") + " " + await r.text(), e => e.name + ": " + e.message)`,
		address, options)
}

func TestRoute(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		routes  [][]string // what follows `network route`
		ask     string     // a path of the folder
		options string
		want    string
		asked   int // requests that the server saw
	}{
		"nothing":         {nil, "x", "{}", "200 text/plain from the server", 1},
		"abort":           {[][]string{{"/api/", "--abort"}}, "api/x", "{}", "TypeError: Failed to fetch", 0},
		"abort elsewhere": {[][]string{{"/other/", "--abort"}}, "api/x", "{}", "200 text/plain from the server", 1},
		"JSON body": {
			[][]string{{"/api/", "--body", `{"a":1}`}},
			"api/x", "{}", `200 application/json {"a":1}`,
			0,
		},
		"text body":        {[][]string{{"/api/", "--body", "hello"}}, "api/x", "{}", "200 - hello", 0},
		"body like a flag": {[][]string{{"/api/", "--body", "--abort"}}, "api/x", "{}", "200 - --abort", 0},
		"empty body":       {[][]string{{"/api/", "--body", ""}}, "api/x", "{}", "200 - ", 0},
		"HTML body": {
			[][]string{{"/api/", "--body", "<html><p>x"}},
			"api/x", "{}",
			"200 text/html; charset=utf-8 <html><p>x", 0,
		},
		"script by its name": {
			[][]string{{"/app.js", "--body", "1"}},
			"app.js", "{}",
			"200 text/javascript; charset=utf-8 1", 0,
		},
		"unicode body": {[][]string{{"/api/", "--body", `"äß€🐦"`}}, "api/x", "{}", `200 application/json "äß€🐦"`, 0},
		"content type": {
			[][]string{{"/api/", "--body", "a,b", "--content-type", "text/csv"}},
			"api/x", "{}",
			"200 text/csv a,b", 0,
		},
		"type by header": {
			[][]string{{"/api/", "--body", "1", "--header", "Content-Type: text/x"}},
			"api/x", "{}",
			"200 text/x 1", 0,
		},
		"status":               {[][]string{{"/api/", "--status", "503"}}, "api/x", "{}", "503 - ", 0},
		"unheard-of status":    {[][]string{{"/api/", "--status", "299", "--body", "x"}}, "api/x", "{}", "299 - x", 0},
		"without a body":       {[][]string{{"/api/", "--status", "204"}}, "api/x", "{}", "204 - ", 0},
		"star":                 {[][]string{{"*/api/*", "--body", "x"}}, "api/x", "{}", "200 - x", 0},
		"two stars":            {[][]string{{"**/api/**", "--body", "x"}}, "api/x", "{}", "200 - x", 0},
		"brackets":             {[][]string{{"/api/[x]", "--body", "x"}}, "api/x", "{}", "200 text/plain from the server", 1},
		"anchored":             {[][]string{{"*/api", "--body", "x"}}, "api/x", "{}", "200 text/plain from the server", 1},
		"question mark":        {[][]string{{"/api/x?q=1", "--body", "x"}}, "api/x?q=1", "{}", "200 - x", 0},
		"question mark itself": {[][]string{{"/api?x", "--body", "x"}}, "api/x", "{}", "200 text/plain from the server", 1},
		"the last wins": {
			[][]string{{"/api/", "--body", "1"}, {"/api/x", "--body", "2"}},
			"api/x", "{}",
			"200 application/json 2", 0,
		},
		"the earlier remains": {
			[][]string{{"/api/", "--body", "1"}, {"/api/y", "--body", "2"}},
			"api/x", "{}",
			"200 application/json 1", 0,
		},
		"replaced": {
			[][]string{{"/api/", "--abort"}, {"/api/", "--body", "2"}},
			"api/x", "{}",
			"200 application/json 2", 0,
		},
		"type": {
			[][]string{{"/api/", "--body", "1", "--resource-type", "fetch,image"}},
			"api/x", "{}",
			"200 application/json 1", 0,
		},
		"xhr is fetch": {
			[][]string{{"/api/", "--body", "1", "--resource-type", "XHR"}},
			"api/x", "{}",
			"200 application/json 1", 0,
		},
		"no event source": {
			[][]string{{"/api/", "--body", "1", "--resource-type", "eventsource"}},
			"api/x", "{}",
			"200 text/plain from the server", 1,
		},
		"another type": {
			[][]string{{"/api/", "--body", "1", "--resource-type", "document,script"}},
			"api/x", "{}",
			"200 text/plain from the server", 1,
		},
		"method": {
			[][]string{{"/api/", "--body", "1", "--method", "post"}},
			"api/x", `{method: "POST"}`,
			"200 application/json 1", 0,
		},
		"another method": {
			[][]string{{"/api/", "--body", "1", "--method", "post"}},
			"api/x", "{}",
			"200 text/plain from the server", 1,
		},
		"method and method": {
			[][]string{{"/api/", "--body", "1", "--method", "post"}, {"/api/", "--body", "2", "--method", "GET"}},
			"api/x", `{method: "POST"}`,
			"200 application/json 1", 0,
		},
		"delay": {
			[][]string{{"/api/", "--body", "1", "--delay", "50"}},
			"api/x", "{}", "200 application/json 1",
			0,
		},
		"delay, go on": {[][]string{{"/api/", "--delay", "50"}}, "api/x", "{}", "200 text/plain from the server", 1},
		"delay, abort": {
			[][]string{{"/api/", "--abort", "--delay", "50"}},
			"api/x", "{}", "TypeError: Failed to fetch",
			0,
		},
		"answer's header": {
			[][]string{{"/api/", "--header", "Content-Type: text/changed"}},
			"api/x", "{}",
			"200 text/changed from the server", 1,
		},
		"header removed": {[][]string{{"/api/", "--header", "Content-Type:"}}, "api/x", "{}", "200 - from the server", 1},
		"count only":     {[][]string{{"/api/"}}, "api/x", "{}", "200 text/plain from the server", 1},
		"reason": {
			[][]string{{"/api/", "--reason", "connectionrefused"}},
			"api/x", "{}",
			"TypeError: Failed to fetch", 0,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := site.Listening(nil)
			c := host.Showing(t, "<p>page")
			for _, args := range test.routes {
				c.Do(append([]string{"network", "route"}, args...)...)
			}
			require.Equal(t, test.want, c.Page(fetchText(server.Folder+test.ask, test.options)))
			path, _, _ := strings.Cut(test.ask, "?")
			require.Len(t, server.Asked(path), test.asked)
		})
	}
}

// The order in which routes were made decides, also when one was replaced.
func TestRouteReply(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<p>page")
	require.Equal(t, object{"routed": "/api/", "does": "answer"}, c.Data("network", "route", "/api/", "--body", "1"))
	require.Equal(t, object{"routed": "/api/", "does": "abort", "replaced": true},
		c.Data("network", "route", "/api/", "--abort"))
	require.Equal(t, "✓ Done", c.Do("network", "route", "/x").Result.Text)
	require.Equal(t, object{"unrouted": "/api/", "removed": 1.0}, c.Data("network", "unroute", "/api/"))
	reply := c.Do("network", "unroute", "/api/")
	require.Contains(t, sessiontest.Notes(reply), `nothing was routed with the pattern "/api/"; there are "/x"`)
	require.Equal(t, object{"unrouted": "all", "removed": 1.0}, c.Data("network", "unroute"))
	require.Equal(t, "No routes", c.Do("network", "routes").Result.Text)
	require.Empty(t, sessiontest.Notes(c.Do("network", "unroute")), "removing no routes is not an error")
}

func TestRouteMistakes(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<p>page")
	require.NoError(t, os.Mkdir(filepath.Join(c.Dir, "folder"), 0o700))
	for name, test := range map[string]struct {
		args []string
		code fault.Code
		says string
	}{
		"no pattern":        {[]string{}, fault.Usage, "Missing arguments"},
		"empty pattern":     {[]string{""}, fault.Usage, "pattern is empty"},
		"type":              {[]string{"x", "--resource-type", "bogus"}, fault.Usage, `got "bogus"`},
		"manifest":          {[]string{"x", "--resource-type", "manifest"}, fault.Usage, "document, "},
		"websocket":         {[]string{"x", "--resource-type", "websocket"}, fault.Usage, "WebSockets"},
		"status":            {[]string{"x", "--status", "99"}, fault.Usage, "--status"},
		"status word":       {[]string{"x", "--status", "abc"}, fault.Usage, "whole number"},
		"header":            {[]string{"x", "--header", "nocolon"}, fault.Usage, "no colon"},
		"header name":       {[]string{"x", "--header", "a b: c"}, fault.Usage, `"a b"`},
		"header value":      {[]string{"x", "--header", "a: b\r\nc: d"}, fault.Usage, "a has a character"},
		"host":              {[]string{"x", "--request-header", "Host: y"}, fault.Usage, "Host"},
		"times":             {[]string{"x", "--times", "0"}, fault.Usage, "--times"},
		"method":            {[]string{"x", "--method", "G T"}, fault.Usage, "--method"},
		"reason":            {[]string{"x", "--reason", "bogus"}, fault.Usage, "--reason"},
		"abort with answer": {[]string{"x", "--abort", "--body", "1"}, fault.Usage, "has no response"},
		"body and file":     {[]string{"x", "--body", "1", "--file", "f"}, fault.Usage, "exclude"},
		"unseen headers": {
			[]string{"x", "--body", "1", "--request-header", "a: b"},
			fault.Usage,
			"--request-header has no effect",
		},
		"media type": {[]string{"x", "--body", "1", "--content-type", "a b"}, fault.Usage, "--content-type"},
		"no file":    {[]string{"x", "--file", "missing.json"}, fault.File, "missing.json"},
		"folder":     {[]string{"x", "--file", "folder"}, fault.File, "folder"},
		"surplus":    {[]string{"x", "y"}, fault.Usage, "y"},
	} {
		t.Run(name, func(t *testing.T) {
			e := c.In(t).Fails(test.code, append([]string{"network", "route"}, test.args...)...)
			require.Contains(t, e.Error(), test.says)
			require.Equal(t, "No routes", c.Do("network", "routes").Result.Text)
		})
	}
}

func TestRouteFile(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "data.json"), []byte(`{"from":"file"}`), 0o600))
	c.Do("network", "route", "/api/", "--file", "data.json", "--status", "201", "--header", "X-Mine: 1")
	require.Equal(t, `201 application/json {"from":"file"}`, c.Page(fetchText(server.Folder+"api/x", "{}")))
	require.Equal(t, "1", c.Page(fmt.Sprintf("fetch(%q).then(r => r.headers.get('x-mine'))", server.Folder+"api/x")))
	binary := []byte{0, 1, 2, 0xff, 0xfe}
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "data.bin"), binary, 0o600))
	c.Do("network", "route", "/api/", "--file", "data.bin")
	require.Equal(t, []any{0.0, 1.0, 2.0, 255.0, 254.0},
		c.Page(fmt.Sprintf("fetch(%q).then(r => r.arrayBuffer()).then(b => [...new Uint8Array(b)])", server.Folder+"api/x")))
}

// A page that is opened can be answered, fail, and be sent on.
func TestRouteDocuments(t *testing.T) {
	t.Parallel()
	server := site.Listening(map[string]string{"target.html": "<title>Target</title>"})
	c := host.NewClient(t)
	c.Do("open")
	c.Do("network", "route", "http://app.invalid/", "--body", "<!doctype html><title>Mocked</title><h1>äöü")
	require.Contains(t, c.Do("open", "http://app.invalid/").Result.Text, "✓ Mocked")
	require.Equal(t, "äöü", c.Page("document.querySelector('h1').textContent"))
	c.Do("network", "route", "/refused", "--reason", "connectionrefused")
	require.Contains(t, c.Fails(fault.NavigationFailed, "open", "http://app.invalid/refused").Error(),
		"ERR_CONNECTION_REFUSED")
	c.Do("network", "route", "/plain", "--abort")
	require.Contains(t, c.Fails(fault.NavigationFailed, "open", "http://app.invalid/plain").Error(), "net::ERR_FAILED")
	c.Do("network", "route", "/moved", "--status", "302", "--header", "Location: "+site.URL(server.Folder+"target.html"))
	require.Contains(t, c.Do("open", "http://app.invalid/moved").Result.Text, "✓ Target")
	c.Do("network", "route", "/gone", "--status", "410", "--body", "<title>Gone</title>")
	require.Contains(t, sessiontest.Notes(c.Do("open", "http://app.invalid/gone")), "HTTP 410")
}

// Types that the browser pauses under the same name are told apart.
func TestRouteEventSource(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<p>page")
	c.Do("network", "route", "/events", "--resource-type", "eventsource", "--content-type", "text/event-stream", "--body",
		"data: mocked\n\n")
	require.Equal(t, "mocked", c.Page(`new Promise(done => new EventSource("/events").onmessage = e => done(e.data))`))
	require.Contains(t, c.Page(fetchText("/events", "{}")), "404 ")
}

func TestRouteTimes(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	c.Do("network", "route", "/api/", "--status", "503", "--times", "2")
	ask := fmt.Sprintf(
		"(async () => { const all = []; for (let i = 0; i < 4; i++) all.push((await fetch(%q)).status); return "+
			"all.join() })()", server.Folder+"api/x")
	require.Equal(t, "503,503,200,200", c.Page(ask))
	rows := sessiontest.Decode[struct{ Routes []object }](t, c.Do("network", "routes").Result.Data).Routes
	require.Equal(t,
		[]object{{
			"pattern": "/api/", "does": "answer", "hits": 2.0, "times": 2.0, "usedUp": true, "status": 503.0,
			"size": 0.0,
		}}, rows)
	c.Do("network", "route", "/api/", "--status", "500", "--times", "1")
	require.Equal(t, "500,200,200,200", c.Page(ask), "the same route counts again")
}

func TestRoutesListing(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	c.Do("network", "route", "*/api/*", "--body", `{"a":1}`, "--method", "get", "--resource-type", "xhr,fetch")
	c.Do("network", "route", "/slow", "--delay", "1h")
	c.Do("network", "route", "/secret", "--request-header", "Authorization: Bearer hidden")
	c.Page(fetchText(server.Folder+"api/x", "{}"))
	c.Page(fmt.Sprintf("void fetch(%q)", server.Folder+"slow"))
	require.Eventually(t, func() bool {
		return strings.Contains(c.Do("network", "routes").Result.Text, "1 waiting")
	}, sessiontest.CommandLimit, tick)
	require.Equal(t, strings.Join([]string{
		"GET */api/* (fetch, xhr) → 200, 7 bytes; 1 hit",
		"/slow → goes on after 1h0m0s; 1 hit, 1 waiting",
		"/secret → changes Authorization; 0 hits",
	}, "\n"), c.Do("network", "routes").Result.Text)
	raw, err := json.Marshal(c.Do("network", "routes").Result.Data)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "hidden")
}

// What a route holds back goes on when the route ends, and what was paused when it is the last.
func TestUnrouteLetsGo(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"that route": {"network", "unroute", "/held"},
		"all":        {"network", "unroute"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := site.Listening(nil)
			c := host.Showing(t, "<p>page")
			c.Do("network", "route", "/other", "--abort")
			c.Do("network", "route", "/held", "--delay", "1h", "--body", "mocked")
			c.Page(fmt.Sprintf("void (answer = %s)", fetchText(server.Folder+"held", "{}")))
			require.Eventually(t, func() bool {
				return strings.Contains(c.Do("network", "routes").Result.Text, "1 waiting")
			}, sessiontest.CommandLimit, tick)
			c.Do(args...)
			require.Equal(t, "200 text/plain from the server", c.Page("answer"))
			require.Equal(t, "200 text/plain from the server", c.Page(fetchText(server.Folder+"held", "{}")))
		})
	}
}

// A session that ends while requests are held leaves nothing behind that hinders others.
func TestRouteSessionEnds(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	c.Do("network", "route", "/held", "--delay", "1h")
	c.Page(fmt.Sprintf("void fetch(%q)", server.Folder+"held"))
	c.Do("close")
	c.Do("open", site.URL(site.Write("<p>again")))
	require.Equal(t, "No routes", c.Do("network", "routes").Result.Text)
	require.Equal(t, "200 text/plain from the server", c.Page(fetchText(server.Folder+"held", "{}")))
}

// A request header is added, changed and removed; the server sees it.
func TestRouteRequestHeaders(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	c.Do("network", "route", "/api/", "--request-header", "X-Added: one, two", "--request-header", "X-Page: changed",
		"--request-header", "X-Away:",
		"--header", "X-Back: 1", "--header", "X-Server:")
	got := c.Page(fmt.Sprintf(`fetch(%q, {method: "POST", body: "kept", headers: {"X-Page": "old", "X-Away": "1"}})
		.then(r => r.headers.get("x-back") + " " + r.headers.get("x-server"))`, server.Folder+"api/x"))
	require.Equal(t, "1 null", got)
	asked := server.Asked("api/x")
	require.Len(t, asked, 1)
	require.Equal(t, "one, two", asked[0].Header.Get("X-Added"))
	require.Equal(t, "changed", asked[0].Header.Get("X-Page"))
	require.Empty(t, asked[0].Header.Values("X-Away"))
	require.Equal(t, "kept", asked[0].Body)
}

func TestRouteLimits(t *testing.T) {
	t.Parallel()
	server := site.Listening(nil)
	c := host.Showing(t, "<p>page")
	c.Env["SKUA_ROUTES_ENTRIES"], c.Env["SKUA_ROUTES_BYTES"] = "2", "100"
	c.Do("network", "route", "/a", "--body", "a")
	c.Do("network", "route", "/b", "--body", "b")
	require.Contains(t, c.Fails(fault.Usage, "network", "route", "/c", "--body", "c").Error(), "2 routes")
	c.Do("network", "route", "/a", "--body", "again")
	require.Contains(t, c.Fails(fault.Usage, "network", "route", "/a", "--body", strings.Repeat("x", 200)).Error(),
		"the most is 100")
	require.Equal(t, "200 - again", c.Page(fetchText(server.Folder+"a", "{}")), "a route that is refused changes nothing")
}
