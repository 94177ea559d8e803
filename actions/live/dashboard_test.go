package live_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testport"
)

// A person watches a session in the dashboard, takes it over, works in it, and hands it back.
func TestDashboardTakeOver(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	person := host.NewClient(t)
	board := agent.StartDashboard()
	person.Do("open", board.AccessURLs[0])
	require.Equal(t, fmt.Sprintf("http://localhost:%d/", board.Port), person.Page("location.href"),
		"the token does not stay in the address")
	person.Do("wait", "--text", "agent")
	person.Do("wait", "--fn", sessiontest.CanvasIs(255, 0, 0))
	agent.Do("eval", "document.body.style.background = '#00f'")
	person.Do("wait", "--fn", sessiontest.CanvasIs(0, 0, 255))
	person.Do("wait", "--fn", "document.querySelector('nav img').src.startsWith('data:image/jpeg')")

	// Who has not taken over only looks.
	person.Do("click", "#live")
	require.Empty(t, agent.Log())

	person.Do("find", "role", "button", "click", "--name", "Take over")
	person.Do("wait", "--text", "Commands of agents wait")
	waits := agent.Start("eval", "log.join()")
	refused := agent.Fails(fault.TakenOver, "get", "title", "--timeout", "300")
	require.Contains(t, refused.Error(), "a person has taken over session agent")
	require.Contains(t, refused.Error(), "was not run")
	agent.Fails(fault.TakenOver, "snapshot", "--timeout", "300")
	agent.Do("tab") // what controls the session does not wait
	agent.Do("session")

	at := func(x, y int) string { // a point of the session's page in the picture of it
		return fmt.Sprint(person.Page(fmt.Sprintf(`(() => { const c = document.getElementById('live');
			return Math.round(1 + %d / c.width * c.clientWidth) + ',' + Math.round(1 + %d / c.height * c.clientHeight) })()`, x,
			y)))
	}
	person.Do("click", "#live", "--position", at(60, 40))
	person.Do("keyboard", "type", "Hi é")
	person.Do("press", "Backspace")
	person.Do("click", "#live", "--position", at(640, 500))
	person.Do("wait", "--fn", sessiontest.CanvasIs(0, 255, 0))
	select {
	case r := <-waits:
		t.Fatalf("the command did not wait: %v %v", r.Result.Text, r.Err)
	default:
	}
	person.Do("find", "role", "button", "click", "--name", "Hand back")
	result := agent.Await(waits).Result.Data
	require.Equal(t, "field,HTML", sessiontest.Decode[struct{ Result string }](t, result).Result)
	require.Equal(t, "Hi ", agent.Page("field.value"))
	person.Do("wait", "--fn", "document.getElementById('take').textContent == 'Take over'")
}

// A batch waits in its middle, and the end of the dashboard hands everything back.
func TestDashboardEndHandsBack(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	board := agent.StartDashboard()
	g := site.Gate(t, sessiontest.LivePage)
	batch := agent.Start("batch", "open "+site.URL(g.Path), "eval 1+1")
	g.WaitAsked(t)
	board.Post(t, "/api/sessions/agent/take", "", http.StatusOK)
	g.Open()
	select {
	case <-batch:
		t.Fatal("the batch did not wait")
	case <-time.After(500 * time.Millisecond):
	}
	require.Equal(t, "✓ Dashboard stopped", agent.Do("dashboard", "stop").Result.Text)
	require.False(t, agent.Await(batch).Result.Failed)
	closed(t, board.Port)
}

// A session that is taken over can be closed.
func TestDashboardClosedSession(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	board := agent.StartDashboard()
	board.Post(t, "/api/sessions/agent/take", "", http.StatusOK)
	waits := agent.Start("get", "title")
	agent.Do("close")
	reply := <-waits
	if reply.Err != nil { // else it came behind the closing
		require.Equal(t, fault.PageGone, fault.CodeOf(reply.Err), "%v", reply.Err)
	}
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	require.Equal(t, "Shop", agent.Do("get", "title").Result.Text)
	board.Post(t, "/api/sessions/nope/take", "", http.StatusNotFound)
}

// The dashboard tells what was run, and not what was typed.
func TestDashboardCommands(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	agent.Do("fill", "#field", "hunter2")
	agent.Try("click", "#missing")
	agent.Try("select", "#field", "hunter3")
	agent.Do("eval", "'hunter4'")
	agent.Do("get", "attr", "#field", "id")
	agent.Do("batch", "type #field hunter5")
	board := agent.StartDashboard()
	person := host.NewClient(t)
	person.Do("open", board.AccessURLs[0])
	person.Do("wait", "--text", "get attr")
	text := person.Do("get", "text", "#commands").Result.Text
	for _, want := range []string{
		"fill #field •••", "click #missing", "selector-not-found", "eval •••",
		"get attr #field id", "type #field •••", "done",
	} {
		require.Contains(t, text, want)
	}
	all := person.Page("document.documentElement.outerHTML").(string)
	require.NotContains(t, all, "hunter")
	slow := agent.Start("wait", "60000")
	person.Do("wait", "--text", "running")
	agent.Do("close")
	<-slow
	person.Do("wait", "--text", "No session is open")
}

