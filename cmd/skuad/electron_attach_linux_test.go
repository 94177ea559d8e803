package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/testdata/electron/real"
)

// startedByHand starts an app as its user does, without a launch, and returns its process. The inspector that it opens
// when it is asked to has any free port, so that other tests on the machine do not take it.
func startedByHand(t *testing.T, name string, args ...string) int {
	t.Helper()
	app := real.Install(t, name)
	cmd := exec.Command(app.Executable,
		append([]string{"--no-sandbox", "--inspect-port=0", "--user-data-dir=" + t.TempDir()}, args...)...)
	cmd.Env = os.Environ()
	if chrome.NeedsDisplay(os.Getenv) {
		screen, err := chrome.StartDisplay(context.Background(), os.Getenv, 0, 0)
		require.NoError(t, err)
		t.Cleanup(screen.Close)
		cmd.Env = append(cmd.Env, screen.Env()...)
	}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd.Process.Pid
}

// awaitRunning waits until a running app is listed and takes an inspector.
func (u *user) awaitRunning(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		out := u.works(t, "electron", "list", "--running")
		_, line, found := strings.Cut("\n"+out, "\n"+strconv.Itoa(pid)+" ")
		line, _, _ = strings.Cut(line, "\n")
		return found && !strings.Contains(line, "takes no inspector")
	}, appLimit, 50*time.Millisecond)
}

// An app that its user has started, and is signed in to, is worked in without a restart and without a debugging port.
// It is never ended.
func TestElectronAttach(t *testing.T) {
	t.Parallel()
	pid := startedByHand(t, "notes")
	u := newUser(t)
	u.awaitRunning(t, pid)
	require.Eventually(t, func() bool {
		got := u.call(t, "electron", "attach", strconv.Itoa(pid))
		require.Zero(t, got.Code, got.Err)
		require.Contains(t, got.Out, "✓ Attached to Held Notes: running-"+strconv.Itoa(pid))
		return !strings.Contains(got.Err, "as tabs: it has no window yet")
	}, appLimit, 100*time.Millisecond)
	const text = "require('electron').webContents.getAllWebContents()[0].executeJavaScript('document.body.innerText')"
	require.Eventually(t, func() bool {
		return strings.Contains(u.works(t, "electron", "main", text), "Ask at once")
	}, appLimit, 50*time.Millisecond)
	u.works(t, "electron", "menu", "click", "File > New")
	require.Eventually(t, func() bool {
		return strings.Contains(u.works(t, "electron", "main", text), "menu: new")
	}, appLimit, 50*time.Millisecond)
	require.Regexp(t, `^1 \[t1\] Held Notes - file://`, u.works(t, "electron", "windows"))
	executable, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	require.NoError(t, err)
	require.Zero(t, u.call(t, "electron", "attach", executable).Code, "an inspector that is open already is used")
	status := u.works(t, "electron", "status")
	require.Contains(t, status, " active: Held Notes, process "+strconv.Itoa(pid)+", no debugging port, session default\n")
	require.Contains(t, status, "page Held Notes - file://")
	require.Equal(t, 1, u.call(t, "--session", "other", "electron", "windows").Code,
		"it is the app of the session that attached")
	for _, command := range [][]string{
		{"electron", "cleanup"},
		{"electron", "cleanup", "running-" + strconv.Itoa(pid)},
		{"electron", "cleanup", "--all"},
		{"close"},
	} {
		u.call(t, command...)
	}
	require.NoError(t, syscall.Kill(pid, 0))
	require.Contains(t, u.works(t, "electron", "list", "--running"), strconv.Itoa(pid)+" Held Notes")
}

// An app that was just started is waited for: its main process takes no signal yet, and has no window.
func TestElectronAttachAtItsStart(t *testing.T) {
	t.Parallel()
	pid := startedByHand(t, "notes")
	u := newUser(t)
	require.Eventually(t, func() bool {
		got := u.call(t, "electron", "attach", strconv.Itoa(pid))
		require.NotContains(t, got.Err, "takes no inspector")
		return got.Code == 0
	}, appLimit, 5*time.Millisecond, "until the process is known to be an app's")
	require.Contains(t, u.activeTab(t), "Held Notes - file://")
}

