package tool_test

import (
	"context"
	"maps"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/sessiontest"
	"github.com/skua-browser/skua/internal/testsite"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// The tests of this package run whole calls on the native backend, in one browser that they share. Each test has a tool
// of its own, and so sessions of its own. The names of subtests begin with the number of the contract's rule that they
// are about.

// site serves the pages of the tests.
var site *testsite.Site

func TestMain(m *testing.M) {
	site = testsite.New()
	code := m.Run()
	site.Close()
	if hostBegan.Load() {
		host().Close(context.Background())
	}
	os.Exit(code)
}

var hostBegan atomic.Bool

// host holds the browser that the tests share, and a session that keeps it running.
var host = sync.OnceValue(func() *session.Manager {
	hostBegan.Store(true)
	m, err := session.New(session.Options{Registry: catalog.Registry(), Grace: sessiontest.AnswerPatience})
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	if r := m.Do(ctx, session.Request{Args: []string{"--session", "launcher", "open"}}); r.Err != nil {
		panic(r.Err)
	}
	return m
})

// callLimit bounds each call of a test, so that a hang names its call.
const callLimit = 3 * time.Minute

// caller is an agent with a tool and a folder of its own.
type caller struct {
	t    testing.TB
	tool *tool.Tool
	dir  string
}

func newCaller(t testing.TB) *caller {
	t.Helper()
	return newCallerWith(t, tool.Options{SessionID: t.Name()})
}

// newCallerWith makes a caller whose tool has these options, and for the rest those of newCaller.
func newCallerWith(t testing.TB, o tool.Options) *caller {
	t.Helper()
	if o.Cwd == "" {
		o.Cwd = t.TempDir()
	}
	if o.Backend == nil {
		o.Backend = backend.OnManager(host())
		t.Cleanup(func() { require.NoError(t, o.Backend.Close(context.Background())) })
	}
	env := map[string]string{"HOME": o.Cwd}
	maps.Copy(env, o.Env)
	o.Env = env
	opened, err := tool.Open(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
	return &caller{t: t, tool: opened, dir: o.Cwd}
}

// showing makes a caller whose session shows a page with this content.
func showing(t testing.TB, html string) *caller {
	t.Helper()
	c := newCaller(t)
	c.do("open", site.Show(html))
	return c
}

// call runs a call.
func (c *caller) call(p contract.Params) *contract.Result {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	return c.tool.Call(ctx, tool.Request{Params: p})
}

// try runs a command line.
func (c *caller) try(args ...string) *contract.Result {
	c.t.Helper()
	return c.call(contract.Params{Args: args})
}

// do runs a command line that has to succeed.
func (c *caller) do(args ...string) *contract.Result {
	c.t.Helper()
	r := c.try(args...)
	require.False(c.t, r.IsError, "%v: %s", args, textOf(r))
	return r
}

// textOf is all the text that the model sees.
func textOf(r *contract.Result) string {
	var b strings.Builder
	for _, item := range r.Content {
		b.WriteString(item.Text)
	}
	return b.String()
}

// pollEvery is how often a test looks at what it waits for.
const pollEvery = 20 * time.Millisecond
