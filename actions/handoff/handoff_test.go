package handoff_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// codePage asks for a code, and leads elsewhere when it is sent.
const codePage = `<!doctype html><title>Sign in</title><style>*{margin:0}</style><body style="background:#f00">
	<form action="/echo" onsubmit="event.preventDefault(); history.pushState(null, '', '#in'); document.title = 'Welcome'; document.body.style.background = '#0f0'">
	<input id=code aria-label="Code" style="position:absolute;left:20px;top:20px;width:200px;height:40px">
	<input type=checkbox id=keep aria-label="Remember me" style="position:absolute;left:20px;top:100px;width:40px;height:40px">
	<input id=other aria-label="Other" style="position:absolute;left:20px;top:200px;width:200px;height:40px">
	<button style="position:absolute;left:20px;top:300px;width:200px;height:40px">Send</button></form>`

type handoffData struct {
	ID, Text, Mark, Person, Reason, Address string
	Fields                                  []struct{ Role, Name, Frame string }
	URL, Title, Tab                         *struct{ From, To string }
	Opened                                  []struct{ TabID, URL string }
	Visited                                 bool
}

// clickLive clicks a point of the session's page in the live view.
func clickLive(c *sessiontest.Client, x, y int) {
	c.T.Helper()
	at := fmt.Sprint(c.Page(fmt.Sprintf(`(() => { const c = document.getElementById('live');
		return Math.round(1 + %d / c.width * c.clientWidth) + ',' + Math.round(1 + %d / c.height * c.clientHeight) })()`, x,
		y)))
	c.Do("click", "#live", "--position", at)
}

// handedOver runs a command about the handoff.
func handedOver(c *sessiontest.Client, args ...string) handoffData {
	c.T.Helper()
	return sessiontest.Decode[handoffData](c.T, c.Do(args...).Result.Data)
}

// detached hands the session over and returns at once.
func detached(c *sessiontest.Client, args ...string) handoffData {
	c.T.Helper()
	h := handedOver(c, append([]string{"handoff", "--detach"}, args...)...)
	require.Equal(c.T, "waiting", h.Person)
	require.NotEmpty(c.T, h.Address)
	return h
}

// A person enters a code in one session of several, and the agent learns what was changed, and not what was typed.
func TestHandoff(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	for _, other := range []string{"before", "behind"} {
		one := *agent
		one.Session = other
		one.Do("open", site.URL(site.Write(sessiontest.LivePage)))
	}
	agent.Do("open", site.URL(site.Write(codePage)))
	h := detached(agent, "Enter the code", "--at", "#code", "--timeout", "2m")
	require.Equal(t, `textbox "Code"`, h.Mark)
	require.Contains(t, agent.Fails(fault.TakenOver, "get", "title", "--timeout", "200").Error(),
		`waits for a person, since 0s: "Enter the code"; `+"`get title` was not run")
	other := *agent
	other.Session = "behind"
	require.Equal(t, "Shop", other.Do("get", "title").Result.Text, "other sessions go on")

	person := host.NewClient(t)
	person.Do("console")
	person.Do("open", h.Address)
	person.Do("wait", "--fn", sessiontest.CanvasIs(255, 0, 0))
	shown := person.Do("get", "text", "body").Result.Text
	for _, want := range []string{"Enter the code", `textbox "Code"`, "left"} {
		require.Contains(t, shown, want)
	}
	require.Equal(t, true, person.Page("!document.getElementById('tabs').checkVisibility()"), "one tab needs no choice")
	waits := agent.Start("handoff", "wait", "--json")
	clickLive(person, 60, 40)
	person.Do("keyboard", "type", "hunter2")
	clickLive(person, 40, 120)
	clickLive(person, 60, 320)
	person.Do("wait", "--fn", sessiontest.CanvasIs(0, 255, 0))
	person.Do("find", "role", "button", "click", "--name", "Done")
	person.Do("wait", "--text", "The agent goes on")
	require.Empty(t, person.Do("console").Result.Text, "the page does nothing that its policy forbids")

	reply := agent.Await(waits)
	done := sessiontest.Decode[handoffData](t, reply.Result.Data)
	require.Equal(t, "done", done.Person)
	require.Equal(t, []struct {
		Role, Name, Frame string
	}{{"textbox", "Code", ""}, {"checkbox", "Remember me", ""}}, done.Fields)
	require.Equal(t, "Welcome", done.Title.To)
	require.True(t, strings.HasSuffix(done.URL.To, "#in"), done.URL.To)
	require.True(t, done.Visited)
	require.NotContains(t, fmt.Sprint(reply.Result), "hunter2")
	require.Equal(t, "Welcome", agent.Do("get", "title").Result.Text)
	require.Equal(t, "hunter2", agent.Page("code.value"), "the person did it")
	require.Equal(t, float64(0), agent.Page("document.getAnimations().length"), "the mark is gone")
	require.Equal(t, "done", handedOver(agent, "handoff", "status").Person)
}

