package session_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testport"
	"github.com/skua-browser/skua/session"
)

// ownHost makes a caller in a host of its own: a dashboard shows all sessions of its host.
func ownHost(t testing.TB) *client {
	t.Helper()
	m, err := session.New(session.Options{Registry: catalog.Registry()})
	require.NoError(t, err)
	t.Cleanup(func() { m.Close(context.Background()) })
	c := &client{t: t, host: m, session: "agent", dir: t.TempDir()}
	c.env = map[string]string{"HOME": c.dir}
	return c
}

type dashboardData struct {
	AccessURLs     []string `json:"access_urls"`
	AlreadyRunning bool     `json:"already_running"`
	PID, Port      int
}

// startDashboard starts one on a free port.
func (c *client) startDashboard() dashboardData {
	c.t.Helper()
	data := skillData[dashboardData](c, "dashboard", "start", "--port", testport.Free(c.t))
	require.Len(c.t, data.AccessURLs, 1)
	return data
}

const livePage = `<!doctype html><title>Shop</title><style>*{margin:0}</style><body style="background:#f00">
	<input id=field style="position:absolute;left:20px;top:20px;width:200px;height:40px">
	<script>const log = []; addEventListener('click', e => { log.push(e.target.id || e.target.tagName); if (e.target.id != 'field') document.body.style.background = '#0f0' })</script>`

// canvasIs is a script that tells whether the middle of the live view has a color.
func canvasIs(r, g, b int) string {
	return fmt.Sprintf(`(() => { const c = document.getElementById('live'), at = c.getContext('2d').getImageData(c.width / 2, c.height / 2, 1, 1).data;
		return at[3] > 0 && [%d, %d, %d].every((v, i) => Math.abs(v - at[i]) < 20) })()`, r, g, b)
}

// A person watches a session in the dashboard, takes it over, works in it, and hands it back.
func TestDashboardTakeOver(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	person := newClient(t)
	board := agent.startDashboard()
	person.do("open", board.AccessURLs[0])
	require.Equal(t, fmt.Sprintf("http://localhost:%d/", board.Port), person.page("location.href"), "the token does not stay in the address")
	person.do("wait", "--text", "agent")
	person.do("wait", "--fn", canvasIs(255, 0, 0))
	agent.do("eval", "document.body.style.background = '#00f'")
	person.do("wait", "--fn", canvasIs(0, 0, 255))
	person.do("wait", "--fn", "document.querySelector('nav img').src.startsWith('data:image/jpeg')")

	// Who has not taken over only looks.
	person.do("click", "#live")
	require.Empty(t, agent.log())

	person.do("find", "role", "button", "click", "--name", "Take over")
	person.do("wait", "--text", "Commands of agents wait")
	waits := agent.start("eval", "log.join()")
	refused := agent.fails(fault.TakenOver, "get", "title", "--timeout", "300")
	require.Contains(t, refused.Error(), "a person has taken over session agent")
	require.Contains(t, refused.Error(), "was not run")
	agent.fails(fault.TakenOver, "snapshot", "--timeout", "300")
	agent.do("tab") // what controls the session does not wait
	agent.do("session")

	at := func(x, y int) string { // a point of the session's page in the picture of it
		return fmt.Sprint(person.page(fmt.Sprintf(`(() => { const c = document.getElementById('live');
			return Math.round(1 + %d / c.width * c.clientWidth) + ',' + Math.round(1 + %d / c.height * c.clientHeight) })()`, x, y)))
	}
	person.do("click", "#live", "--position", at(60, 40))
	person.do("keyboard", "type", "Hi é")
	person.do("press", "Backspace")
	person.do("click", "#live", "--position", at(640, 500))
	person.do("wait", "--fn", canvasIs(0, 255, 0))
	select {
	case r := <-waits:
		t.Fatalf("the command did not wait: %v %v", r.Result.Text, r.Err)
	default:
	}
	person.do("find", "role", "button", "click", "--name", "Hand back")
	result := agent.await(waits).Result.Data
	require.Equal(t, "field,HTML", decode[struct{ Result string }](t, result).Result)
	require.Equal(t, "Hi ", agent.page("field.value"))
	person.do("wait", "--fn", "document.getElementById('take').textContent == 'Take over'")
}

// A batch waits in its middle, and the end of the dashboard hands everything back.
func TestDashboardEndHandsBack(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	board := agent.startDashboard()
	g := site.gate(t, livePage)
	batch := agent.start("batch", "open "+site.url(g.path), "eval 1+1")
	g.waitAsked(t)
	post(t, board, "/api/sessions/agent/take", "", http.StatusOK)
	g.open()
	select {
	case <-batch:
		t.Fatal("the batch did not wait")
	case <-time.After(500 * time.Millisecond):
	}
	require.Equal(t, "✓ Dashboard stopped", agent.do("dashboard", "stop").Result.Text)
	require.False(t, agent.await(batch).Result.Failed)
	closed(t, board.Port)
}

