package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/testdata/electron/real"
)

// The tests in this file run apps of a real Electron; see scripts/electron.

// realLaunch launches an app with arguments of its own.
func (u *user) realLaunch(t testing.TB, name string, args ...string) appReply {
	t.Helper()
	app := real.Install(t, name)
	line := append([]string{"launch", "--timeout", "60000", "--", app.Executable}, args...)
	return u.electron(t, line...)
}

// activeTab returns the line of the active tab.
func (u *user) activeTab(t testing.TB) string {
	t.Helper()
	for line := range strings.Lines(u.call(t, "tab", "list").Out) {
		if rest, ok := strings.CutPrefix(line, "→ "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// A splash closes while the app starts, and a hidden helper came first. The session works in the window that a person
// sees.
func requireMainWindow(t *testing.T, u *user, reply appReply) {
	t.Helper()
	require.Contains(t, u.activeTab(t), "Held Windows - file://")
	require.NotZero(t, reply.Data.Handoff.RefCount)
	u.works(t, "find", "label", "Name", "fill", "Ada")
	u.works(t, "find", "role", "button", "click", "--name", "Greet")
	require.Equal(t, "Hello Ada", u.works(t, "get", "text", "output"))

	byTitle := map[string]*electron.WindowFacts{}
	for _, target := range u.electronWorks(t, "status").Statuses[0].Targets {
		byTitle[target.Title] = target.Window
	}
	require.True(t, byTitle["Held Helper"].Hidden)
	require.False(t, byTitle["Held Windows"].Hidden)
	require.Contains(t, u.works(t, "electron", "status"), "Held Helper - file://")
	require.Regexp(t, `Held Helper - \S+ \(hidden\)\n`, u.works(t, "electron", "status")+"\n")
	require.Regexp(t, `Held Helper - \S+ \(hidden\)\n`, u.works(t, "tab", "list")+"\n")
	u.works(t, "find", "role", "button", "click", "--name", "Open modal")
	require.Eventually(t, func() bool {
		return strings.Contains(u.works(t, "tab", "list")+"\n", "modal.html (modal)\n")
	}, appLimit, 50*time.Millisecond)
	require.Contains(t, u.activeTab(t), "main.html", "a shown window has no mark")
	require.NotContains(t, u.activeTab(t), "(")
}

// Who names a window gets that one, also a hidden one and a webview. Without such a window the launch says so.
func TestElectronLaunchInANamedWindow(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, app, target, active, note string }{
		{name: "a title", app: "windows", target: "held helper", active: "Held Helper - "},
		{name: "an address", app: "custom", target: "hidden.html", active: "Held Hidden - "},
		{
			name: "none", app: "custom", target: "Settings", active: "Held Custom - ",
			note: `has no window with "Settings" in its title or address`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			app := real.Install(t, tc.app)
			got := u.call(t, "electron", "launch", app.Executable, "--target", tc.target, "--timeout", "60000")
			require.Zero(t, got.Code, got.Err)
			require.Contains(t, u.activeTab(t), tc.active)
			require.Contains(t, got.Err, tc.note)
		})
	}
}

// An app that restarts itself, as for an update, goes on in another process with the same profile. The session goes on
// in its new window.
func TestElectronRestartsItself(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	reply := u.realLaunch(t, "windows")
	require.True(t, reply.Success, reply.Error)
	before := reply.Data.Launch
	u.works(t, "storage", "local", "set", "draft", "Milk")
	for range 2 {
		got := u.call(t, "find", "role", "button", "click", "--name", "Relaunch")
		require.Zero(t, got.Code, got.Err)
		require.NotContains(t, got.Err, "has ended")
		next := u.call(t, "snapshot", "-i")
		require.Zero(t, next.Code, next.Err)
		require.Contains(t, next.Out, `page "Held Windows" file://`)
		require.Contains(t, next.Err, "Held Windows has restarted itself; the session works in its new windows")
		now := u.electronWorks(t, "status").Launches[0]
		require.Equal(t, before.LaunchID, now.LaunchID)
		require.NotEqual(t, before.PID, now.PID)
		before = now
		u.works(t, "find", "label", "Name", "fill", "Ada")
		u.works(t, "find", "role", "button", "click", "--name", "Greet")
		require.Equal(t, "Hello Ada", u.works(t, "get", "text", "output"))
		require.Regexp(t, `Held Windows - `, u.works(t, "electron", "windows"))
	}
	require.Contains(t, u.works(t, "electron", "cleanup"), "is fully cleaned")
	// A process that ends has no command line any more, and is there for a moment.
	require.Eventually(t, func() bool { return !procgroup.Alive(before.PID) }, appLimit, 10*time.Millisecond)
}

// An app that begins in the tray is launched, and its first window becomes the session's tab.
func TestElectronLaunchWithoutAWindow(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	app := real.Install(t, "tray")
	got := u.call(t, "electron", "launch", app.Executable, "--timeout", "20000")
	require.Zero(t, got.Code, got.Err)
	require.Contains(t, got.Out, "Tabs: 0")
	require.Contains(t, got.Err, "has no window yet")
	launch := u.electronWorks(t, "status").Launches[0]
	require.NoError(t, syscall.Kill(launch.PID, syscall.SIGUSR2))
	require.Eventually(t, func() bool {
		return strings.Contains(u.activeTab(t), "Held Tray - file://")
	}, appLimit, 100*time.Millisecond)
	require.Contains(t, u.works(t, "snapshot", "-i"), `button "Sync now"`)
}

// What an app printed, and how it ended, are in the reply that first tells of its end.
func TestElectronAppEnds(t *testing.T) {
	t.Parallel()
	t.Run("before its window", func(t *testing.T) {
		t.Parallel()
		reply := newUser(t).realLaunch(t, "faults", "--fault=early")
		require.False(t, reply.Success)
		require.Equal(t, "app-launch", reply.Code)
		require.Contains(t, reply.Error, "(exit status 9). It said: fatal: the license is missing")
	})
	t.Run("by a click", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		require.True(t, u.realLaunch(t, "faults").Success)
		got := u.call(t, "find", "role", "button", "click", "--name", "Quit")
		require.Zero(t, got.Code, "the click was done: %s", got.Err)
		require.Contains(t, got.Err, "Held Faults has ended: exit status 9. It said: fatal: giving up")
		require.NotContains(t, got.Err, "empty tab")
		require.Contains(t, u.works(t, "electron", "status"), "(ended, exit status 9)")
		require.NotContains(t, u.call(t, "close").Err, "still runs")
	})
}

