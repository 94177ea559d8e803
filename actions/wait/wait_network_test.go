package wait_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// orders opens the page of orders, whose requests the handler answers, below a folder whose path is returned.
func orders(t *testing.T, handler http.HandlerFunc) (c *sessiontest.Client, api string) {
	t.Helper()
	api = site.Answering(handler)
	return host.Opened(t, "/pages/acting-wait-orders.html?api="+url.QueryEscape(api)), api
}

// plainAnswers answers each path with its name, and what is broken with 500.
func plainAnswers(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("rest") == "broken" {
		w.WriteHeader(http.StatusInternalServerError)
	}
	_, _ = io.WriteString(w, "answer "+r.PathValue("rest"))
}

// pendingCommand answers when the test opens the gate.
func pendingCommand(g *sessiontest.Gate) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("rest") == "orders" {
			if !g.Pass(r.Context()) {
				return
			}
		}
		plainAnswers(w, r)
	}
}

// when lets the page do something once the gate is open, when the command is waiting.
func when(c *sessiontest.Client, g *sessiontest.Gate, do string, args ...string) <-chan session.Reply {
	c.T.Helper()
	c.Page("void fetch('" + g.Path + "').then(() => { " + do + " })")
	g.WaitAsked(c.T)
	reply := c.Start(args...)
	c.Do("tab", "list")
	require.Empty(c.T, reply, "it was over before anything happened")
	g.Open()
	return reply
}

// saysOf is what a wait of [when] says. That it was so already is left out: on a busy machine a command can begin after
// what it waits for.
func saysOf(c *sessiontest.Client, reply <-chan session.Reply) string {
	c.T.Helper()
	text := strings.TrimSuffix(c.Await(reply).Result.Text, "it was so already")
	return strings.TrimRight(text, "\n✓· ")
}

func TestWaitForAResponse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		click   string
		pattern []string
		status  float64
		method  string
		path    string
	}{
		{"a part of the address", "#load", []string{"orders"}, 200, "GET", "orders"},
		{"pattern", "#save", []string{"*/answers/*/save"}, 200, "POST", "save"},
		{"expression", "#load", []string{`/order[s]$`, "--regex"}, 200, "GET", "orders"},
		{"a failure of the server is a response", "#fail", []string{"broken"}, 500, "GET", "broken"},
		{"the second of a chain", "#chain", []string{"prices"}, 200, "GET", "prices"},
	}
	for _, tt := range tests {
		check := func(t *testing.T, c *sessiontest.Client, api string, reply session.Reply) {
			want := object{
				"url": site.URL(api + tt.path), "status": tt.status, "method": tt.method, "type": "Fetch",
				"waited": "response",
			}
			require.Equal(t, want, sessiontest.Decode[object](t, reply.Result.Data))
			require.Equal(t, fmt.Sprintf("%v %s %s", tt.status, tt.method, site.URL(api+tt.path)), reply.Result.Text)
			require.Equal(t, 1, site.Requests(api+tt.path), "the page asked once")
			c.Do("wait", "--text", tt.path+fmt.Sprintf(" %v answer", tt.status))
		}
		t.Run(tt.name+", to come", func(t *testing.T) {
			t.Parallel()
			c, api := orders(t, plainAnswers)
			reply := when(c, site.Gate(t, ""), "document.querySelector('"+tt.click+"').click()",
				append([]string{"wait", "--response"}, tt.pattern...)...)
			check(t, c, api, c.Await(reply))
		})
		t.Run(tt.name+", there already", func(t *testing.T) {
			t.Parallel()
			c, api := orders(t, plainAnswers)
			c.Do("click", tt.click)
			c.Do("wait", "--text", tt.path)
			check(t, c, api, c.Do(append([]string{"wait", "--response"}, tt.pattern...)...))
		})
	}
}

// Each response is told once; after that the next one is waited for.
func TestWaitForTheNextResponse(t *testing.T) {
	t.Parallel()
	c, api := orders(t, plainAnswers)
	c.Do("click", "#chain")
	c.Do("wait", "--text", "All fresh")
	c.Do("wait", "--response", "prices")
	c.Do("wait", "--response", site.URL(api+"orders"), "--exact")
	err := c.Fails(fault.Timeout, "wait", "--response", "prices", "--timeout", "150")
	require.Contains(t, err.Error(), "Wait timed out after 150ms: no response came")
	reply := when(c, site.Gate(t, ""), "load.click()", "wait", "--response", "orders")
	c.Await(reply)
	require.Equal(t, 2, site.Requests(api+"orders"))
}

