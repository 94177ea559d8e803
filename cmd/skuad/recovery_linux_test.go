package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/wire/hostdir"
)

// page writes a page into the user's working directory and returns its address.
func (u *user) page(t testing.TB, name, html string) string {
	t.Helper()
	path := filepath.Join(u.cwd, name)
	require.NoError(t, os.WriteFile(path, []byte("<!doctype html>"+html), 0o600))
	return "file://" + path
}

// awaitTurn waits until a command is the running one of the session, as commands queued behind it are told.
func (u *user) awaitTurn(t testing.TB, command string) {
	t.Helper()
	for range 200 {
		if got := u.call(t, "get", "url", "--timeout", "50"); strings.Contains(got.Err, "timed out behind `"+command+"`") {
			return
		}
	}
	t.Fatalf("the session never worked on %s", command)
}

// requireGone waits until processes are gone.
func requireGone(t testing.TB, all []process) {
	t.Helper()
	require.NotEmpty(t, all)
	require.Eventually(t, func() bool {
		return len(alive(all)) == 0
	}, leaveLimit, 10*time.Millisecond, "left: %v", alive(all))
}

// profiles returns the temporary profiles of browsers that the user has.
func (u *user) profiles(t testing.TB) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(u.tmp, "*", "profiles", "*"))
	require.NoError(t, err)
	return found
}

func TestKilledHost(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "open", page)
	u.works(t, "--session", "other", "--args", "--force-device-scale-factor=2", "open", page)
	host := u.host(t)
	require.Len(t, browsers(host), 2)
	all := tree(host)
	require.NoError(t, syscall.Kill(host, syscall.SIGKILL))
	requireGone(t, all)

	// The next browser removes the profiles that could not be removed.
	left := u.profiles(t)
	got := u.call(t, "open", page)
	require.Zero(t, got.Code, got)
	require.Equal(t, "⚠ the host of this session was restarted and its browser is gone; lost: "+page+
		". Refs of earlier snapshots are gone, too.\n", got.Err)
	for _, path := range left {
		require.Eventually(t, func() bool {
			_, err := os.Stat(path)
			return os.IsNotExist(err)
		}, leaveLimit, 10*time.Millisecond, path)
	}
}

func TestTerminatedHost(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "open", page)
	waiting := u.start(t, "wait", "--text", "never")
	u.awaitTurn(t, "wait")
	host := u.host(t)
	all := tree(host)
	require.NoError(t, syscall.Kill(host, syscall.SIGTERM))
	requireGone(t, all)
	require.Empty(t, u.profiles(t))
	require.NoFileExists(t, filepath.Join(u.run, hostdir.Socket))
	got := waiting.result()
	require.Equal(t, 1, got.Code, got)
	require.NotEmpty(t, got.Err)
	require.Contains(t, got.Err, "✗ The command was interrupted, because the host is ending (")
}

// Whatever hangs, the end of a host takes five seconds at most, and nothing of it is left: pages that are busy for
// ever, a browser that is stopped, a download that goes on, a recording, commands that wait.
func TestTerminatedHostThatHangs(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title><a id=dl href='"+endlessSite(t)+"' download>File</a>")
	u.works(t, "open", page)
	u.works(t, "eval", "setTimeout(() => { for (;;); }, 0); 0")
	u.works(t, "--session", "stopped", "--args", "--force-device-scale-factor=2", "open", page)
	u.works(t, "--session", "video", "open", page)
	u.works(t, "--session", "video", "record", "start", "video.webm")
	u.works(t, "--session", "load", "open", page)
	loading := u.start(t, "--session", "load", "download", "#dl", "file.bin")
	waiting := u.start(t, "snapshot")
	u.awaitTurn(t, "snapshot")
	host := u.host(t)
	all := tree(host)
	for _, p := range all {
		if strings.Contains(p.command, "--force-device-scale-factor=2") && !strings.Contains(p.command, "--type=") {
			require.NoError(t, syscall.Kill(p.pid, syscall.SIGSTOP))
		}
	}
	require.NoError(t, syscall.Kill(host, syscall.SIGTERM))
	requireGone(t, all)
	require.Empty(t, u.profiles(t))
	require.NoFileExists(t, filepath.Join(u.run, hostdir.Socket))
	require.Equal(t, 1, waiting.result().Code)
	require.Equal(t, 1, loading.result().Code)
	left, err := filepath.Glob(filepath.Join(u.cwd, ".skua-*"))
	require.NoError(t, err)
	require.Empty(t, left, "the part of a file")
}

