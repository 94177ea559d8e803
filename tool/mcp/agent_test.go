package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

func listed(t *testing.T, c *client) []*sdk.Tool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	list, err := c.session.ListTools(ctx, nil)
	require.NoError(t, err)
	return list.Tools
}

func TestToolList(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	list := listed(t, c)
	t.Run("1.1 one tool, by its name", func(t *testing.T) {
		require.Len(t, list, 1)
		require.Equal(t, "agent_browser", list[0].Name)
		require.Equal(t, "Agent Browser", list[0].Title)
	})
	t.Run("1.2 a closed schema with all input modes", func(t *testing.T) {
		schema := list[0].InputSchema.(map[string]any)
		require.Equal(t, false, schema["additionalProperties"])
		fields := schema["properties"].(map[string]any)
		for _, name := range []string{
			"script", "args", "semanticAction", "job", "qa", "sourceLookup", "networkSourceLookup", "electron", "stdin",
			"outputPath", "timeoutMs", "sessionMode", "session", "observe",
		} {
			require.Contains(t, fields, name)
			delete(fields, name)
		}
		require.Empty(t, fields)
	})
	t.Run("the whole list is short", func(t *testing.T) {
		text, err := json.Marshal(listed(t, c))
		require.NoError(t, err)
		require.Less(t, len(text), 10_000)
	})
	t.Run("a client that only lists costs no browser", func(t *testing.T) { require.Zero(t, tools.live.Load()) })
}

func TestResults(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	url := site.Show(`<title>Shop</title><button onclick="document.title = 'Bought'">Buy</button>`)
	schema := outputSchema(t, listed(t, c)[0])
	t.Run("1.3 1.4 success has text and data", func(t *testing.T) {
		r := c.try("open", url)
		require.False(t, r.IsError, textOf(r))
		require.Contains(t, textOf(r), url)
		d := details(t, r)
		require.NoError(t, schema.Validate(d))
		require.Equal(t, "success", d["resultCategory"])
		require.Equal(t, "open", d["command"])
	})
	t.Run("1.3 a click by the ref that a snapshot showed", func(t *testing.T) {
		require.Contains(t, c.do("snapshot", "-i"), "@e1")
		c.do("click", "@e1")
		require.Contains(t, c.do("get", "title"), "Bought")
	})
	t.Run("1.4 a failure is one in text, data and mark", func(t *testing.T) {
		r := c.try("click", "#nothing", "--timeout", "1000")
		require.True(t, r.IsError)
		require.NotEmpty(t, textOf(r))
		d := details(t, r)
		require.NoError(t, schema.Validate(d))
		require.Equal(t, "failure", d["resultCategory"])
		require.NotEmpty(t, d["failureCategory"])
	})
	t.Run("1.2 a field that there is not is refused before anything is run", func(t *testing.T) {
		r := c.call("agent_browser", map[string]any{"args": []string{"click", "button"}, "arg": "x"})
		require.True(t, r.IsError)
		require.Contains(t, textOf(r), "arg")
		require.Equal(t, "validation-error", details(t, r)["failureCategory"])
	})
}

func outputSchema(t *testing.T, tool *sdk.Tool) *jsonschema.Resolved {
	t.Helper()
	text, err := json.Marshal(tool.OutputSchema)
	require.NoError(t, err)
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(text, &schema))
	resolved, err := schema.Resolve(nil)
	require.NoError(t, err)
	return resolved
}

func TestProgress(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	heard := make(chan *sdk.ProgressNotificationParams, 100)
	c := connect(t, s,
		&sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			heard <- r.Params
		}})
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	t.Run("1.9 what runs is told before it ends", func(t *testing.T) {
		p := &sdk.CallToolParams{
			Name:      "agent_browser",
			Arguments: map[string]any{"args": []string{"open", site.Show("<h1>x</h1>")}},
		}
		p.SetProgressToken("token")
		r, err := c.session.CallTool(ctx, p)
		require.NoError(t, err)
		require.False(t, r.IsError, textOf(r))
		first := <-heard
		require.True(t, strings.HasPrefix(first.Message, "Running agent-browser"), first.Message)
		require.Equal(t, "token", first.ProgressToken)
	})
	t.Run("1.9 what takes long is told again and again", func(t *testing.T) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		p := &sdk.CallToolParams{
			Name:      "agent_browser",
			Arguments: map[string]any{"args": []string{"wait", "--fn", "false", "--timeout", "60000"}, "timeoutMs": 70000},
		}
		p.SetProgressToken("long")
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = c.session.CallTool(ctx, p)
		}()
		last := 0.0
		for range 3 {
			n := <-heard
			require.Greater(t, n.Progress, last)
			last = n.Progress
		}
		stop()
		<-done
	})
	t.Run("1.9 a client that did not ask gets no progress", func(t *testing.T) {
		for len(heard) > 0 {
			<-heard
		}
		c.do("get", "title")
		require.Empty(t, heard)
	})
}

