package diagnose_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// inspector is a program that speaks the protocol over the WebSocket of `inspect`.
type inspector struct {
	t    *testing.T
	ctx  context.Context
	conn *websocket.Conn
	last int
	said []object // events that came meanwhile
}

func inspecting(t *testing.T, address string) *inspector {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), sessiontest.CommandLimit)
	t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, address,
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"devtools://devtools"}}})
	require.NoError(t, err)
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &inspector{t: t, ctx: ctx, conn: conn}
}

func (i *inspector) read() object {
	i.t.Helper()
	_, raw, err := i.conn.Read(i.ctx)
	require.NoError(i.t, err)
	var message object
	require.NoError(i.t, json.Unmarshal(raw, &message))
	return message
}

// call sends a command and returns the whole reply.
func (i *inspector) call(method string, params object, session string) object {
	i.t.Helper()
	i.last++
	message := object{"id": i.last, "method": method, "params": params}
	if session != "" {
		message["sessionId"] = session
	}
	raw, err := json.Marshal(message)
	require.NoError(i.t, err)
	require.NoError(i.t, i.conn.Write(i.ctx, websocket.MessageText, raw))
	for {
		reply := i.read()
		if reply["id"] == float64(i.last) {
			return reply
		}
		i.said = append(i.said, reply)
	}
}

// event waits for an event that holds.
func (i *inspector) event(method string, holds func(params object) bool) object {
	i.t.Helper()
	for {
		for _, e := range i.said {
			if e["method"] == method && holds(e["params"].(object)) {
				return e
			}
		}
		i.said = append(i.said, i.read())
	}
}

// always holds.
func always(object) bool { return true }

func (i *inspector) value(expression, session string) any {
	i.t.Helper()
	reply := i.call("Runtime.evaluate", object{"expression": expression, "returnByValue": true}, session)
	require.Nil(i.t, reply["error"], reply)
	return reply["result"].(object)["result"].(object)["value"]
}

func TestInspect(t *testing.T) {
	t.Parallel()
	frame := site.Write(`<title>Frame</title>`)
	c := host.Showing(t, `<title>Main</title><iframe src="`+site.Elsewhere(frame)+`"></iframe>`)
	reply := c.Do("inspect")
	data := sessiontest.Decode[object](t, reply.Result.Data)
	address, socket := data["url"].(string), data["webSocketDebuggerUrl"].(string)
	require.Regexp(t,
		`^✓ Opened DevTools: http://127\.0\.0\.1:\d+/\w+/\n  devtools://devtools/bundled/inspector\.html\?ws=127\.0\.0\.1%3A`,
		reply.Result.Text)
	require.Equal(t, []any{true, false}, []any{data["opened"], data["window"]})
	require.Equal(t, address, c.Data("inspect")["url"], "the same port again")

	i := inspecting(t, socket)
	require.Equal(t, "Main", i.value("document.title", ""))
	i.value("window.seen = 1", "")
	require.Equal(t, 1.0, c.Page("seen"))
	i.call("Runtime.enable", nil, "")
	c.Page(`console.log("to both"), 0`)
	i.event("Runtime.consoleAPICalled", func(p object) bool { return p["args"].([]any)[0].(object)["value"] == "to both" })
	require.Equal(t, "[log] to both", consoleText(c, 1))

	i.call("Target.setAutoAttach", object{"autoAttach": true, "flatten": true, "waitForDebuggerOnStart": false}, "")
	attached := i.event("Target.attachedToTarget", func(p object) bool {
		return p["targetInfo"].(object)["type"] == "iframe"
	})
	session := attached["params"].(object)["sessionId"].(string)
	require.Equal(t, "Frame", i.value("document.title", session), "frames in other processes")

	other := inspecting(t, socket)
	require.Equal(t, strings.Repeat("x", 3_000_000), other.value(`"x".repeat(3e6)`, ""))
	require.Equal(t, -32601.0, other.call("No.such", nil, "")["error"].(object)["code"])
	require.Contains(t, other.call("Runtime.evaluate", nil, "bogus")["error"].(object)["message"],
		"Session with given id not found")
	for _, method := range []string{
		"Browser.close", "Target.getTargets", "Target.createTarget",
		"SystemInfo.getProcessInfo", "Target.attachToBrowserTarget",
	} {
		require.Contains(t, other.call(method, object{"url": "about:blank"}, "")["error"].(object)["message"], "Not allowed",
			method)
	}
	require.Contains(t, other.call("Storage.getCookies", object{"browserContextId": "x"}, "")["error"].(object)["message"],
		"Not allowed")
	require.NotEmpty(t, other.call("Browser.getVersion", nil, "")["result"].(object)["product"])

	// Commands of the session work on beside it, and DevTools sees what they do.
	i.call("Page.enable", nil, "")
	c.Do("open", site.URL(site.Write(`<title>Next</title>`)))
	i.event("Page.loadEventFired", always)
	require.Equal(t, "Next", i.value("document.title", ""))
}

