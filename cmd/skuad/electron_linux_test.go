package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	electronapp "github.com/skua-browser/skua/testdata/electron"
)

// appLimit is how long an app on a slow machine may take for a step.
const appLimit = time.Minute

// app makes a sample app that is installed for the user.
func (u *user) app(t *testing.T) electronapp.App {
	t.Helper()
	app, err := electronapp.Generate(t.Context(), electronapp.Options{
		Dir: filepath.Join(u.base, "app"), Name: "sample",
		DesktopFile: filepath.Join(u.cwd, ".local", "share", "applications"),
	})
	require.NoError(t, err)
	t.Cleanup(app.Kill)
	return app
}

// appData is what the tests read of the data of `electron`.
type appData struct {
	Status       string
	Apps         []electron.App
	Launch       electron.Record
	Launches     []electron.Record
	Targets      []electron.Target
	Statuses     []electron.Status
	Probe        electron.Probe
	ProbeContext struct{ SessionName, LaunchID string }
	Handoff      struct {
		Handoff  string
		Tabs     []electron.ProbeTab
		RefCount int
	}
	SessionMismatch *struct{ Summary string }
	Cleanup         struct {
		Partial bool
		Results []electron.Cleanup
	}
}

// appReply is the answer to a call with --json.
type appReply struct {
	Success bool
	Data    appData
	Error   string
	Code    string
	Facts   map[string]any
}

func (u *user) electron(t testing.TB, args ...string) appReply {
	t.Helper()
	got := u.call(t, append([]string{"--json", "electron"}, args...)...)
	var reply appReply
	require.NoError(t, json.Unmarshal([]byte(got.Out), &reply), "%v", got)
	return reply
}

func (u *user) electronWorks(t testing.TB, args ...string) appData {
	t.Helper()
	reply := u.electron(t, args...)
	require.True(t, reply.Success, "%q: %s", args, reply.Error)
	return reply.Data
}

// launch starts the app, whose window is ready then.
func (u *user) launch(t testing.TB, app electronapp.App, args ...string) electron.Record {
	t.Helper()
	return u.electronWorks(t,
		append([]string{"launch", app.Executable, "--timeout", strconv.FormatInt(appLimit.Milliseconds(), 10)},
			args...)...).Launch
}

// requireNothing waits until no process and no profile of a launch is left.
func requireNothing(t testing.TB, app electronapp.App, r electron.Record) {
	t.Helper()
	require.NotEmpty(t, r.UserDataDir)
	require.Eventually(t, func() bool {
		return len(app.Processes()) == 0 && len(mentioning(r.UserDataDir)) == 0
	}, appLimit, 20*time.Millisecond, "%v", mentioning(r.UserDataDir))
	require.Eventually(t, func() bool {
		_, err := os.Stat(r.UserDataDir)
		return os.IsNotExist(err)
	}, appLimit, 20*time.Millisecond, r.UserDataDir)
}

// tabOf waits for a tab with these words in its line, and returns its id.
func (u *user) tabOf(t testing.TB, words string) string {
	t.Helper()
	id := ""
	require.Eventually(t, func() bool {
		for line := range strings.Lines(u.call(t, "tab", "list").Out) {
			if strings.Contains(line, words) {
				_, rest, _ := strings.Cut(line, "[")
				id, _, _ = strings.Cut(rest, "]")
				return true
			}
		}
		return false
	}, appLimit, 100*time.Millisecond, words)
	return id
}