// The session runs one command after another: that the next one has its turn soon says that a canceled wait is over in
// the browser, and not only for the client.
func TestCancelEndsInTheBrowser(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/began" {
			began <- struct{}{}
		}
	}))
	t.Cleanup(server.Close)
	s, _ := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	c.do("open", server.URL)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: "agent_browser", Arguments: map[string]any{
			"args":      []string{"wait", "--fn", "(window.asked ||= fetch('/began'), false)", "--timeout", "170000"},
			"timeoutMs": 175000,
		}})
		done <- err
	}()
	<-began
	cancel()
	require.Error(t, <-done)
	canceled := time.Now()
	c.do("eval", "1 + 1")
	require.Less(t, time.Since(canceled), 100*time.Second, "the wait went on")
}

func TestConnectionsAreIsolated(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{})
	a, b := connect(t, s, nil), connect(t, s, nil)
	url := site.Show("<title>Page</title>")
	a.do("open", url)
	a.do("eval", `document.cookie = "user=a"; window.mine = "a"`)
	b.do("open", url)
	require.NotContains(t, b.do("eval", "document.cookie"), "user=a")
	a.do("--session", "shop", "open", url)
	require.NotContains(t, b.do("session", "list"), "shop", "a session that one has named is not the other's")
	b.do("close", "--all")
	require.Contains(t, a.do("eval", "String(window.mine)"), "a")
	require.EqualValues(t, 2, tools.live.Load())
	require.NoError(t, a.session.Close())
	require.Eventually(t, func() bool {
		return tools.live.Load() == 1
	}, callLimit, 5*time.Millisecond, "the tool ends with the connection")
	b.do("open", url)
}

func TestManyClientsAtOnce(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	for i := range 6 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			c, name := connect(t, s, nil), fmt.Sprintf("client %d", i)
			c.do("open", site.Show("<title>"+name+`</title><button onclick="document.title += '!'">Go</button>`))
			c.do("click", "button")
			require.Contains(t, c.do("get", "title"), name+"!")
		})
	}
}

// A client that is gone in the middle of a call takes the call with it.
func TestHangingUpEndsCalls(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{})
	near, far := pipes()
	served := make(chan error, 1)
	go func() { served <- s.ServeStdio(context.Background(), far.in, far.out) }()
	c := join(t, &sdk.IOTransport{Reader: near.in, Writer: near.out}, nil)
	c.do("open", site.Show("<h1>x</h1>"))
	go func() {
		_, _ = c.session.CallTool(context.Background(), &sdk.CallToolParams{
			Name:      "agent_browser",
			Arguments: map[string]any{"args": []string{"wait", "--fn", "false", "--timeout", "170000"}, "timeoutMs": 175000},
		})
	}()
	require.NoError(t, near.out.Close())
	go func() {
		var b [1024]byte // what the server still says is let go
		for {
			if _, err := near.in.Read(b[:]); err != nil {
				return
			}
		}
	}()
	select {
	case <-served: //nolint:errcheck // that it ended is what counts
	case <-time.After(100 * time.Second):
		t.Fatal("the server still serves a client that is gone")
	}
	require.Zero(t, tools.live.Load())
	_ = near.in.Close()
}

func TestGuidance(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	require.Contains(t, c.session.InitializeResult().Instructions, "agent_browser")
	prompts, err := c.session.ListPrompts(ctx, nil)
	require.NoError(t, err)
	require.Len(t, prompts.Prompts, 3)
	filled, err := c.session.GetPrompt(ctx,
		&sdk.GetPromptParams{Name: "browse", Arguments: map[string]string{"goal": "buy a lamp"}})
	require.NoError(t, err)
	require.Contains(t, filled.Messages[0].Content.(*sdk.TextContent).Text, "buy a lamp")
	_, err = c.session.GetPrompt(ctx, &sdk.GetPromptParams{Name: "browse"})
	require.ErrorContains(t, err, "goal")
	resources, err := c.session.ListResources(ctx, nil)
	require.NoError(t, err)
	for _, r := range resources.Resources {
		text, err := c.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: r.URI})
		require.NoError(t, err)
		require.NotEmpty(t, text.Contents[0].Text)
		require.EqualValues(t, r.Size, len(text.Contents[0].Text))
	}
	_, err = c.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: "skua://guide/nothing"})
	require.Error(t, err)
}

func TestFurtherTools(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{Further: []mcp.ExtraTool{{
		Name: "agent_browser_web_search", Title: "Search", Schema: json.RawMessage(`{"type":"object"}`), ReadOnly: true,
		Call: func(_ context.Context, arguments json.RawMessage) (string, any, error) {
			if string(arguments) == "{}" {
				return "", nil, fmt.Errorf("query is missing")
			}
			return "found " + string(arguments), map[string]any{"count": 1}, nil
		},
	}}})
	c := connect(t, s, nil)
	t.Run("1.1 the companion is listed beside it", func(t *testing.T) {
		require.Len(t, listed(t, c), 2)
		r := c.call("agent_browser_web_search", map[string]any{"query": "x"})
		require.Equal(t, `found {"query":"x"}`, textOf(r))
		require.EqualValues(t, 1, details(t, r)["count"])
	})
	t.Run("1.4 its failure is one", func(t *testing.T) {
		r := c.call("agent_browser_web_search", nil)
		require.True(t, r.IsError)
		require.Equal(t, "query is missing", textOf(r))
	})
}