// The menu bar, the windows and the main process itself, which no page shows.
func TestElectronMain(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.True(t, u.realLaunch(t, "notes").Success)
	require.Equal(t, strings.Join([]string{
		"File > New (CommandOrControl+N)", "File > Save As… (CommandOrControl+Shift+S)", "File > Publish (disabled)",
		"File > Quit (CommandOrControl+Q)", "View > Wrap lines (checked)",
	}, "\n"), u.works(t, "electron", "menu"))
	for _, tc := range []struct{ item, status string }{
		{"File > New", "menu: new"}, {"file>save as", "menu: save as"}, {"View > Wrap lines", "wrap: false"},
	} {
		u.works(t, "electron", "menu", "click", tc.item)
		u.works(t, "wait", "--text", tc.status)
	}
	for _, tc := range []struct{ item, want string }{
		{"File > Publish", "the item is disabled"},
		{"File > Print", `has no "Print" there. There are: New, Save As…, Publish, Quit.`},
		{"File", "is a submenu"},
	} {
		got := u.call(t, "electron", "menu", "click", tc.item)
		require.Equal(t, 1, got.Code, tc.item)
		require.Contains(t, got.Err, tc.want)
	}
	require.Regexp(t, `^1 \[t1\] Held Notes - file://\S+ 800x600 at \S+`, u.works(t, "electron", "windows"))
	require.Equal(t, `"2.1.0"`, u.works(t, "electron", "main", "require('electron').app.getVersion()"))
	rules := filepath.Join(u.cwd, "rules.json")
	require.NoError(t, os.WriteFile(rules, []byte(`{"default":"allow","deny":["eval"]}`), 0o600))
	refused := u.call(t, "--action-policy", rules, "electron", "main", "1")
	require.Equal(t, 1, refused.Code, "%v", refused)
	closed := u.call(t, "electron", "window", "close", "1")
	require.Equal(t, "✓ Window 1 is closed\n", closed.Out)
	require.Contains(t, closed.Err, "Held Notes has ended: exit status 0\n")
}