// The whole life of an app through the command line.
func TestElectronLife(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	app := u.app(t)
	all := u.electronWorks(t, "list", "sample")
	require.Len(t, all.Apps, 1, "13.2 what is installed is listed")
	require.Equal(t, app.Executable, all.Apps[0].ExecutablePath)

	began := u.electronWorks(t, "launch", "sample", "--timeout", "60000")
	r := began.Launch
	require.Equal(t, "snapshot", began.Handoff.Handoff, "13.4 the handoff is a snapshot")
	require.NotZero(t, began.Handoff.RefCount)
	require.Regexp(t, `^electron-[0-9a-f-]{36}$`, r.LaunchID, "13.8 the record")
	require.Equal(t, "default", r.SessionName)
	require.Equal(t, electron.Active, r.CleanupState)
	require.DirExists(t, r.UserDataDir)

	// What is done in a window is seen in the window.
	require.Contains(t, u.works(t, "snapshot", "-i"), `textbox "Note"`)
	u.works(t, "find", "label", "Note", "fill", "Milk")
	u.works(t, "find", "role", "button", "click", "--name", "Save note")
	require.Equal(t, `"Saved Milk"`, u.works(t, "eval", "document.title"))

	// The second window, by a ref.
	main, second := u.tabOf(t, "Saved Milk"), u.tabOf(t, "Sample settings")
	u.works(t, "tab", "switch", second)
	u.works(t, "find", "label", "Name", "fill", "Ada")
	u.works(t, "click", "@"+refOf(t, u.works(t, "snapshot", "-i"), `"Apply"`))
	require.Equal(t, `"Ada light small"`, u.works(t, "eval", "applied.textContent"))

	// The webview in the first one, by a ref.
	guest := u.tabOf(t, "(webview in "+main+")")
	u.works(t, "tab", "switch", main)
	require.Contains(t, u.works(t, "snapshot", "-i"), "the page embeds the webview "+guest+", ")
	u.tabOf(t, "Sample guest")
	// What is typed for the webview goes there, also when a field of its window was clicked last; and the other way round.
	u.works(t, "click", "#note")
	kept := u.works(t, "get", "value", "#note")
	u.works(t, "fill", "--tab", guest, "input", "Bob")
	u.works(t, "press", "--tab", guest, "y")
	require.Equal(t, "Boby", u.works(t, "get", "value", "--tab", guest, "input"))
	require.Equal(t, kept, u.works(t, "get", "value", "#note"))
	u.works(t, "fill", "#note", "Eggs")
	require.Equal(t, "Eggs", u.works(t, "get", "value", "#note"))
	u.works(t, "click", "--tab", guest, "@"+refOf(t, u.works(t, "snapshot", "-i", "--tab", guest), `"Greet"`))
	require.Equal(t, `"Hello Boby"`, u.works(t, "eval", "--tab", guest, "greeting.textContent"))
	var listed struct {
		Data struct{ Tabs []electron.ProbeTab }
	}
	require.NoError(t, json.Unmarshal([]byte(u.works(t, "--json", "tab", "list")), &listed))
	kinds := map[string]string{}
	for _, tab := range listed.Data.Tabs {
		kinds[tab.TabID] = tab.Type + " in " + tab.Parent
	}
	require.Equal(t, map[string]string{main: "page in ", second: "page in ", guest: "webview in " + main}, kinds)

	u.works(t, "focus", "#note")
	probe := u.electronWorks(t, "probe")
	require.Equal(t, "succeeded", probe.Status, "13.13 a probe")
	require.Equal(t, "Saved Milk", probe.Probe.Title)
	require.Equal(t, "note", probe.Probe.FocusedElement.ID)
	require.Len(t, probe.Probe.Tabs, 3)
	require.LessOrEqual(t, len(probe.Probe.Snapshot.RefIDs), electron.MaxProbeRefs)
	require.LessOrEqual(t, strings.Count(probe.Probe.Snapshot.Text, "\n")+1, electron.MaxProbeLines)
	elsewhere := u.electronWorks(t, "probe", r.LaunchID, "--session", "other")
	require.Equal(t, "default", elsewhere.ProbeContext.SessionName, "13.13 a probe by launch looks at its session")
	require.Equal(t, "Saved Milk", elsewhere.Probe.Title)

	status := u.works(t, "electron", "status")
	require.Contains(t, status, r.LaunchID+" active: sample, process "+strconv.Itoa(r.PID))
	require.Regexp(t, `(?m)^  page Saved Milk - .*\n    webview `, status, "webviews stand below their window")

	// Closing the session leaves the app alone; another attaches to it again.
	closed := u.call(t, "close")
	require.Contains(t, closed.Err, "sample still runs; `electron cleanup "+r.LaunchID+"` ends it")
	require.NotEmpty(t, app.Processes(), "13.16 the app goes on")
	require.Contains(t, u.electronWorks(t, "status").SessionMismatch.Summary, "connect "+strconv.Itoa(r.Port),
		"13.14 a session that left")
	u.works(t, "connect", strconv.Itoa(r.Port))
	require.Nil(t, u.electronWorks(t, "status").SessionMismatch, "13.14 a session that came back")

	require.Equal(t, "✓ sample ("+r.LaunchID+") is fully cleaned", u.works(t, "electron", "cleanup"), "13.12 the end")
	requireNothing(t, app, r)
	require.Equal(t, "No active sessions", u.works(t, "session", "list"), "13.12 its session is closed")
	require.Equal(t, "about:blank", u.works(t, "get", "url"), "the session is free")
}