// endlessSite returns the address of a file that never ends.
func endlessSite(t testing.TB) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=file.bin")
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<10)); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL + "/file.bin"
}

// A page whose main thread is blocked holds up its own session's page commands, and nothing else.
func TestBusyPage(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "open", page)
	u.works(t, "--session", "other", "open", page)
	u.works(t, "eval", "setTimeout(() => { for (;;); }, 0); 0")
	title := u.start(t, "--timeout", "600000", "get", "title")
	u.awaitTurn(t, "get title")

	// Whatever waited for the page would run into its own limit.
	require.Equal(t, "→ [t1] Page - "+page, u.works(t, "tab", "list"))
	require.Contains(t, u.works(t, "session", "list"), "default")
	require.Contains(t, u.works(t, "dialog", "status"), "No dialog")
	require.Equal(t, "Page", u.works(t, "--session", "other", "get", "title"), "another tab of the same browser")
	u.works(t, "tab", "new")
	require.Contains(t, u.works(t, "tab", "list"), "→ [t2]")
	require.Contains(t, u.works(t, "tab", "t1"), "Page")
	require.Equal(t, "✓ Browser closed", u.works(t, "close"))
	require.Equal(t, result{Err: "✗ the session was closed meanwhile\n", Code: 1}, title.result())
	require.Equal(t, "Page", u.works(t, "--session", "other", "get", "title"))
}

// A command that runs when its browser dies ends at once and says so; the next one works.
func TestKilledBrowser(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "open", page)
	waiting := u.start(t, "wait", "--text", "never")
	u.awaitTurn(t, "wait")
	main := browsers(u.host(t))
	require.Len(t, main, 1)
	all := tree(main[0].pid)
	require.NoError(t, syscall.Kill(main[0].pid, syscall.SIGKILL))
	got := waiting.result()
	require.Equal(t, 1, got.Code)
	require.Contains(t, got.Err, "✗ the connection to the browser ended")
	requireGone(t, all)

	got = u.call(t, "open", page)
	require.Equal(t, result{
		Out: "✓ Page\n  " + page + "\n",
		Err: "⚠ the browser of session default ended unexpectedly; lost: " + page +
			". This is a new browser, and refs of earlier snapshots are gone\n",
	}, got)
	require.Equal(t, "Page", u.works(t, "get", "title"))
}

