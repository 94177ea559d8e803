package session_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// orders opens the page of orders, whose requests the handler answers, below a folder whose path is returned.
func orders(t *testing.T, handler http.HandlerFunc) (c *client, api string) {
	t.Helper()
	api = site.answering(handler)
	return opened(t, "/pages/acting-wait-orders.html?api="+url.QueryEscape(api)), api
}

// plainAnswers answers each path with its name, and what is broken with 500.
func plainAnswers(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("rest") == "broken" {
		w.WriteHeader(http.StatusInternalServerError)
	}
	_, _ = io.WriteString(w, "answer "+r.PathValue("rest"))
}

// pendingCommand answers when the test opens the gate.
func pendingCommand(g *gate) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("rest") == "orders" {
			g.ask.Do(func() { close(g.asked) })
			select {
			case <-g.free:
			case <-r.Context().Done():
			}
		}
		plainAnswers(w, r)
	}
}

// when lets the page do something once the gate is open, when the command is waiting.
func (c *client) when(g *gate, do string, args ...string) <-chan session.Reply {
	c.t.Helper()
	c.page("void fetch('" + g.path + "').then(() => { " + do + " })")
	g.waitAsked(c.t)
	reply := c.start(args...)
	c.do("tab", "list")
	require.Empty(c.t, reply, "it was over before anything happened")
	g.open()
	return reply
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
		check := func(t *testing.T, c *client, api string, reply session.Reply) {
			want := object{"url": site.url(api + tt.path), "status": tt.status, "method": tt.method, "type": "Fetch", "waited": "response"}
			require.Equal(t, want, decode[object](t, reply.Result.Data))
			require.Equal(t, fmt.Sprintf("%v %s %s", tt.status, tt.method, site.url(api+tt.path)), reply.Result.Text)
			require.Equal(t, 1, site.requests(api+tt.path), "the page asked once")
			c.do("wait", "--text", tt.path+fmt.Sprintf(" %v answer", tt.status))
		}
		t.Run(tt.name+", to come", func(t *testing.T) {
			t.Parallel()
			c, api := orders(t, plainAnswers)
			reply := c.when(site.gate(t, ""), "document.querySelector('"+tt.click+"').click()", append([]string{"wait", "--response"}, tt.pattern...)...)
			check(t, c, api, c.await(reply))
		})
		t.Run(tt.name+", there already", func(t *testing.T) {
			t.Parallel()
			c, api := orders(t, plainAnswers)
			c.do("click", tt.click)
			c.do("wait", "--text", tt.path)
			check(t, c, api, c.do(append([]string{"wait", "--response"}, tt.pattern...)...))
		})
	}
}

// Each response is told once; after that the next one is waited for.
func TestWaitForTheNextResponse(t *testing.T) {
	t.Parallel()
	c, api := orders(t, plainAnswers)
	c.do("click", "#chain")
	c.do("wait", "--text", "All fresh")
	c.do("wait", "--response", "prices")
	c.do("wait", "--response", site.url(api+"orders"), "--exact")
	err := c.fails(fault.Timeout, "wait", "--response", "prices", "--timeout", "150")
	require.Contains(t, err.Error(), "Wait timed out after 150ms: no response came")
	reply := c.when(site.gate(t, ""), "load.click()", "wait", "--response", "orders")
	c.await(reply)
	require.Equal(t, 2, site.requests(api+"orders"))
}

// A response that does not come is told with what came instead.
func TestWaitForAResponseInVain(t *testing.T) {
	t.Parallel()
	g := site.gate(t, "")
	c, api := orders(t, pendingCommand(g))
	c.do("click", "#save")
	c.do("wait", "--text", "save 200")
	err := c.fails(fault.Timeout, "wait", "--response", "/nosuch", "--timeout", "150")
	require.Contains(t, err.Error(), "no response came whose address fits; seen: 200 POST "+site.url(api+"save"))
	c.do("click", "#load")
	g.waitAsked(t)
	err = c.fails(fault.Timeout, "wait", "--response", "orders", "--timeout", "150")
	require.Contains(t, err.Error(), "GET "+site.url(api+"orders")+" is not answered yet")
	c.page("void fetch('http://127.0.0.1:1/dead').catch(() => log.push('dead'))")
	err = c.fails(fault.Timeout, "wait", "--response", "/dead", "--timeout", "300")
	require.Contains(t, err.Error(), "/dead failed (net::ERR_")
}

func TestWaitForResponsesOfFramesAndPages(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there"} {
		t.Run("frame "+frames, func(t *testing.T) {
			t.Parallel()
			c, depth := framed(t, frames)
			c.do("click", c.ref(fmt.Sprintf(`link "Link %d"`, depth)))
			reply := c.do("wait", "--response", "/echo?followed")
			require.Equal(t, 200.0, decode[object](t, reply.Result.Data)["status"])
			require.Equal(t, "Document", decode[object](t, reply.Result.Data)["type"])
		})
	}
	t.Run("page", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<a href="/status/404">Gone</a>`)
		c.do("click", "text=Gone")
		require.Equal(t, 404.0, decode[object](t, c.do("wait", "--response", "/status/404").Result.Data)["status"])
		require.Equal(t, "Status 404", c.page("document.title"))
	})
}

func TestWaitUsageOfPatterns(t *testing.T) {
	t.Parallel()
	c := showing(t, `<p>Here</p>`)
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
		err := c.fails(fault.Usage, append([]string{"wait"}, tt.args...)...)
		require.Contains(t, err.Error(), tt.says, "%q", tt.args)
	}
}

func TestWaitForAddressesAsAWholeOrByExpression(t *testing.T) {
	t.Parallel()
	path := site.write(`<p>Here</p>`)
	c := opened(t, path)
	c.do("wait", "--url", site.url(path), "--exact")
	c.do("wait", "--url", `/written/\d+$`, "--regex")
	err := c.fails(fault.Timeout, "wait", "--url", path, "--exact", "--timeout", "100")
	require.Contains(t, err.Error(), "the address is "+site.url(path)+`, which is not "`+path+`"`)
	err = c.fails(fault.Timeout, "wait", "--url", `^/written`, "--regex", "--timeout", "100")
	require.Contains(t, err.Error(), "which does not match /^/written/")
	reply := c.when(site.gate(t, ""), "history.pushState(0, '', '/order/12')", "wait", "--url", `/order/\d+$`, "--regex")
	require.Equal(t, site.url("/order/12"), c.await(reply).Result.Text)
}