// A response that does not come is told with what came instead.
func TestWaitForAResponseInVain(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c, api := orders(t, pendingCommand(g))
	c.Do("click", "#save")
	c.Do("wait", "--text", "save 200")
	err := c.Fails(fault.Timeout, "wait", "--response", "/nosuch", "--timeout", "150")
	require.Contains(t, err.Error(), "no response came whose address fits; seen: 200 POST "+site.URL(api+"save"))
	c.Do("click", "#load")
	g.WaitAsked(t)
	err = c.Fails(fault.Timeout, "wait", "--response", "orders", "--timeout", "150")
	require.Contains(t, err.Error(), "GET "+site.URL(api+"orders")+" is not answered yet")
	c.Page("void fetch('http://127.0.0.1:1/dead').catch(() => log.push('dead'))")
	err = c.Fails(fault.Timeout, "wait", "--response", "/dead", "--timeout", "300")
	require.Contains(t, err.Error(), "/dead failed (net::ERR_")
}

func TestWaitForResponsesOfFramesAndPages(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there"} {
		t.Run("frame "+frames, func(t *testing.T) {
			t.Parallel()
			c, depth := host.Framed(t, frames)
			c.Do("click", c.Ref(fmt.Sprintf(`link "Link %d"`, depth)))
			reply := c.Do("wait", "--response", "/echo?followed")
			require.Equal(t, 200.0, sessiontest.Decode[object](t, reply.Result.Data)["status"])
			require.Equal(t, "Document", sessiontest.Decode[object](t, reply.Result.Data)["type"])
		})
	}
	t.Run("page", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, `<a href="/status/404">Gone</a>`)
		c.Do("click", "text=Gone")
		require.Equal(t, 404.0,
			sessiontest.Decode[object](t, c.Do("wait", "--response", "/status/404").Result.Data)["status"])
		require.Equal(t, "Status 404", c.Page("document.title"))
	})
}

func TestWaitUsageOfPatterns(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<p>Here</p>`)
	for _, tt := range []struct {
		args []string
		says string
	}{
		{[]string{"--url", "(", "--regex"}, `the regular expression "(" is not valid`},
		{[]string{"--response", "(?=a)", "--regex"}, "is not valid"},
		{[]string{"--url", "x", "--regex", "--exact"}, "--exact and --regex exclude each other"},
		{[]string{"--text", "x", "--regex"}, "--regex says how the pattern of --url or --response matches"},
		{[]string{"p", "--exact"}, "--exact says how the pattern"},
		{[]string{"p", "--for", "100"}, "--for says how long the page must stay settled"},
		{[]string{"--stable", "--url", "x"}, "wait takes one thing to wait for, but got url and stable."},
	} {
		err := c.Fails(fault.Usage, append([]string{"wait"}, tt.args...)...)
		require.Contains(t, err.Error(), tt.says, "%q", tt.args)
	}
}

func TestWaitForAddressesAsAWholeOrByExpression(t *testing.T) {
	t.Parallel()
	path := site.Write(`<p>Here</p>`)
	c := host.Opened(t, path)
	c.Do("wait", "--url", site.URL(path), "--exact")
	c.Do("wait", "--url", `/written/\d+$`, "--regex")
	err := c.Fails(fault.Timeout, "wait", "--url", path, "--exact", "--timeout", "100")
	require.Contains(t, err.Error(), "the address is "+site.URL(path)+`, which is not "`+path+`"`)
	err = c.Fails(fault.Timeout, "wait", "--url", `^/written`, "--regex", "--timeout", "100")
	require.Contains(t, err.Error(), "which does not match /^/written/")
	reply := when(c, site.Gate(t, ""), "history.pushState(0, '', '/order/12')", "wait", "--url", `/order/\d+$`, "--regex")
	require.Equal(t, site.URL("/order/12"), saysOf(c, reply))
}