// refOf returns the ref of the line of a snapshot with these words.
func refOf(t testing.TB, snapshot, words string) string {
	t.Helper()
	for line := range strings.Lines(snapshot) {
		if _, rest, ok := strings.Cut(line, words+" @"); ok {
			return strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' })[0]
		}
	}
	require.Fail(t, "no "+words, snapshot)
	return ""
}

// However a host ends, its apps end too; the next host reports their state.
func TestElectronHostEnds(t *testing.T) {
	t.Parallel()
	tests := map[string]syscall.Signal{"13.16 in order": syscall.SIGTERM, "13.12 killed": syscall.SIGKILL}
	for name, signal := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			app := u.app(t)
			r := u.launch(t, app, "--app-arg", "--test-no-webview")
			host := tree(u.host(t))
			require.NoError(t, syscall.Kill(u.host(t), signal))
			requireGone(t, host)
			after := u.electron(t, "status", r.LaunchID)
			if after.Success { // its record was kept
				require.NotEqual(t, string(electron.Active), after.Data.Statuses[0].State)
				require.False(t, after.Data.Statuses[0].PIDAlive)
			} else {
				require.Equal(t, "launch-not-found", after.Code)
			}
			requireNothing(t, app, r)
		})
	}
}

// A session whose app dies says so until it gets something else. A browser in its place would show other pages.
func TestElectronAppDies(t *testing.T) {
	t.Parallel()
	tests := map[string]string{"13.14 crashed": "Crash app", "13.14 quit": "Quit app"}
	for name, button := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			app := u.app(t)
			r := u.launch(t, app, "--app-arg", "--test-no-webview")
			clicked := u.call(t, "find", "role", "button", "click", "--name", button)
			require.Eventually(t, func() bool {
				return !u.electronWorks(t, "status", r.LaunchID).Statuses[0].PIDAlive
			}, appLimit, 50*time.Millisecond, "%v", clicked)
			for _, command := range [][]string{
				{"snapshot", "-i"},
				{"open", "about:blank"},
				{"tab", "new"},
				{"electron", "probe"},
			} {
				got := u.call(t, append([]string{"--json"}, command...)...)
				require.Equal(t, 1, got.Code, "%q: %v", command, got)
				require.Contains(t, got.Out, `"code":"browser-gone"`, "%q", command)
				require.Contains(t, got.Out, r.LaunchID, "%q", command)
			}
			require.Empty(t, renderers(u.host(t)), "nothing was started in its place")
			require.Equal(t, string(electron.Dead), u.electronWorks(t, "status", r.LaunchID).Statuses[0].State)
			u.works(t, "electron", "cleanup", r.LaunchID)
			requireNothing(t, app, r)
			u.call(t, "close")
			require.Equal(t, "about:blank", u.works(t, "get", "url"))
		})
	}
}