// A session that is taken over can be closed.
func TestDashboardClosedSession(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	board := agent.startDashboard()
	post(t, board, "/api/sessions/agent/take", "", http.StatusOK)
	waits := agent.start("get", "title")
	agent.do("close")
	reply := <-waits
	if reply.Err != nil { // else it came behind the closing
		require.Equal(t, fault.PageGone, fault.CodeOf(reply.Err), "%v", reply.Err)
	}
	agent.do("open", site.url(site.write(livePage)))
	require.Equal(t, "Shop", agent.do("get", "title").Result.Text)
	post(t, board, "/api/sessions/nope/take", "", http.StatusNotFound)
}

// The dashboard tells what was run, and not what was typed.
func TestDashboardCommands(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	agent.do("fill", "#field", "hunter2")
	agent.try("click", "#missing")
	agent.try("select", "#field", "hunter3")
	agent.do("eval", "'hunter4'")
	agent.do("get", "attr", "#field", "id")
	agent.do("batch", "type #field hunter5")
	board := agent.startDashboard()
	person := newClient(t)
	person.do("open", board.AccessURLs[0])
	person.do("wait", "--text", "get attr")
	text := person.do("get", "text", "#commands").Result.Text
	for _, want := range []string{"fill #field •••", "click #missing", "selector-not-found", "eval •••", "get attr #field id", "type #field •••", "done"} {
		require.Contains(t, text, want)
	}
	all := person.page("document.documentElement.outerHTML").(string)
	require.NotContains(t, all, "hunter")
	slow := agent.start("wait", "60000")
	person.do("wait", "--text", "running")
	agent.do("close")
	<-slow
	person.do("wait", "--text", "No session is open")
}

// Console, errors and network are recorded from the moment on in which the person asks for it, and not before.
func TestDashboardRecords(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	board := agent.startDashboard()
	person := newClient(t)
	person.do("open", board.AccessURLs[0])
	person.do("wait", "--text", "Shop")
	for _, kind := range []string{"console", "errors", "network"} {
		person.do("click", "#"+kind+" summary")
		require.Equal(t, true, person.page("!document.querySelector('#"+kind+" .record').hidden"), "no request for the %s yet", kind)
		person.do("click", "#"+kind+" .record")
		person.do("wait", "--fn", "document.querySelector('#"+kind+" .record').hidden")
		if kind == "console" {
			person.do("click", "#"+kind+" summary")
			agent.do("eval", "console.log('logged', 7); setTimeout(() => { throw new Error('thrown') }, 0)")
			person.do("click", "#"+kind+" summary")
			person.do("wait", "--text", "[log] logged 7")
			// The errors are recorded with the messages, so that their pane does not ask.
			person.do("click", "#errors summary")
			person.do("wait", "--text", "Error: thrown")
			person.do("click", "#errors summary")
			break
		}
	}
	person.do("click", "#network summary")
	person.do("click", "#network .record")
	person.do("wait", "--fn", "document.querySelector('#network .record').hidden")
	agent.do("eval", "fetch('/status/404').then(r => r.status)")
	person.do("wait", "--text", "404 GET")
}

// Every control of the page has a name, and it loads without a complaint of its own policy.
func TestDashboardIsAccessible(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	board := agent.startDashboard()
	person := newClient(t)
	person.do("open", "about:blank")
	person.do("console")
	person.do("open", board.AccessURLs[0])
	person.do("wait", "--fn", canvasIs(255, 0, 0))
	snapshot := person.do("snapshot").Result.Text
	for _, want := range []string{`heading "skua sessions"`, `navigation "Sessions"`, `button "Take over"`, `Live view of session agent`, `list "Tabs of the session"`} {
		require.Contains(t, snapshot, want)
	}
	for line := range strings.SplitSeq(person.do("snapshot", "-i").Result.Text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "- button [") {
			t.Errorf("a button without a name: %s", line)
		}
	}
	require.Empty(t, person.do("console").Result.Text)
	require.Empty(t, decode[struct{ Errors []any }](t, person.do("errors").Result.Data).Errors)
}

