package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
)

// foreignBrowser starts a browser as a user would, with a debugging port, and returns the port and the processes.
func foreignBrowser(t *testing.T, u *user, args ...string) (port string, all []process) {
	t.Helper()
	path, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	profile := t.TempDir()
	cmd := exec.Command(path, append([]string{"--headless", "--no-sandbox", "--remote-debugging-port=0", "--user-data-dir=" + profile}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Debian's is a script in front of the browser
	words, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_, _ = io.Copy(io.Discard, words) // ends with the last of its processes, which write to its profile until then
		_ = cmd.Wait()
	})
	require.Eventually(t, func() bool {
		file, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		var ok bool
		port, _, ok = strings.Cut(string(file), "\n")
		return ok
	}, leaveLimit, 10*time.Millisecond)
	return port, tree(cmd.Process.Pid)
}

// A browser that somebody else started is worked in, and left running with what it shows.
func TestConnect(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	theirs, mine := u.page(t, "theirs.html", "<title>Theirs</title><button>Go</button>"), u.page(t, "mine.html", "<title>Mine</title>")
	port, browser := foreignBrowser(t, u, theirs)
	u.works(t, "open", mine)
	got := u.call(t, "connect", port)
	require.Equal(t, result{Out: "✓ Done\n", Err: "⚠ the session's former browser was left; lost: " + mine + "\n"}, got)
	require.Empty(t, browsers(u.host(t)), "the one that nobody uses has ended")
	require.Equal(t, "→ [t2] Theirs - "+theirs, u.works(t, "tab", "list"))
	require.Equal(t, `- button "Go" [ref=e1]`, u.works(t, "snapshot", "-i"))
	u.works(t, "click", "@e1")
	u.works(t, "tab", "new", mine)
	require.Equal(t, "✓ Browser closed", u.works(t, "close"))
	require.Len(t, alive(browser[:1]), 1)

	require.Equal(t, "Mine", u.works(t, "--session", "other", "--cdp", port, "get", "title"), "the newest tab")
	require.Contains(t, u.works(t, "--session", "other", "tab", "list"), "Theirs - "+theirs)
	u.works(t, "close", "--all")
	require.Len(t, alive(browser[:1]), 1)

	// It ends like one of ours: what was lost is said, and `connect` is what the next command lacks.
	u.works(t, "connect", port)
	for _, p := range browser {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
	requireGone(t, browser, leaveLimit)
	require.Eventually(t, func() bool { return u.call(t, "session", "list").Out == "No active sessions\n" }, leaveLimit, 10*time.Millisecond)
	got = u.call(t, "get", "url")
	require.Zero(t, got.Code, got)
	require.Contains(t, got.Err, "⚠ the browser of session default ended unexpectedly; lost: ")
	require.Contains(t, got.Err, mine)
}