// The keys of a menu item choose it where the page leaves them alone, as they do on a keyboard. The page sees each key
// once.
func TestElectronPressChoosesMenuItem(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.True(t, u.realLaunch(t, "notes").Success)
	u.works(t, "eval", `globalThis.keys = [];
		addEventListener('keydown', (e) => { keys.push(e.key); if (e.key === 'S' && keys.taken) e.preventDefault() })`)
	for _, tc := range []struct{ key, item, status string }{
		{"Control+n", "File > New", "menu: new"}, {"Control+Shift+s", "File > Save As…", "menu: save as"},
	} {
		got := u.call(t, "press", tc.key)
		require.Zero(t, got.Code, got.Err)
		require.Contains(t, got.Err, tc.key+" chose "+tc.item+" of the app's menu bar")
		u.works(t, "wait", "--text", tc.status)
	}
	require.Equal(t, `"Control n Control Shift S"`, u.works(t, "eval", "keys.join(' ')"))

	u.works(t, "electron", "menu", "click", "File > New")
	u.works(t, "wait", "--text", "menu: new")
	u.works(t, "eval", "keys.taken = true")
	got := u.call(t, "press", "Control+Shift+S")
	require.Zero(t, got.Code, got.Err)
	require.Contains(t, got.Err, "Control+Shift+S went to the page only, and did not choose File > Save As… of the app's")
	require.Contains(t, u.works(t, "get", "text", "body"), "menu: new")

	// keys that no item has, and those of editing, go to the page as in a browser
	u.works(t, "fill", "textarea", "milk")
	require.Empty(t, u.call(t, "press", "Control+a", "textarea").Err)
	require.Zero(t, u.call(t, "press", "Delete").Code)
	require.Empty(t, u.works(t, "get", "value", "textarea"))
}

// An app whose main process does not come back is told from one that has ended, and why. One that loops is the app of a
// recipe of docs/electron.md.
func TestElectronMainDoesNotAnswer(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.True(t, u.realLaunch(t, "faults").Success)
	u.requireUnanswered(t, u.call(t, "find", "role", "button", "click", "--name", "Sync box", "--timeout", "2000"),
		"Its main process waits in native code: most likely a native dialog is open.")
}

// requireUnanswered checks what is said of an app whose main process does not answer, after the click that made it so,
// and that the app is ended.
func (u *user) requireUnanswered(t *testing.T, clicked result, want string) {
	t.Helper()
	if clicked.Code != 0 {
		require.Contains(t, clicked.Err,
			"`electron status` says whether the app's main process is busy, or waits in a native dialog.")
	}
	status := u.works(t, "electron", "status")
	require.Contains(t, status, want)
	require.NotContains(t, status, "closed")
	require.NotContains(t, u.call(t, "electron", "probe").Err, "cleanup")
	u.works(t, "electron", "cleanup")
}

// Two sessions have an app each, which starts in its main window. The app of another session is ended only by its name,
// and one that ended with its host leaves a session without a browser: the app's pages are nothing without the app.
func TestElectronAppsOfSessions(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	reply := u.realLaunch(t, "windows")
	require.True(t, reply.Success, reply.Error)
	requireMainWindow(t, u, reply)

	id := reply.Data.Launch.LaunchID
	refused := u.call(t, "--session", "other", "electron", "cleanup")
	require.Equal(t, 1, refused.Code)
	require.Contains(t, refused.Err, "session other has launched no app")
	require.Contains(t, refused.Err, "`electron cleanup "+id+"` ends it")
	second := u.electronWorks(t, "launch", "--session", "other", "--timeout", "60000",
		reply.Data.Launch.ExecutablePath).Launch
	require.Contains(t, u.works(t, "electron", "status"), id+" active")
	require.Contains(t, u.works(t, "electron", "cleanup"), id+") is fully cleaned")
	require.Contains(t, u.works(t, "--session", "other", "electron", "status"), " active: Held Windows")

	u.killHost(t)
	for _, command := range [][]string{{"snapshot", "-i"}, {"get", "title"}} {
		got := u.call(t, append([]string{"--session", "other"}, command...)...)
		require.Equal(t, 1, got.Code)
		require.Contains(t, got.Err, "Held Windows, the app of session other, has ended (launch "+second.LaunchID+")")
	}
	require.Eventually(t, func() bool {
		return !u.electronWorks(t, "status", second.LaunchID).Statuses[0].PIDAlive
	}, appLimit, 100*time.Millisecond, "the app ends with its host")
	u.works(t, "--session", "other", "close")
	require.Equal(t, "about:blank", u.works(t, "--session", "other", "get", "url"), "the session is free")
}

// Where nothing was launched there is nothing to do.
func TestElectronNothingLaunched(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, command := range []string{"status", "cleanup"} {
		require.Equal(t, "No apps are launched", u.works(t, "electron", command, "--all"))
	}
}
