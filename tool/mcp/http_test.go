package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/tool/mcp"
)

const secret = "the-token"

// serveHTTP serves over HTTP, with a task in the path.
func serveHTTP(t testing.TB, s *mcp.Server, g mcp.Guard) string {
	t.Helper()
	mux := http.NewServeMux()
	handler := s.Handler(g)
	mux.Handle("/mcp", handler)
	mux.Handle("/mcp/{task}", handler)
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		s.Close() // ends the streams that clients listen to
		server.Close()
	})
	return server.URL + "/mcp"
}

// withToken is a client's HTTP that bears the token and names a task.
type withToken struct{ task string }

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+secret)
	if w.task != "" {
		r.Header.Set(mcp.TaskHeader, w.task)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func dial(t *testing.T, url, task string) *client {
	t.Helper()
	return dialBy(t, url, task, nil, "2025-11-25")
}

// dialBy is dial by a version of the protocol; from 2026-07-28 on there are no connections.
func dialBy(t *testing.T, url, task string, options *sdk.ClientOptions, protocol string) *client {
	t.Helper()
	c := joinBy(t, &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: withToken{task}}},
		options, &sdk.ClientSessionOptions{ProtocolVersion: protocol})
	t.Cleanup(func() { _ = c.session.Close() })
	return c
}

func TestGuard(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	url := serveHTTP(t, s,
		mcp.Guard{Token: secret, Hosts: []string{"known.test"}, Origins: []string{"https://page.test/"}})
	tests := map[string]struct {
		method string
		header map[string]string
		host   string
		want   int
	}{
		"all is well": {want: http.StatusOK},
		"no token":    {header: map[string]string{"Authorization": ""}, want: http.StatusUnauthorized},
		"a wrong token": {
			header: map[string]string{"Authorization": "Bearer the-tokem"},
			want:   http.StatusUnauthorized,
		},
		"an empty token": {
			header: map[string]string{"Authorization": "Bearer "},
			want:   http.StatusUnauthorized,
		},
		"the token in another way": {
			header: map[string]string{"Authorization": "Basic " + secret},
			want:   http.StatusUnauthorized,
		},
		"the scheme in small letters": {
			header: map[string]string{"Authorization": "bearer " + secret},
			want:   http.StatusOK,
		},
		"a page": {
			header: map[string]string{"Origin": "https://evil.test"},
			want:   http.StatusForbidden,
		},
		"a page of a file": {header: map[string]string{"Origin": "null"}, want: http.StatusForbidden},
		"a page of this machine": {
			header: map[string]string{"Origin": "http://localhost:3000"},
			want:   http.StatusForbidden,
		},
		"a page that is allowed": {header: map[string]string{"Origin": "https://page.test"}, want: http.StatusOK},
		"a page that asks whether it may": {
			method: http.MethodOptions,
			header: map[string]string{"Origin": "https://page.test", "Authorization": ""}, want: http.StatusNoContent,
		},
		"one that asks and may not": {
			method: http.MethodOptions,
			header: map[string]string{"Origin": "https://evil.test", "Authorization": ""}, want: http.StatusForbidden,
		},
		"a name that points here":           {host: "evil.test", want: http.StatusForbidden},
		"a name that only begins as ours":   {host: "localhost.evil.test", want: http.StatusForbidden},
		"a name that is allowed":            {host: "known.test:80", want: http.StatusOK},
		"this machine":                      {host: "localhost:1234", want: http.StatusOK},
		"this machine by its other address": {host: "[::1]:1234", want: http.StatusOK},
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.method == "" {
				tt.method = http.MethodPost
			}
			r, err := http.NewRequest(tt.method, url, strings.NewReader(hello))
			require.NoError(t, err)
			r.Header.Set("Authorization", "Bearer "+secret)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			for k, v := range tt.header {
				r.Header.Set(k, v)
			}
			r.Host = tt.host
			answer, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer answer.Body.Close()
			require.Equal(t, tt.want, answer.StatusCode)
			if tt.want < 300 && tt.header["Origin"] != "" {
				require.Equal(t, tt.header["Origin"], answer.Header.Get("Access-Control-Allow-Origin"))
			}
		})
	}
}

func TestOverHTTP(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{})
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	a, b := dial(t, url, ""), dial(t, url, "")
	a.do("open", site.Show(`<title>A</title><button onclick="document.title = 'Clicked'">Go</button>`))
	b.do("open", site.Show(`<title>B</title>`))
	require.Contains(t, a.do("snapshot", "-i"), "@e1")
	a.do("click", "@e1")
	require.Contains(t, a.do("get", "title"), "Clicked")
	require.Contains(t, b.do("get", "title"), "B")
	require.EqualValues(t, 2, tools.live.Load())
	require.NoError(t, a.session.Close())
	require.Eventually(t, func() bool {
		return tools.live.Load() == 1
	}, callLimit, 5*time.Millisecond, "its tool ends with it")
	require.Contains(t, b.do("get", "title"), "B")
}

