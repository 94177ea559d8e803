package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
)

// foreignBrowser starts a browser that shows a page and listens at a port, as a user would for us. It has a pipe as
// well, so that it ends with this process however that ends.
func foreignBrowser(t *testing.T, url string) (owner *engine.Browser, port string) {
	t.Helper()
	profile := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), callLimit)
	defer cancel()
	owner, err := engine.Launch(ctx,
		chrome.Options{Headless: true, UserDataDir: profile, Args: []string{"--remote-debugging-port=0"}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	page, err := owner.DefaultContext(engine.ContextOptions{}).NewPage(ctx)
	require.NoError(t, err)
	_, err = page.Navigate(ctx, url, engine.WaitLoad)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		file, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		var ok bool
		port, _, ok = strings.Cut(string(file), "\n")
		return ok
	}, leaveLimit, 10*time.Millisecond)
	return owner, port
}

// A browser that another program started is used, and left running with its tabs.
func TestConnect(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	theirs, mine := u.page(t, "theirs.html", "<title>Theirs</title><button>Go</button>"), u.page(t, "mine.html",
		"<title>Mine</title>")
	owner, port := foreignBrowser(t, theirs)
	u.works(t, "open", mine)
	got := u.call(t, "connect", port)
	require.Equal(t, result{Out: "✓ Done\n", Err: "⚠ left the session's previous browser; lost: " + mine + "\n"}, got)
	require.Empty(t, browsers(u.host(t)), "the unused one has ended")
	require.Equal(t, "→ [t2] Theirs - "+theirs, u.works(t, "tab", "list"))
	require.Equal(t, `- button "Go" @e1`, u.works(t, "snapshot", "-i", "--no-header"))
	u.works(t, "click", "@e1")
	u.works(t, "tab", "new", mine)
	require.Equal(t, "✓ Detached; the browser keeps running", u.works(t, "close"))
	require.NoError(t, owner.Err())

	require.Equal(t, "Mine", u.works(t, "--session", "other", "--cdp", port, "get", "title"), "the newest tab")
	require.Contains(t, u.works(t, "--session", "other", "tab", "list"), "Theirs - "+theirs)
	u.works(t, "close", "--all")
	require.NoError(t, owner.Err())

	// When it ends no other one takes its place, until the session is closed.
	u.works(t, "connect", port)
	require.NoError(t, syscall.Kill(owner.PID(), syscall.SIGKILL))
	require.Eventually(t, func() bool {
		return u.call(t, "session", "list").Out == "No active sessions\n"
	}, leaveLimit, 10*time.Millisecond)
	got = u.call(t, "get", "url")
	require.Equal(t, 1, got.Code, got)
	require.Contains(t, got.Err, "was lost and cannot be restored")
	require.Contains(t, got.Err, "127.0.0.1:"+port)
	require.Empty(t, browsers(u.host(t)))
	u.works(t, "close")
	u.works(t, "open", mine)
	require.Len(t, browsers(u.host(t)), 1)
}