// Chromium keeps some settings for the page, and not for the session that made them: any session with the page that
// ends would undo them.
func TestSettingsOutliveDevTools(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<!doctype html><title>Main</title><meta name=viewport content="width=device-width">`)
	for _, set := range [][]string{
		{"media", "print", "dark"},
		{"viewport", "640", "480", "--touch"},
		{"timezone", "Asia/Tokyo"},
		{"locale", "de-CH"},
	} {
		c.Do(append([]string{"set"}, set...)...)
	}
	const seen = `[matchMedia('print').matches, matchMedia('(prefers-color-scheme: dark)').matches, innerWidth, navigator.maxTouchPoints > 0,
		new Date(0).getHours(), navigator.language].join('|')`
	const want = "true|true|640|true|9|de-CH"
	require.Equal(t, want, c.Page(seen))
	for name, calls := range map[string]map[string]object{
		"that only looked": {},
		"with settings of its own": {
			"Emulation.setEmulatedMedia": {
				"media":    "screen",
				"features": []object{{"name": "prefers-color-scheme", "value": "light"}},
			},
			"Emulation.setDeviceMetricsOverride":   {"width": 300, "height": 300, "deviceScaleFactor": 1, "mobile": false},
			"Emulation.setTouchEmulationEnabled":   {"enabled": false},
			"Emulation.setCPUThrottlingRate":       {"rate": 2},
			"Emulation.setFocusEmulationEnabled":   {"enabled": false},
			"Emulation.setScriptExecutionDisabled": {"value": false},
		},
	} {
		i := inspecting(t, c.Data("inspect")["webSocketDebuggerUrl"].(string))
		require.Equal(t, "Main", i.value("document.title", ""), name)
		for method, params := range calls {
			require.Nil(t, i.call(method, params, "")["error"], method)
		}
		require.NoError(t, i.conn.Close(websocket.StatusNormalClosure, ""))
		c.Do("wait", "--fn", seen+` === "`+want+`"`)
	}
}

func TestInspectIsPrivate(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<title>Main &lt;b></title>`)
	data := c.Data("inspect")
	address, socket := data["url"].(string), data["webSocketDebuggerUrl"].(string)
	ctx, cancel := context.WithTimeout(context.Background(), sessiontest.CommandLimit)
	defer cancel()
	for name, try := range map[string]struct {
		address string
		header  http.Header
		host    string
		status  int
	}{
		"another site": {
			address: socket, header: http.Header{"Origin": {"http://evil.example"}},
			status: http.StatusForbidden,
		},
		"a page of ours": {address: socket, header: http.Header{"Origin": {site.URL("")}}, status: http.StatusForbidden},
		"a rebound name": {address: socket, host: "evil.example", status: http.StatusForbidden},
		"without a secret": {address: strings.Join(strings.Split(socket, "/")[:3], "/") + "/page/" +
			socket[strings.LastIndex(socket, "/")+1:], status: http.StatusNotFound},
		"another page": {address: socket + "0", status: http.StatusNotFound},
	} {
		_, res, err := websocket.Dial(ctx, try.address, &websocket.DialOptions{HTTPHeader: try.header, Host: try.host})
		require.Error(t, err, name)
		require.NotNil(t, res, name)
		require.Equal(t, try.status, res.StatusCode, name)
	}
	get := func(path string) (int, string) {
		res, err := http.Get(path)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		raw, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(raw)
	}
	status, list := get(address)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, list, "Main &lt;b&gt;")
	require.Contains(t, list, "devtools://devtools/bundled/inspector.html?ws=")
	_, list = get(address + "json/list")
	require.Contains(t, list, `"webSocketDebuggerUrl":"`+socket+`"`)
	status, _ = get(strings.Join(strings.Split(address, "/")[:3], "/") + "/json/list")
	require.Equal(t, http.StatusNotFound, status)
}

// What `inspect` opened ends with the page, and with the session.
func TestInspectEnds(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<title>Main</title>`)
	c.Do("tab", "new", site.URL(site.Write(`<title>Two</title>`)))
	address := c.Data("inspect")["url"].(string)
	two := inspecting(t, c.Data("inspect")["webSocketDebuggerUrl"].(string))
	require.Equal(t, "Two", two.value("document.title", ""))
	one := inspecting(t, c.Data("inspect", "--tab", "t1")["webSocketDebuggerUrl"].(string))
	require.Equal(t, "Main", one.value("document.title", ""))
	ended := func(i *inspector) {
		for {
			if _, _, err := i.conn.Read(i.ctx); err != nil {
				require.NoError(t, i.ctx.Err())
				return
			}
		}
	}
	c.Do("tab", "close")
	ended(two)
	require.Equal(t, "Main", one.value("document.title", ""))
	c.Do("close")
	ended(one)
	_, err := http.Get(address)
	require.Error(t, err)
}

func TestCDPURL(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	require.Contains(t, c.Fails(fault.BrowserGone, "get", "cdp-url").Error(), "Browser not launched")
	c.Do("open")
	err := c.Fails(fault.Usage, "get", "cdp-url")
	require.Contains(t, err.Error(), "This browser has no address")
	require.Contains(t, err.Hint, "inspect")
}