func TestDashboardCommandsOfTheLine(t *testing.T) {
	t.Parallel()
	c := ownHost(t)
	require.Equal(t, "Dashboard is not running", c.do("dashboard", "stop").Result.Text)
	require.Equal(t, "Dashboard is not running", c.do("dashboard", "status").Result.Text)
	stopped := skillData[object](c, "dashboard", "stop")
	require.Equal(t, object{"reason": "not running", "stopped": false}, stopped)
	for _, port := range []string{"99999", "0", "abc", "12x"} {
		require.Contains(t, c.fails(fault.Usage, "dashboard", "start", "--port", port).Error(),
			"Invalid dashboard port '"+port+"'. Expected an integer from 1 to 65535.")
	}
	for _, origin := range []string{"http://a.example", "https://a.example/path", "a.example", "https://u:p@a.example"} {
		require.Contains(t, c.fails(fault.Usage, "dashboard", "start", "--allowed-origins", origin).Error(), "Invalid dashboard origin")
	}
	require.Contains(t, c.fails(fault.Usage, "dashboard", "bogus").Error(), "Unknown subcommand: bogus")
	port := testport.Free(t)
	text := c.do("dashboard", "start", "--port", port, "--allowed-origins", "https://board.example").Result.Text
	require.True(t, strings.HasPrefix(text, "Dashboard started at http://localhost:"+port), text)
	again := skillData[dashboardData](c, "dashboard", "start", "--allowed-origins", "https://board.example")
	require.True(t, again.AlreadyRunning)
	require.Len(t, again.AccessURLs, 2)
	require.True(t, strings.HasPrefix(again.AccessURLs[1], "https://board.example/"))
	require.Contains(t, c.fails(fault.Usage, "dashboard", "start", "--port", testport.Free(t)).Error(), "Dashboard is already running with port "+port)
	require.Contains(t, c.do("dashboard", "status").Result.Text, port)
	require.Equal(t, "✓ Dashboard stopped", c.do("dashboard", "stop").Result.Text)
	closed(t, port)
}

// post sends a request as the page does, or as a stranger with another origin.
func post(t testing.TB, board dashboardData, path, origin string, want int) {
	t.Helper()
	base := fmt.Sprintf("http://localhost:%d", board.Port)
	if origin == "" {
		origin = base
	}
	_, token, _ := strings.Cut(board.AccessURLs[0], "token=")
	req, err := http.NewRequest(http.MethodPost, strings.Replace(base, "localhost", "127.0.0.1", 1)+path, nil)
	require.NoError(t, err)
	req.Header.Set("Origin", origin)
	req.AddCookie(&http.Cookie{Name: fmt.Sprintf("skua_dashboard_%d", board.Port), Value: token})
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, want, resp.StatusCode, "%s", body)
}

func TestDashboardKeepsOthersOut(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(livePage)))
	board := agent.startDashboard()
	base := fmt.Sprintf("http://127.0.0.1:%d", board.Port)
	_, token, _ := strings.Cut(board.AccessURLs[0], "token=")
	cookie := fmt.Sprintf("skua_dashboard_%d=%s", board.Port, token)
	tests := []struct {
		name, path, host, origin, cookie string
		upgrade                          bool
		want                             int
	}{
		{name: "the page", path: "/", cookie: cookie, want: 200},
		{name: "the script", path: "/app.js", cookie: cookie, want: 200},
		{name: "a picture", path: "/api/sessions/agent/picture", cookie: cookie, want: 200},
		{name: "no cookie", path: "/", want: 401},
		{name: "no cookie, the interface", path: "/api/events", want: 401},
		{name: "a wrong cookie", path: "/", cookie: cookie + "x", want: 401},
		{name: "a wrong token", path: "/?token=x", want: 401},
		{name: "the token", path: "/?token=" + token, want: 303},
		{name: "the token elsewhere", path: "/api/events?token=" + token, want: 401},
		{name: "another host name", path: "/", host: "evil.example", cookie: cookie, want: 403},
		{name: "another site", path: "/", origin: "https://evil.example", cookie: cookie, want: 403},
		{name: "another page of this machine", path: "/api/sessions/agent/picture", origin: "http://localhost:1", cookie: cookie, want: 403},
		{name: "a WebSocket of another page", path: "/api/sessions/agent/live", origin: "http://localhost:1", cookie: cookie, upgrade: true, want: 403},
		{name: "a WebSocket without an origin", path: "/api/sessions/agent/live", cookie: cookie, upgrade: true, want: 403},
		{name: "a WebSocket of the page", path: "/api/sessions/agent/live", origin: base, cookie: cookie, upgrade: true, want: 101},
		{name: "no such session", path: "/api/sessions/nope/live", origin: base, cookie: cookie, upgrade: true, want: 404},
		{name: "no such records", path: "/api/sessions/agent/records/cookies", cookie: cookie, want: 404},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			req, err := http.NewRequest(http.MethodGet, base+test.path, nil)
			require.NoError(t, err)
			req.Host = test.host
			for key, value := range map[string]string{"Origin": test.origin, "Cookie": test.cookie} {
				if value != "" {
					req.Header.Set(key, value)
				}
			}
			if test.upgrade {
				for key, value := range map[string]string{
					"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
				} {
					req.Header.Set(key, value)
				}
			}
			resp, err := http.DefaultTransport.RoundTrip(req)
			require.NoError(t, err)
			defer resp.Body.Close()
			require.Equal(t, test.want, resp.StatusCode)
			require.Contains(t, resp.Header.Get("Content-Security-Policy"), "default-src 'none'")
		})
	}
	post(t, board, "/api/sessions/agent/take", "https://evil.example", http.StatusForbidden)
	post(t, board, "/api/sessions/agent/take", "http://localhost:1", http.StatusForbidden)
	require.Equal(t, "Shop", agent.do("get", "title", "--timeout", "5000").Result.Text, "it is not taken over")
}