// Console, errors and network are recorded from the moment on in which the person asks for it, and not before.
func TestDashboardRecords(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	board := agent.StartDashboard()
	person := host.NewClient(t)
	person.Do("open", board.AccessURLs[0])
	person.Do("wait", "--text", "Shop")
	for _, kind := range []string{"console", "errors", "network"} {
		person.Do("click", "#"+kind+" summary")
		require.Equal(t, true, person.Page("!document.querySelector('#"+kind+" .record').hidden"),
			"no request for the %s yet", kind)
		person.Do("click", "#"+kind+" .record")
		person.Do("wait", "--fn", "document.querySelector('#"+kind+" .record').hidden")
		if kind == "console" {
			person.Do("click", "#"+kind+" summary")
			agent.Do("eval", "console.log('logged', 7); setTimeout(() => { throw new Error('thrown') }, 0)")
			person.Do("click", "#"+kind+" summary")
			person.Do("wait", "--text", "[log] logged 7")
			// The errors are recorded with the messages, so that their pane does not ask.
			person.Do("click", "#errors summary")
			person.Do("wait", "--text", "Error: thrown")
			person.Do("click", "#errors summary")
			break
		}
	}
	person.Do("click", "#network summary")
	person.Do("click", "#network .record")
	person.Do("wait", "--fn", "document.querySelector('#network .record').hidden")
	agent.Do("eval", "fetch('/status/404').then(r => r.status)")
	person.Do("wait", "--text", "404 GET")
}

// Every control of the page has a name, and it loads without a complaint of its own policy.
func TestDashboardIsAccessible(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	board := agent.StartDashboard()
	person := host.NewClient(t)
	person.Do("open", "about:blank")
	person.Do("console")
	person.Do("open", board.AccessURLs[0])
	person.Do("wait", "--fn", sessiontest.CanvasIs(255, 0, 0))
	snapshot := person.Do("snapshot").Result.Text
	for _, want := range []string{
		`heading "skua sessions"`, `navigation "Sessions"`, `button "Take over"`,
		`Live view of session agent`, `list "Tabs of the session"`,
	} {
		require.Contains(t, snapshot, want)
	}
	for line := range strings.SplitSeq(person.Do("snapshot", "-i").Result.Text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "- button [") {
			t.Errorf("a button without a name: %s", line)
		}
	}
	require.Empty(t, person.Do("console").Result.Text)
	require.Empty(t, sessiontest.Decode[struct{ Errors []any }](t, person.Do("errors").Result.Data).Errors)
}

func TestDashboardCommandsOfTheLine(t *testing.T) {
	t.Parallel()
	c := host.NewIsolated(t)
	require.Equal(t, "Dashboard is not running", c.Do("dashboard", "stop").Result.Text)
	require.Equal(t, "Dashboard is not running", c.Do("dashboard", "status").Result.Text)
	stopped := sessiontest.Enveloped[object](c, "dashboard", "stop")
	require.Equal(t, object{"reason": "not running", "stopped": false}, stopped)
	for _, port := range []string{"99999", "0", "abc", "12x"} {
		require.Contains(t, c.Fails(fault.Usage, "dashboard", "start", "--port", port).Error(),
			"Invalid dashboard port '"+port+"'. Expected an integer from 1 to 65535.")
	}
	for _, origin := range []string{"http://a.example", "https://a.example/path", "a.example", "https://u:p@a.example"} {
		require.Contains(t, c.Fails(fault.Usage, "dashboard", "start", "--allowed-origins", origin).Error(),
			"Invalid dashboard origin")
	}
	require.Contains(t, c.Fails(fault.Usage, "dashboard", "bogus").Error(), "Unknown subcommand: bogus")
	port := testport.Free(t)
	text := c.Do("dashboard", "start", "--port", port, "--allowed-origins", "https://board.example").Result.Text
	require.True(t, strings.HasPrefix(text, "Dashboard started at http://localhost:"+port), text)
	again := sessiontest.Enveloped[sessiontest.DashboardData](c, "dashboard", "start", "--allowed-origins",
		"https://board.example")
	require.True(t, again.AlreadyRunning)
	require.Len(t, again.AccessURLs, 2)
	require.True(t, strings.HasPrefix(again.AccessURLs[1], "https://board.example/"))
	require.Contains(t, c.Fails(fault.Usage, "dashboard", "start", "--port", testport.Free(t)).Error(),
		"Dashboard is already running with port "+port)
	require.Contains(t, c.Do("dashboard", "status").Result.Text, port)
	require.Equal(t, "✓ Dashboard stopped", c.Do("dashboard", "stop").Result.Text)
	closed(t, port)
}

func TestDashboardKeepsOthersOut(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	board := agent.StartDashboard()
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
		{
			name: "another page of this machine", path: "/api/sessions/agent/picture", origin: "http://localhost:1",
			cookie: cookie, want: 403,
		},
		{
			name: "a WebSocket of another page", path: "/api/sessions/agent/live", origin: "http://localhost:1", cookie: cookie,
			upgrade: true, want: 403,
		},
		{name: "a WebSocket without an origin", path: "/api/sessions/agent/live", cookie: cookie, upgrade: true, want: 403},
		{
			name: "a WebSocket of the page", path: "/api/sessions/agent/live", origin: base, cookie: cookie, upgrade: true,
			want: 101,
		},
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
					"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
					"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
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
	board.Post(t, "/api/sessions/agent/take", "https://evil.example", http.StatusForbidden)
	board.Post(t, "/api/sessions/agent/take", "http://localhost:1", http.StatusForbidden)
	require.Equal(t, "Shop", agent.Do("get", "title", "--timeout", "5000").Result.Text, "it is not taken over")
}
