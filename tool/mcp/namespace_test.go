package mcp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// A namespace is one of the task's: it has sessions of its own, in the browser that all tasks share.
func TestNamespacesOfTasks(t *testing.T) {
	t.Parallel()
	s, tasks, _ := keeping(t, time.Hour)
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	page := site.Show("<title>Page</title>")
	a, b := dial(t, url, "a"), dial(t, url, "b")
	a.do("open", page)
	a.do("eval", `document.cookie = "user=ann"`)
	a.do("--namespace", "work", "--session", "shop", "open", page)
	require.Contains(t, a.do("--namespace", "work", "--session", "shop", "eval", "document.cookie"), "user=ann")
	require.NotContains(t, b.do("--namespace", "work", "session", "list"), "shop")
	require.Equal(t, []string{"a", "b"}, tasks.Names())
}