// The command itself waits, and says where on standard error.
func TestHandoffWaits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, want string
		answer     func(c *sessiontest.Client, h handoffData)
		failed     bool
	}{
		{"done", "✓ Done by the person", func(c *sessiontest.Client, h handoffData) {
			say(c.T, h, "done", "", http.StatusOK)
		}, false},
		{"cannot", "The person cannot do it: no phone here", func(c *sessiontest.Client, h handoffData) {
			say(c.T, h, "cannot", "no phone here", http.StatusOK)
		}, true},
		{"canceled", "The handoff was canceled: a command canceled it", func(c *sessiontest.Client, _ handoffData) {
			c.Do("handoff", "cancel")
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			agent := host.NewIsolated(t)
			agent.Do("open", site.URL(site.Write(codePage)))
			out := &stderrLine{said: make(chan string, 1)}
			waits := startTold(agent, out, "handoff", "Enter", "the", "code")
			line := <-out.said
			require.Contains(t, line, "A person is asked: Enter the code\nOpen http://127.0.0.1:")
			h := handedOver(agent, "handoff", "status")
			require.Contains(t, line, h.Address)
			test.answer(agent, h)
			reply := <-waits
			require.NoError(t, reply.Err)
			require.Equal(t, test.want, strings.Split(reply.Result.Text, "\n")[0])
			require.Equal(t, test.failed, reply.Result.Failed)
			require.Equal(t, "Sign in", agent.Do("get", "title").Result.Text, "the session is back")
		})
	}
}

// stderrLine is a caller's standard error.
type stderrLine struct{ said chan string }

func (o *stderrLine) Write(text []byte) (int, error) {
	select {
	case o.said <- string(text):
	default:
	}
	return len(text), nil
}

// startTold runs a command beside the test whose caller has a standard error.
func startTold(c *sessiontest.Client, out io.Writer, args ...string) <-chan session.Reply {
	req, reply := c.Request("", args), make(chan session.Reply, 1)
	req.Out, req.ErrOut = io.Discard, out
	go func() { reply <- c.Manager.Do(context.Background(), req) }()
	return reply
}

// say answers a handoff as its page does.
func say(t testing.TB, h handoffData, end, reason string, want int) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, h.Address+end, strings.NewReader(reason))
	require.NoError(t, err)
	req.Header.Set("Origin", h.Address[:strings.LastIndex(strings.TrimSuffix(h.Address, "/"), "/")])
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, want, resp.StatusCode)
}

