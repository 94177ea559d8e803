//go:build unix

package backend

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// With the real agent-browser, where SKUA_UPSTREAM says where it is.
func TestTheRealProgram(t *testing.T) {
	t.Parallel()
	upstream := os.Getenv("SKUA_UPSTREAM")
	if upstream == "" {
		t.Skip("SKUA_UPSTREAM does not say where the real agent-browser is")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>One</title><button id=b onclick="document.title = 'Two'">Go</button>`))
	}))
	t.Cleanup(site.Close)
	b := NewSubprocess(SubprocessOptions{Path: upstream, SocketDir: shortDir(t)})
	dir := t.TempDir()
	run := func(stdin string, args ...string) Answer {
		t.Helper()
		env := map[string]string{
			"PATH": os.Getenv("PATH"), "HOME": dir, "AGENT_BROWSER_ARGS": "--an-unknown-switch",
			"AGENT_BROWSER_DEFAULT_TIMEOUT": "5000",
		}
		return b.Run(context.Background(),
			Invocation{Args: args, Stdin: []byte(stdin), Cwd: dir, Env: env, Timeout: 2 * time.Minute})
	}
	t.Cleanup(func() { require.True(t, run("", "--json", "close", "--all").Success) })

	a := run("", "--json", "open", site.URL)
	require.True(t, a.Success, a.Error)
	require.Equal(t, "One", a.Data.(map[string]any)["title"])
	require.NotContains(t, a.Data, "lifecycle")
	require.True(t, a.Lifecycle.EffectiveLaunch.BrowserLaunched)

	a = run(`[["click","#b"],["get","title"],["click","#nope"]]`, "--json", "batch")
	require.False(t, a.Success)
	require.Empty(t, a.Error, "rows say it")
	require.Len(t, a.Rows, 3)
	require.Equal(t, map[string]any{"title": "Two"}, a.Rows[1].Result)
	require.Contains(t, a.Rows[2].Error, "Element not found")

	a = run("", "--json", "get", "text", "#nope")
	require.Equal(t, 1, a.ExitCode)
	require.Contains(t, a.Error, "Element not found")

	a = run("", "--version")
	require.Equal(t, "agent-browser "+UpstreamVersion, a.Text)

	a = run("", "--json", "bogus")
	require.Contains(t, a.Error, "Unknown command: bogus")
}
