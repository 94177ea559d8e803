package session_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

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
func (c *client) clickLive(x, y int) {
	c.t.Helper()
	at := fmt.Sprint(c.page(fmt.Sprintf(`(() => { const c = document.getElementById('live');
		return Math.round(1 + %d / c.width * c.clientWidth) + ',' + Math.round(1 + %d / c.height * c.clientHeight) })()`, x, y)))
	c.do("click", "#live", "--position", at)
}

// handedOver runs a command about the handoff.
func (c *client) handedOver(args ...string) handoffData {
	c.t.Helper()
	return decode[handoffData](c.t, c.do(args...).Result.Data)
}

// detached hands the session over and returns at once.
func (c *client) detached(args ...string) handoffData {
	c.t.Helper()
	h := c.handedOver(append([]string{"handoff", "--detach"}, args...)...)
	require.Equal(c.t, "waiting", h.Person)
	require.NotEmpty(c.t, h.Address)
	return h
}

// A person enters a code in one session of several, and the agent learns what was changed, and not what was typed.
func TestHandoff(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	for _, other := range []string{"before", "behind"} {
		one := *agent
		one.session = other
		one.do("open", site.url(site.write(livePage)))
	}
	agent.do("open", site.url(site.write(codePage)))
	h := agent.detached("Enter the code", "--at", "#code", "--timeout", "2m")
	require.Equal(t, `textbox "Code"`, h.Mark)
	require.Contains(t, agent.fails(fault.TakenOver, "get", "title", "--timeout", "200").Error(), `waits for a person, since 0s: "Enter the code"; `+"`get title` was not run")
	other := *agent
	other.session = "behind"
	require.Equal(t, "Shop", other.do("get", "title").Result.Text, "other sessions go on")

	person := newClient(t)
	person.do("console")
	person.do("open", h.Address)
	person.do("wait", "--fn", canvasIs(255, 0, 0))
	shown := person.do("get", "text", "body").Result.Text
	for _, want := range []string{"Enter the code", `textbox "Code"`, "left"} {
		require.Contains(t, shown, want)
	}
	require.Equal(t, true, person.page("!document.getElementById('tabs').checkVisibility()"), "one tab needs no choice")
	waits := agent.start("handoff", "wait", "--json")
	person.clickLive(60, 40)
	person.do("keyboard", "type", "hunter2")
	person.clickLive(40, 120)
	person.clickLive(60, 320)
	person.do("wait", "--fn", canvasIs(0, 255, 0))
	person.do("find", "role", "button", "click", "--name", "Done")
	person.do("wait", "--text", "The agent goes on")
	require.Empty(t, person.do("console").Result.Text, "the page does nothing that its policy forbids")

	reply := agent.await(waits)
	done := decode[handoffData](t, reply.Result.Data)
	require.Equal(t, "done", done.Person)
	require.Equal(t, []struct{ Role, Name, Frame string }{{"textbox", "Code", ""}, {"checkbox", "Remember me", ""}}, done.Fields)
	require.Equal(t, "Welcome", done.Title.To)
	require.True(t, strings.HasSuffix(done.URL.To, "#in"), done.URL.To)
	require.True(t, done.Visited)
	require.NotContains(t, fmt.Sprint(reply.Result), "hunter2")
	require.Equal(t, "Welcome", agent.do("get", "title").Result.Text)
	require.Equal(t, "hunter2", agent.page("code.value"), "the person did it")
	require.Equal(t, float64(0), agent.page("document.getAnimations().length"), "the mark is gone")
	require.Equal(t, "done", agent.handedOver("handoff", "status").Person)
}