// A caller that goes away takes the session back.
func TestHandoffOfCallerThatIsGone(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(codePage)))
	ctx, leave := context.WithCancel(t.Context())
	out := &stderrLine{said: make(chan string, 1)}
	req, replied := agent.Request("", []string{"handoff", "Enter the code"}), make(chan struct{})
	req.Out, req.ErrOut = io.Discard, out
	go func() { defer close(replied); agent.Manager.Do(ctx, req) }()
	<-out.said
	leave()
	<-replied
	require.Equal(t, "canceled", handedOver(agent, "handoff", "status").Person)
	require.Equal(t, "Sign in", agent.Do("get", "title").Result.Text)
}

// The end of the time ends it, and so does the end of the session.
func TestHandoffEnds(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	require.Equal(t, "The session was not handed to a person", agent.Do("handoff", "status").Result.Text)
	agent.Fails(fault.StreamState, "handoff", "cancel")
	agent.Do("open", site.URL(site.Write(codePage)))
	agent.Fails(fault.Usage, "handoff", " ")
	agent.Fails(fault.SelectorNotFound, "handoff", "x", "--at", "#nope", "--timeout", "300")
	late := detached(agent, "Enter the code", "--timeout", "200ms")
	over := handedOver(agent, "handoff", "wait")
	require.Equal(t, []any{"timed-out", late.ID, false}, []any{over.Person, over.ID, over.Visited})
	detached(agent, "Enter the code")
	agent.Fails(fault.TakenOver, "handoff", "another", "--timeout", "200")
	require.Equal(t, "waiting", handedOver(agent, "handoff", "wait", "--timeout", "200").Person)
	waits := agent.Start("handoff", "wait")
	agent.Do("close")
	closed := <-waits
	require.NotEqual(t, "done", sessiontest.Decode[handoffData](t, closed.Result.Data).Person)
	agent.Do("open", site.URL(site.Write(codePage)))
	require.Equal(t, "The session was not handed to a person", agent.Do("handoff", "status").Result.Text)
}

// The dashboard lists what waits, and takes the answer.
func TestHandoffAtTheDashboard(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(codePage)))
	board := agent.StartDashboard()
	person := host.NewClient(t)
	person.Do("open", board.AccessURLs[0])
	h := detached(agent, "Enter the code")
	person.Do("wait", "--text", "Enter the code")
	person.Do("wait", "--fn", sessiontest.CanvasIs(255, 0, 0))
	clickLive(person, 60, 220)
	person.Do("keyboard", "type", "x")
	person.Do("fill", "#handoff input", "no phone")
	person.Do("find", "role", "button", "click", "--name", "Cannot")
	person.Do("wait", "--fn", "!document.getElementById('handoff')")
	said := handedOver(agent, "handoff", "status")
	require.Equal(t, []any{h.ID, "cannot", "no phone"}, []any{said.ID, said.Person, said.Reason})
	require.Equal(t, "Other", said.Fields[0].Name)
	board.Post(t, "/api/sessions/agent/handoff/"+h.ID+"/maybe", "", http.StatusNotFound)
}

