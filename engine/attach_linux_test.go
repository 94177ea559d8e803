package engine_test

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

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/fault"
)

// foreign starts a browser as a user would, with a debugging port, and returns its profile.
func foreign(t *testing.T, args ...string) (profile string) {
	t.Helper()
	path, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	profile = t.TempDir()
	cmd := exec.Command(path, append([]string{
		"--headless", "--no-sandbox", "--remote-debugging-port=0", "--user-data-dir=" + profile, "--disable-gpu",
	}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Debian's is a script in front of the browser
	words, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_, _ = io.Copy(io.Discard, words) // ends with the last of its processes, which write to its profile until then
		_ = cmd.Wait()
	})
	return profile
}

// A browser that somebody else started is used with what it shows, and is left running.
func TestAttach(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>Theirs</title><h1>Theirs</h1>", "/mine": "<title>Mine</title>"})
	profile := foreign(t, s.URL+"/")
	var first string // the port
	require.Eventually(t, func() bool {
		file, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		var ok bool
		first, _, ok = strings.Cut(string(file), "\n")
		return ok
	}, limit, 10*time.Millisecond)
	url, err := engine.Discover(timed(t, limit), first)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(url, "ws://127.0.0.1:"+first+"/devtools/browser/"), url)

	attach := func() (*engine.Browser, []*engine.Page) {
		b, err := engine.Attach(timed(t, limit), url, nil, nil)
		require.NoError(t, err)
		require.False(t, b.Owned())
		require.Zero(t, b.PID())
		pages, err := b.DefaultContext(engine.ContextOptions{}).AttachAll(timed(t, limit))
		require.NoError(t, err)
		return b, pages
	}
	b, pages := attach()
	version, err := b.Version(timed(t, limit))
	require.NoError(t, err)
	require.Contains(t, version, "Chrom")
	require.Len(t, pages, 1)
	require.NoError(t, pages[0].AwaitLoad(timed(t, limit), engine.WaitLoad))
	require.Equal(t, s.URL+"/", pages[0].URL())
	require.Equal(t, "Theirs", textIn(t, pages[0].Main(), "h1"))
	eval(t, pages[0], `window.mark = "kept"`)
	mine := pageIn(t, b.DefaultContext(engine.ContextOptions{}))
	open(t, mine, s.URL+"/mine")
	require.NoError(t, b.Close(timed(t, limit)))
	require.Equal(t, fault.BrowserGone, fault.CodeOf(mine.Err()))

	b, pages = attach()
	require.Len(t, pages, 2)
	require.Equal(t, `"kept"`, eval(t, pages[0], "window.mark"), "the oldest comes first")
	require.Equal(t, `"Mine"`, eval(t, pages[1], "document.title"))
	require.NoError(t, b.DefaultContext(engine.ContextOptions{}).Close(timed(t, limit)))
	require.NoError(t, b.Close(timed(t, limit)))
	b, pages = attach()
	require.Len(t, pages, 2)
	require.NoError(t, b.Close(timed(t, limit)))
}