// An app that does not do as it should gets a clear message, and nothing of it is left.
func TestElectronMisbehaves(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	app := u.app(t)
	tests := map[string]struct {
		args []string
		code string
		says string
		deep bool // it is launched in package electron, too
	}{
		"13.10 no port file": {
			[]string{"--timeout", "3000", "--app-arg", "--test-no-port-file"},
			"timeout",
			"DevToolsActivePort", false,
		},
		"13.10 an empty port file": {
			[]string{"--timeout", "3000", "--app-arg", "--test-port-file=empty"},
			"timeout",
			"DevToolsActivePort", true,
		},
		"13.10 an invalid port file": {
			[]string{"--timeout", "3000", "--app-arg", "--test-port-file=invalid"},
			"timeout", "DevToolsActivePort", true,
		},
		"13.10 a port that no process has": {
			[]string{"--timeout", "3000", "--app-arg", "--test-port-file=dead"},
			"timeout",
			"sample", true,
		},
		"13.10 too slow": {
			[]string{"--timeout", "500", "--app-arg", "--test-slow-start=60s"},
			"timeout",
			"500ms", true,
		},
		"13.10 it ends at once": {[]string{"--app-arg", "--test-exit=3"}, "app-launch", "3", false},
		"13.3 a switch that is the tool's": {
			[]string{"--app-arg", "--remote-debugging-port=1"},
			"usage",
			"electron.appArgs must not include wrapper-owned launch flag", false,
		},
		"13.5 denied":      {[]string{"--deny", "SAMPLE"}, "app-blocked", "deny", false},
		"13.5 not allowed": {[]string{"--allow", "others"}, "app-blocked", "allow", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.deep && testing.Short() {
				t.Skip("deep tier: package electron tests the same faults")
			}
			reply := u.electron(t, append([]string{"launch", app.Executable}, tt.args...)...)
			require.False(t, reply.Success)
			require.Equal(t, tt.code, reply.Code, reply.Error)
			require.Contains(t, reply.Error, tt.says)
			require.Eventually(t, func() bool { return len(app.Processes()) == 0 }, appLimit, 20*time.Millisecond)
			require.Equal(t, "No active sessions", u.works(t, "session", "list"), "13.10 the session has no browser")
		})
	}
	t.Run("13.6 not an Electron app", func(t *testing.T) {
		reply := u.electron(t, "launch", "/bin/sh")
		require.Equal(t, "app-unsuitable", reply.Code, reply.Error)
	})
	t.Run("13.11 an unknown launch", func(t *testing.T) {
		reply := u.electron(t, "status", "electron-none")
		require.Equal(t, "launch-not-found", reply.Code)
		require.Contains(t, reply.Error, "No wrapper-tracked Electron launch found for launchId")
	})
}

// Of several apps each is meant by its id, and one that refuses to end is ended all the same.
func TestElectronSeveral(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	app := u.app(t)
	one := u.launch(t, app, "--app-arg", "--test-no-webview")
	two := u.launch(t, app, "--session", "two", "--handoff", "connect", "--app-arg", "--test-refuse-exit", "--app-arg",
		"--test-no-webview")
	reply := u.electron(t, "cleanup", "--session", "three")
	require.Equal(t, "launch-not-found", reply.Code, "13.11 which one is not guessed")
	require.Len(t, u.electronWorks(t, "status", "--all").Statuses, 2, "13.11 all")
	u.electronWorks(t, "cleanup", two.LaunchID, "--timeout", "30000")
	require.Empty(t, mentioning(two.UserDataDir), "13.12 killed when it does not end")
	require.NotEmpty(t, mentioning(one.UserDataDir), "13.12 the other one goes on")
	require.Contains(t, u.works(t, "get", "title"), "Sample")
	u.electronWorks(t, "cleanup", "--all", "--timeout", "30000")
	requireNothing(t, app, one)
	requireNothing(t, app, two)
}

// Without a host nothing could own an app for longer than a command line.
func TestElectronWithoutHost(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	app := u.app(t)
	out, err := u.alone("", "electron", "launch", app.Executable).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "needs a host that keeps the app")
	require.Empty(t, app.Processes())
	out, err = u.alone("", "batch", "electron launch --timeout 60000 "+app.Executable, "get title").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "✓ Launched sample")
	require.Contains(t, string(out), "\nSample\n", "a batch works in it")
	require.Eventually(t, func() bool {
		return len(app.Processes()) == 0
	}, appLimit, 20*time.Millisecond, "and takes it along")
}