// The pages of an app that was started without a debugging port are tabs, with all that works in tabs.
func TestElectronAttachToPages(t *testing.T) {
	t.Parallel()
	pid := startedByHand(t, "windows")
	u := newUser(t)
	u.awaitRunning(t, pid)
	attach := []string{"electron", "attach", strconv.Itoa(pid)}
	require.Eventually(t, func() bool {
		got := u.call(t, attach...)
		return got.Code == 0 && strings.Contains(u.activeTab(t), "Held Windows - file://")
	}, appLimit, 200*time.Millisecond, "after the splash")
	greet := func(name string) {
		t.Helper()
		u.works(t, "find", "label", "Name", "fill", name)
		u.works(t, "find", "role", "button", "click", "--name", "Greet")
		require.Equal(t, "Hello "+name, u.works(t, "get", "text", "output"))
	}
	greet("Ada")
	require.Contains(t, u.works(t, "snapshot", "-i"), `"Greet"`)
	require.Equal(t, `"Held Windows"`, u.works(t, "eval", "document.title"))
	u.works(t, "screenshot", filepath.Join(u.cwd, "main.png"))
	require.Regexp(t, `Held Helper - \S+ \(hidden\)\n`, u.works(t, "tab", "list")+"\n")

	// Another document comes from another process.
	address := u.works(t, "get", "url")
	u.works(t, "open", "data:text/html,<h1>Elsewhere")
	require.Equal(t, "Elsewhere", u.works(t, "get", "text", "h1"))
	u.works(t, "back")
	require.Equal(t, address, u.works(t, "get", "url"))
	greet("Bo")

	// A window that comes later, and one that goes.
	u.works(t, "find", "role", "button", "click", "--name", "Open second")
	second, _, _ := strings.Cut(strings.TrimPrefix(u.awaitTab(t, "Held Second - "), "["), "]")
	require.Contains(t, u.works(t, "--tab", second, "snapshot"), "Second")

	// A host that is killed leaves the app, and the next one comes to the same pages.
	u.killHost(t)
	u.works(t, "close")
	require.Eventually(t, func() bool {
		return u.call(t, attach...).Code == 0 && strings.Contains(u.works(t, "tab", "list"), "Held Windows - file://")
	}, appLimit, 200*time.Millisecond)
	u.works(t, "close")
	require.NoError(t, syscall.Kill(pid, 0))
}

// The window whose page carries the connection is closed, and the session goes on in the others. The app ends at once
// when it is asked to.
func TestElectronAttachedAppClosesWindows(t *testing.T) {
	t.Parallel()
	pid := startedByHand(t, "windows")
	u := newUser(t)
	u.awaitRunning(t, pid)
	require.Eventually(t, func() bool {
		return u.call(t, "electron", "attach", strconv.Itoa(pid)).Code == 0 &&
			strings.Contains(u.activeTab(t), "Held Windows - file://")
	}, appLimit, 200*time.Millisecond, "after the splash")
	u.works(t, "find", "role", "button", "click", "--name", "Open second")
	second, _, _ := strings.Cut(strings.TrimPrefix(u.awaitTab(t, "Held Second - "), "["), "]")
	u.call(t, "electron", "main",
		"require('electron').BrowserWindow.getAllWindows().find((w) => w.getTitle() === 'Held Windows').destroy()")
	require.Eventually(t, func() bool { // a command that was under way when the window closed fails
		got := u.call(t, "--tab", second, "snapshot")
		return got.Code == 0 && strings.Contains(got.Out, "Second")
	}, appLimit, 50*time.Millisecond)
	require.NotContains(t, u.works(t, "tab", "list"), "Held Windows")
	u.call(t, "electron", "main", "require('electron').app.quit()")
	require.Eventually(t, func() bool { return !procgroup.Alive(pid) }, appLimit, 20*time.Millisecond)
	got := u.call(t, "snapshot")
	require.Equal(t, 1, got.Code)
	require.Contains(t, got.Err, "Held Windows, the app of session default, has ended")
}

// An app with a debugging port has its windows as tabs, too.
func TestElectronAttachWithPort(t *testing.T) {
	t.Parallel()
	pid := startedByHand(t, "notes", "--remote-debugging-port=0")
	u := newUser(t)
	u.awaitRunning(t, pid)
	require.Eventually(t, func() bool {
		got := u.call(t, "electron", "attach", strconv.Itoa(pid))
		return got.Code == 0 && strings.Contains(u.activeTab(t), "Held Notes - file://")
	}, appLimit, 200*time.Millisecond)
	u.works(t, "fill", "textarea, input", "Milk")
	require.Regexp(t, `^1 \[t\d+\] Held Notes`, u.works(t, "electron", "windows"))
	u.works(t, "electron", "menu", "click", "File > New")
	u.works(t, "wait", "--text", "menu: new")
	u.works(t, "close")
	require.NoError(t, syscall.Kill(pid, 0))
}

// A process that is not an app is refused.
func TestElectronAttachToNothing(t *testing.T) {
	t.Parallel()
	got := newUser(t).call(t, "electron", "attach", "1")
	require.Equal(t, 1, got.Code)
	require.Contains(t, got.Err, "lectron app")
}