// keeping is a server of tasks in one browser with a profile.
func keeping(t *testing.T, idle time.Duration) (*mcp.Server, *mcp.Tasks, *opened) {
	t.Helper()
	in, err := launch.NewBrowsers(launch.BrowsersOptions{Registry: catalog.Registry(), Profile: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { in.Close(context.Background()) })
	tools := &opened{in: in, cwd: t.TempDir()}
	tasks := mcp.NewTasks(tools.open, idle)
	t.Cleanup(func() { tasks.Close(context.Background()) })
	s, _ := newServer(t, mcp.Options{Open: tasks.Open})
	return s, tasks, tools
}

func TestTasks(t *testing.T) {
	t.Parallel()
	s, tasks, tools := keeping(t, time.Hour)
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	page := site.Show("<title>Page</title>")
	shop, mail := dial(t, url, "shop"), dial(t, url+"/mail", "")
	shop.do("open", page)
	shop.do("eval", `document.cookie = "user=ann"; window.mine = "shop"`)
	mail.do("open", page)
	require.Contains(t, mail.do("eval", "document.cookie"), "user=ann", "tasks share logins")
	require.NotContains(t, mail.do("eval", "String(window.mine)"), "shop", "and nothing else")
	require.Equal(t, []string{"mail", "shop"}, tasks.Names())

	require.NoError(t, shop.session.Close())
	again := dial(t, url+"?task=shop", "")
	require.Contains(t, again.do("eval", "String(window.mine)"), "shop", "who comes back finds his pages")
	beside := dial(t, url, "shop")
	require.Contains(t, beside.do("eval", "String(window.mine)"), "shop", "two connections work on one task")

	require.True(t, tasks.End(context.Background(), "shop"))
	require.False(t, tasks.End(context.Background(), "shop"))
	require.Contains(t, mail.do("get", "title"), "Page", "the others go on")
	require.Equal(t, []string{"mail"}, tasks.Names())

	nameless := dial(t, url, "")
	nameless.do("open", page)
	require.EqualValues(t, 2, tools.live.Load())
	require.NoError(t, nameless.session.Close())
	require.Eventually(t, func() bool {
		return tools.live.Load() == 1
	}, callLimit, 5*time.Millisecond, "pages without a task end with the connection")
}

func TestTaskNames(t *testing.T) {
	t.Parallel()
	s, _, _ := keeping(t, time.Hour)
	c := dial(t, serveHTTP(t, s, mcp.Guard{Token: secret}), "../shop")
	_, err := c.session.CallTool(context.Background(),
		&sdk.CallToolParams{Name: "agent_browser", Arguments: map[string]any{"args": []string{"get", "url"}}})
	require.ErrorContains(t, err, "not a usable name")
}

func TestTasksThatNobodyComesBackTo(t *testing.T) {
	t.Parallel()
	s, tasks, tools := keeping(t, time.Millisecond)
	c := dial(t, serveHTTP(t, s, mcp.Guard{Token: secret}), "shop")
	c.do("open", site.Show("<h1>x</h1>"))
	require.Equal(t, []string{"shop"}, tasks.Names(), "it stays as long as a client is connected")
	require.NoError(t, c.session.Close())
	require.Eventually(t, func() bool {
		return len(tasks.Names()) == 0 && tools.live.Load() == 0
	}, callLimit, 5*time.Millisecond)
}

func TestBridge(t *testing.T) {
	t.Parallel()
	s, tasks, _ := keeping(t, time.Hour)
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	near, far := pipes()
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.Bridge(context.Background(), far.in, far.out, mcp.Remote{URL: url, Token: secret, Task: "shop"})
	}()
	c := join(t, &sdk.IOTransport{Reader: near.in, Writer: near.out}, nil)
	c.do("open", site.Show("<title>Bridged</title>"))
	require.Contains(t, c.do("get", "title"), "Bridged")
	require.Equal(t, []string{"shop"}, tasks.Names())

	// What cancels a call goes past it.
	waits := make(chan struct{}, 1)
	asked := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		select {
		case waits <- struct{}{}:
		default:
		}
	}))
	t.Cleanup(asked.Close)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: "agent_browser", Arguments: map[string]any{
			"args": []string{
				"wait", "--fn", "fetch('" + asked.URL + "', {mode: 'no-cors'}) && false", "--timeout",
				"170000",
			},
			"timeoutMs": 175000,
		}})
		done <- err
	}()
	select {
	case <-waits: // its page works at it
	case err := <-done:
		require.Fail(t, "the call ended by itself", "%v", err)
	}
	cancel()
	require.Error(t, <-done)
	began := time.Now()
	c.do("eval", "1 + 1")
	require.Less(t, time.Since(began), 100*time.Second)

	require.NoError(t, c.session.Close())
	select {
	case <-ended: //nolint:errcheck // that it ended is what counts
	case <-time.After(callLimit):
		t.Fatal("the bridge runs although its client is gone")
	}
}

func TestBridgeToNowhere(t *testing.T) {
	t.Parallel()
	near, far := pipes()
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.Bridge(context.Background(), far.in, far.out, mcp.Remote{URL: "http://127.0.0.1:1/mcp", Token: secret})
	}()
	_, err := near.out.Write(
		[]byte(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"))
	require.NoError(t, err)
	require.ErrorContains(t, <-ended, "127.0.0.1:1")
}

// The token is for the server whose address was given, and not for one to which that redirects.
func TestBridgeFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	taken := make(chan string, 10)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		taken <- r.Header.Get("Authorization")
	}))
	t.Cleanup(other.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(server.Close)
	near, far := pipes()
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.Bridge(context.Background(), far.in, far.out, mcp.Remote{URL: server.URL, Token: secret})
	}()
	_, err := near.out.Write(
		[]byte(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"))
	require.NoError(t, err)
	require.Error(t, <-ended)
	require.Empty(t, taken)
}
