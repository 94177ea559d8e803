package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A browser that cannot start processes any more is left for another one, by a session that comes, too.
func TestBrowserWithoutZygotes(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "open", page)
	killed := 0
	for _, p := range tree(u.host(t)) {
		if strings.Contains(p.command, "--type=zygote") {
			require.NoError(t, syscall.Kill(p.pid, syscall.SIGKILL))
			killed++
		}
	}
	require.NotZero(t, killed)
	got := u.call(t, "--session", "new", "--timeout", "12000", "open", page)
	require.Zero(t, got.Code, got)
	require.Equal(t, "Page", u.works(t, "--session", "new", "get", "title"))
}
