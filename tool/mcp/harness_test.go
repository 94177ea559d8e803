package mcp_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/testsite"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/mcp"
)

// The tests talk to a server as clients do, through the SDK's client, and look in the page, at the server or on the
// disk for what their calls did.

// site serves the pages of the tests.
var site *testsite.Site

func TestMain(m *testing.M) {
	site = testsite.New()
	code := m.Run()
	site.Close()
	if browsersBegan.Load() {
		browsers().Close(context.Background())
	}
	os.Exit(code)
}

// callLimit bounds each call of a test, so that a hang names its call.
const callLimit = 3 * time.Minute

var browsersBegan atomic.Bool

// browsers are what the tests share.
var browsers = sync.OnceValue(func() *launch.Browsers {
	browsersBegan.Store(true)
	b, err := launch.NewBrowsers(launch.BrowsersOptions{})
	if err != nil {
		panic(err)
	}
	return b
})

// opened counts the tools that a server has opened and that are not closed again.
type opened struct {
	in   *launch.Browsers // nil: those that the tests share
	live atomic.Int64
	cwd  string
}

// open is an Opener, and an OpenTask.
func (o *opened) open(string) (*tool.Tool, func(context.Context), error) {
	in := o.in
	if in == nil {
		in = browsers()
	}
	m, err := session.New(session.Options{Registry: catalog.Registry(), Browsers: in})
	if err != nil {
		return nil, nil, err
	}
	b := backend.OnManager(m)
	t, err := tool.Open(tool.Options{
		Backend: b, SessionID: rand.Text(), Cwd: o.cwd,
		Env: map[string]string{"HOME": o.cwd},
	})
	if err != nil {
		return nil, nil, err
	}
	o.live.Add(1)
	return t, func(ctx context.Context) {
		_ = t.Close(ctx)
		_ = b.Close(ctx)
		m.Close(ctx)
		o.live.Add(-1)
	}, nil
}

// newServer makes a server that ends with the test.
func newServer(t *testing.T, o mcp.Options) (*mcp.Server, *opened) {
	t.Helper()
	tools := &opened{cwd: t.TempDir()}
	if o.Open == nil {
		o.Open = tools.open
	}
	s, err := mcp.New(o)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s, tools
}

// client is a connected client.
type client struct {
	t       *testing.T
	session *sdk.ClientSession
}

// connect connects a client over pipes, as over standard input and output.
func connect(t *testing.T, s *mcp.Server, options *sdk.ClientOptions) *client {
	t.Helper()
	return connectBy(t, s, options, nil)
}

func connectBy(t *testing.T, s *mcp.Server, options *sdk.ClientOptions, with *sdk.ClientSessionOptions) *client {
	t.Helper()
	near, far := pipes()
	served := make(chan error, 1)
	go func() { served <- s.ServeStdio(context.Background(), far.in, far.out) }()
	c := joinBy(t, &sdk.IOTransport{Reader: near.in, Writer: near.out}, options, with)
	t.Cleanup(func() {
		_ = c.session.Close()
		<-served //nolint:errcheck // that it ended is what counts
	})
	return c
}

func join(t *testing.T, transport sdk.Transport, options *sdk.ClientOptions) *client {
	t.Helper()
	return joinBy(t, transport, options, nil)
}

// joinBy is join with options of the session, such as an older protocol.
func joinBy(t *testing.T, transport sdk.Transport, options *sdk.ClientOptions, with *sdk.ClientSessionOptions) *client {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	cs, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options).Connect(ctx, transport, with)
	require.NoError(t, err)
	return &client{t: t, session: cs}
}

// call calls a tool.
func (c *client) call(name string, arguments any) *sdk.CallToolResult {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	r, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(c.t, err)
	return r
}

// try runs a command line.
func (c *client) try(args ...string) *sdk.CallToolResult {
	c.t.Helper()
	return c.call("agent_browser", map[string]any{"args": args})
}

// do runs a command line that has to succeed, and returns its text.
func (c *client) do(args ...string) string {
	c.t.Helper()
	r := c.try(args...)
	require.False(c.t, r.IsError, "%v: %s", args, textOf(r))
	return textOf(r)
}

func textOf(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, item := range r.Content {
		if text, ok := item.(*sdk.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

// details is the structured content of a result.
func details(t testing.TB, r *sdk.CallToolResult) map[string]any {
	t.Helper()
	text, err := json.Marshal(r.StructuredContent)
	require.NoError(t, err)
	var d map[string]any
	require.NoError(t, json.Unmarshal(text, &d))
	return d
}