// After a renderer crash, pending and new commands of the tab fail at once; opening an address restores the tab, and
// any other command reloads it.
func TestCrashedPage(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title><button>Go</button>")
	for _, tc := range []struct {
		name, how string
		crash     func(t *testing.T)
	}{
		{"killed renderer", "killed, exit code 9", func(t *testing.T) {
			for _, p := range renderers(u.host(t)) {
				require.NoError(t, syscall.Kill(p.pid, syscall.SIGKILL))
			}
		}},
		{"stopped by the kernel for memory", "crashed, exit code 11", func(t *testing.T) {
			for _, p := range renderers(u.host(t)) {
				require.NoError(t, syscall.Kill(p.pid, syscall.SIGSEGV))
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u.works(t, "open", page)
			u.works(t, "snapshot", "-i")
			waiting := u.start(t, "wait", "--text", "never")
			u.awaitTurn(t, "wait")
			tc.crash(t)
			require.Equal(t, result{
				Err:  "✗ the page crashed (" + tc.how + "). Use `reload`, or `open <url>`.\n",
				Code: 1,
			}, waiting.result())
			require.Contains(t, u.works(t, "tab", "list"), "the page crashed")
			require.Equal(t, "✓ Page\n  "+page, u.works(t, "open", page))
			require.Equal(t, "Page", u.works(t, "get", "title"))

			tc.crash(t)
			require.Eventually(t, func() bool {
				return strings.Contains(u.works(t, "tab", "list"), "the page crashed")
			}, leaveLimit, 10*time.Millisecond)
			require.Equal(t, result{Out: "Page\n", Err: "⚠ the page of tab t1 (" + page +
				") had crashed and was loaded again; refs of earlier snapshots and text typed into its forms are gone\n"},
				u.call(t, "get", "title"))
			require.Equal(t, "Page", u.works(t, "get", "title"))
		})
	}
}

// However many clients start at once, they end with one host.
func TestManyFirstClients(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	var calls []*started
	for range 6 {
		calls = append(calls, u.start(t, "session", "list"))
	}
	for _, c := range calls {
		require.Equal(t, result{Out: "No active sessions\n"}, c.result())
	}
	host := u.host(t)
	require.Eventually(t, func() bool {
		left := mentioning(u.run)
		return len(left) == 1 && left[0].pid == host
	}, leaveLimit, 10*time.Millisecond, "the others went")
}

func TestDeadSocketFile(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(u.run, hostdir.Socket), Net: "unix"})
	require.NoError(t, err)
	dead.SetUnlinkOnClose(false)
	require.NoError(t, dead.Close())
	require.Equal(t, "default", u.works(t, "session"))
}

// A client that is killed in the middle of a command leaves the session free.
func TestKilledClient(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.works(t, "open", u.page(t, "page.html", "<title>Page</title>"))
	for _, args := range [][]string{
		{"wait", "--text", "never"},
		{"wait", "20000"},
		{"eval", "new Promise(() => {})"},
		{"batch", "wait 20000", "wait 20000"},
	} {
		waiting := u.start(t, args...)
		u.awaitTurn(t, args[0])
		require.NoError(t, waiting.cmd.Process.Kill())
		waiting.result()
		require.Equal(t, "Page", u.works(t, "get", "title"), "after %q", args)
	}
}

// An unused host ends with its browsers, and the next command has what was open again. A command that runs keeps it.
func TestIdleHost(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.env = []string{"SKUA_IDLE_TIMEOUT_MS=2500"} // more than passes between two of these commands on a busy machine
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "open", page)
	host := u.host(t)
	all := tree(host)
	u.works(t, "wait", "4000")
	require.Equal(t, host, u.host(t))
	requireGone(t, all)
	require.Empty(t, u.profiles(t))
	got := u.call(t, "get", "url")
	require.Equal(t, result{
		Out: page + "\n",
		Err: "⚠ the host of this session was restarted and its browser is gone; restored: t1 (" + page +
			"). Refs of earlier snapshots and text typed into forms are gone\n",
	}, got)
}

// The command that finds no session open says how long the host stays; the flag of a later one is not dropped silently.
func TestIdleTimeoutFlag(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "--idle-timeout", "2500ms", "open", page)
	requireGone(t, tree(u.host(t)))

	require.Zero(t, u.call(t, "open", page).Code)
	const ignored = "⚠ --idle-timeout 500ms is ignored: the host keeps its idle timeout of 1h as long as " +
		"sessions are open\n"
	require.Equal(t, result{Out: "Page\n", Err: ignored}, u.call(t, "get", "title", "--idle-timeout", "500ms"))
	u.works(t, "get", "title", "--idle-timeout", "1h")
	host := tree(u.host(t))
	u.works(t, "close")
	u.works(t, "session", "--idle-timeout", "2500ms")
	requireGone(t, host)

	got := u.call(t, "session", "--idle-timeout", "soon")
	require.Equal(t, 1, got.Code)
	require.Contains(t, got.Err, "--idle-timeout expects")
	u.env = []string{"SKUA_IDLE_TIMEOUT_MS=soon"}
	got = u.call(t, "--namespace", "fresh", "session")
	require.Equal(t, 1, got.Code)
	require.Contains(t, got.Err, "SKUA_IDLE_TIMEOUT_MS expects")
	u.env = nil
}