// Who has not the address stays outside, and under rules that deny clicks the page only shows.
func TestHandoffKeepsOthersOut(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.WriteFile("policy.json", `{"default": "allow", "deny": ["click"]}`)
	agent.Do("--action-policy", "policy.json", "open", site.URL(site.Write(codePage)))
	h := detached(agent, "Enter the code")
	person := host.NewClient(t)
	person.Do("open", h.Address)
	person.Do("wait", "--text", "do not let you act here")
	person.Do("wait", "--fn", sessiontest.CanvasIs(255, 0, 0))
	clickLive(person, 40, 120)
	base := h.Address[:strings.LastIndex(strings.TrimSuffix(h.Address, "/"), "/")]
	for _, test := range []struct {
		name, method, address, host, origin string
		want                                int
	}{
		{"the page", http.MethodGet, h.Address, "", "", http.StatusOK},
		{"no secret", http.MethodGet, base + "/", "", "", http.StatusUnauthorized},
		{"another host name", http.MethodGet, h.Address, "evil.example", "", http.StatusForbidden},
		{"another site", http.MethodPost, h.Address + "done", "", "https://evil.example", http.StatusForbidden},
		{"another page of this machine", http.MethodPost, h.Address + "done", "", "http://localhost:1", http.StatusForbidden},
		{"no origin", http.MethodPost, h.Address + "done", "", "", http.StatusForbidden},
		{"another session", http.MethodGet, h.Address + "api/sessions/other/live", "", "", http.StatusNotFound},
		{"the dashboard's script", http.MethodGet, h.Address + "app.js", "", "", http.StatusNotFound},
		{"the dashboard's events", http.MethodGet, h.Address + "api/events", "", "", http.StatusNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			req, err := http.NewRequest(test.method, test.address, nil)
			require.NoError(t, err)
			req.Host = test.host
			if test.origin != "" {
				req.Header.Set("Origin", test.origin)
			}
			resp, err := http.DefaultTransport.RoundTrip(req)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, test.want, resp.StatusCode)
		})
	}
	require.Equal(t, "waiting", handedOver(agent, "handoff", "status").Person)
	say(t, h, "done", "", http.StatusOK)
	done := handedOver(agent, "handoff", "wait")
	require.Empty(t, done.Fields)
	require.Equal(t, false, agent.Page("keep.checked"))
}

// A person may work in a tab that the page opens, in frames and over several documents.
func TestHandoffTabsAndFrames(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	focused := site.Gate(t, "")
	second := site.Write(
		`<!doctype html><title>Second</title><body style="background:#00f;margin:0"><input aria-label="Second field" style="position:absolute;left:0;top:0;width:200px;height:50px">
		<iframe style="position:absolute;left:0;top:100px;border:0" src="` +
			site.Elsewhere(site.Write(`<!doctype html><body style="margin:0"><input aria-label="Framed" onfocus="fetch('`+
				focused.Path+`')" style="width:200px;height:50px">`)) + `"></iframe>`)
	first := site.Write(
		`<!doctype html><title>First</title><body style="background:#f00;margin:0"><input aria-label="First field" style="position:absolute;left:0;top:0;width:200px;height:50px">
		<a href="` + site.URL(second) + `" style="position:absolute;left:0;top:100px;width:200px;height:50px">go</a>
		<a target=_blank href="` + site.URL(second) +
			`" style="position:absolute;left:0;top:200px;width:200px;height:50px">open</a>`)
	agent.Do("open", site.URL(first))
	h := detached(agent, "Fill in")
	person := host.NewClient(t)
	person.Do("open", h.Address)
	person.Do("wait", "--fn", sessiontest.CanvasIs(255, 0, 0))
	clickLive(person, 20, 20)
	person.Do("keyboard", "type", "a")
	clickLive(person, 20, 220)
	person.Do("wait", "--fn", "document.querySelectorAll('#tabs button').length == 2")
	clickLive(person, 20, 120)
	person.Do("wait", "--fn", sessiontest.CanvasIs(0, 0, 255))
	clickLive(person, 20, 20)
	person.Do("fill", "#words", "typed in a field of the page")
	person.Do("find", "role", "button", "click", "--name", "Type")
	clickLive(person, 20, 120)
	// the browser brings keys to the frame with the focus, which is another one a little after the click
	focused.WaitAsked(t)
	person.Do("keyboard", "type", "b")
	person.Do("click", "#tabs li:nth-child(2) button")
	person.Do("wait", "--fn", "document.querySelector('#tabs li:nth-child(2)').getAttribute('aria-current') == 'true'")
	person.Do("find", "role", "button", "click", "--name", "Done")
	person.Do("wait", "--text", "The agent goes on")
	done := handedOver(agent, "handoff", "wait")
	var names []string
	for _, f := range done.Fields {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"First field", "Second field", "Framed"}, names)
	require.Contains(t, done.Fields[2].Frame, site.Localhost())
	require.Len(t, done.Opened, 1)
	require.Equal(t, "t2", done.Tab.To)
}