// The command itself waits, and says where on standard error.
func TestHandoffWaits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, want string
		answer     func(c *client, h handoffData)
		failed     bool
	}{
		{"done", "✓ Done by the person", func(c *client, h handoffData) { say(c.t, h, "done", "", http.StatusOK) }, false},
		{"cannot", "The person cannot do it: no phone here", func(c *client, h handoffData) { say(c.t, h, "cannot", "no phone here", http.StatusOK) }, true},
		{"canceled", "The handoff was canceled: a command canceled it", func(c *client, _ handoffData) { c.do("handoff", "cancel") }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			agent := ownHost(t)
			agent.do("open", site.url(site.write(codePage)))
			out := &stderrLine{said: make(chan string, 1)}
			waits := agent.startTold(out, "handoff", "Enter", "the", "code")
			line := <-out.said
			require.Contains(t, line, "A person is asked: Enter the code\nOpen http://127.0.0.1:")
			h := agent.handedOver("handoff", "status")
			require.Contains(t, line, h.Address)
			test.answer(agent, h)
			reply := <-waits
			require.NoError(t, reply.Err)
			require.Equal(t, test.want, strings.Split(reply.Result.Text, "\n")[0])
			require.Equal(t, test.failed, reply.Result.Failed)
			require.Equal(t, "Sign in", agent.do("get", "title").Result.Text, "the session is back")
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
func (c *client) startTold(out io.Writer, args ...string) <-chan session.Reply {
	req, reply := c.request("", args), make(chan session.Reply, 1)
	req.Out, req.ErrOut = io.Discard, out
	go func() { reply <- c.host.Do(context.Background(), req) }()
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
	agent := ownHost(t)
	agent.do("open", site.url(site.write(codePage)))
	ctx, leave := context.WithCancel(t.Context())
	out := &stderrLine{said: make(chan string, 1)}
	req, replied := agent.request("", []string{"handoff", "Enter the code"}), make(chan struct{})
	req.Out, req.ErrOut = io.Discard, out
	go func() { defer close(replied); agent.host.Do(ctx, req) }()
	<-out.said
	leave()
	<-replied
	require.Equal(t, "canceled", agent.handedOver("handoff", "status").Person)
	require.Equal(t, "Sign in", agent.do("get", "title").Result.Text)
}

// The end of the time ends it, and so does the end of the session.
func TestHandoffEnds(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	require.Equal(t, "The session was not handed to a person", agent.do("handoff", "status").Result.Text)
	agent.fails(fault.StreamState, "handoff", "cancel")
	agent.do("open", site.url(site.write(codePage)))
	agent.fails(fault.Usage, "handoff", " ")
	agent.fails(fault.SelectorNotFound, "handoff", "x", "--at", "#nope", "--timeout", "300")
	late := agent.detached("Enter the code", "--timeout", "200ms")
	over := agent.handedOver("handoff", "wait")
	require.Equal(t, []any{"timed-out", late.ID, false}, []any{over.Person, over.ID, over.Visited})
	agent.detached("Enter the code")
	agent.fails(fault.TakenOver, "handoff", "another", "--timeout", "200")
	require.Equal(t, "waiting", agent.handedOver("handoff", "wait", "--timeout", "200").Person)
	waits := agent.start("handoff", "wait")
	agent.do("close")
	closed := <-waits
	require.NotEqual(t, "done", decode[handoffData](t, closed.Result.Data).Person)
	agent.do("open", site.url(site.write(codePage)))
	require.Equal(t, "The session was not handed to a person", agent.do("handoff", "status").Result.Text)
}

// The dashboard lists what waits, and takes the answer.
func TestHandoffAtTheDashboard(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.do("open", site.url(site.write(codePage)))
	board := agent.startDashboard()
	person := newClient(t)
	person.do("open", board.AccessURLs[0])
	h := agent.detached("Enter the code")
	person.do("wait", "--text", "Enter the code")
	person.do("wait", "--fn", canvasIs(255, 0, 0))
	person.clickLive(60, 220)
	person.do("keyboard", "type", "x")
	person.do("fill", "#handoff input", "no phone")
	person.do("find", "role", "button", "click", "--name", "Cannot")
	person.do("wait", "--fn", "!document.getElementById('handoff')")
	said := agent.handedOver("handoff", "status")
	require.Equal(t, []any{h.ID, "cannot", "no phone"}, []any{said.ID, said.Person, said.Reason})
	require.Equal(t, "Other", said.Fields[0].Name)
	post(t, board, "/api/sessions/agent/handoff/"+h.ID+"/maybe", "", http.StatusNotFound)
}

// Who has not the address stays outside, and under rules that deny clicks the page only shows.
func TestHandoffKeepsOthersOut(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	agent.write("policy.json", `{"default": "allow", "deny": ["click"]}`)
	agent.do("--action-policy", "policy.json", "open", site.url(site.write(codePage)))
	h := agent.detached("Enter the code")
	person := newClient(t)
	person.do("open", h.Address)
	person.do("wait", "--text", "do not let you act here")
	person.do("wait", "--fn", canvasIs(255, 0, 0))
	person.clickLive(40, 120)
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
	require.Equal(t, "waiting", agent.handedOver("handoff", "status").Person)
	say(t, h, "done", "", http.StatusOK)
	done := agent.handedOver("handoff", "wait")
	require.Empty(t, done.Fields)
	require.Equal(t, false, agent.page("keep.checked"))
}

// A person may work in a tab that the page opens, in frames and over several documents.
func TestHandoffTabsAndFrames(t *testing.T) {
	t.Parallel()
	agent := ownHost(t)
	focused := site.gate(t, "")
	second := site.write(`<!doctype html><title>Second</title><body style="background:#00f;margin:0"><input aria-label="Second field" style="position:absolute;left:0;top:0;width:200px;height:50px">
		<iframe style="position:absolute;left:0;top:100px;border:0" src="` + site.elsewhere(site.write(`<!doctype html><body style="margin:0"><input aria-label="Framed" onfocus="fetch('`+focused.path+`')" style="width:200px;height:50px">`)) + `"></iframe>`)
	first := site.write(`<!doctype html><title>First</title><body style="background:#f00;margin:0"><input aria-label="First field" style="position:absolute;left:0;top:0;width:200px;height:50px">
		<a href="` + site.url(second) + `" style="position:absolute;left:0;top:100px;width:200px;height:50px">go</a>
		<a target=_blank href="` + site.url(second) + `" style="position:absolute;left:0;top:200px;width:200px;height:50px">open</a>`)
	agent.do("open", site.url(first))
	h := agent.detached("Fill in")
	person := newClient(t)
	person.do("open", h.Address)
	person.do("wait", "--fn", canvasIs(255, 0, 0))
	person.clickLive(20, 20)
	person.do("keyboard", "type", "a")
	person.clickLive(20, 220)
	person.do("wait", "--fn", "document.querySelectorAll('#tabs button').length == 2")
	person.clickLive(20, 120)
	person.do("wait", "--fn", canvasIs(0, 0, 255))
	person.clickLive(20, 20)
	person.do("fill", "#words", "typed in a field of the page")
	person.do("find", "role", "button", "click", "--name", "Type")
	person.clickLive(20, 120)
	focused.waitAsked(t) // the browser brings keys to the frame with the focus, which is another one a little after the click
	person.do("keyboard", "type", "b")
	person.do("click", "#tabs li:nth-child(2) button")
	person.do("wait", "--fn", "document.querySelector('#tabs li:nth-child(2)').getAttribute('aria-current') == 'true'")
	person.do("find", "role", "button", "click", "--name", "Done")
	person.do("wait", "--text", "The agent goes on")
	done := agent.handedOver("handoff", "wait")
	var names []string
	for _, f := range done.Fields {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"First field", "Second field", "Framed"}, names)
	require.Contains(t, done.Fields[2].Frame, site.localhost())
	require.Len(t, done.Opened, 1)
	require.Equal(t, "t2", done.Tab.To)
}
