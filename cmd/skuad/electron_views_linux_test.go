package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/testdata/electron/real"
)

// awaitTab waits for a tab in the list, and returns its line without the mark.
func (u *user) awaitTab(t *testing.T, text string) (line string) {
	t.Helper()
	require.Eventually(t, func() bool {
		for line = range strings.Lines(u.works(t, "tab", "list")) {
			if line = strings.TrimSpace(strings.TrimPrefix(line, "→")); strings.Contains(line, text) {
				return true
			}
		}
		return false
	}, appLimit, 50*time.Millisecond, text)
	return line
}

// A view is a part of a window. It is a tab that names its window, one without a size is hidden, and neither is where
// the session begins, whenever it comes.
func TestElectronViews(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		t.Run(map[bool]string{false: "from the start", true: "later"}[late], func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			var args []string
			if late {
				args = append(args, "--late")
			}
			reply := u.realLaunch(t, "views", args...)
			require.True(t, reply.Success, reply.Error)
			if late {
				u.works(t, "find", "role", "button", "click", "--name", "Add views")
			}
			side, waiting := u.awaitTab(t, "Held Side - "), u.awaitTab(t, "Held Waiting - ")
			own, _, _ := strings.Cut(u.awaitTab(t, "Held Views - "), " ")
			own = strings.Trim(own, "[]")
			require.Contains(t, u.activeTab(t), "Held Views - ")
			require.True(t, strings.HasSuffix(side, "side.html (view in "+own+")"), side)
			require.True(t, strings.HasSuffix(waiting, "waiting.html (view in "+own+", hidden)"), waiting)
			status := u.works(t, "electron", "status")
			require.Contains(t, status, "side.html (view)")
			require.Contains(t, status, "waiting.html (view, hidden)")

			tab, _, _ := strings.Cut(strings.TrimPrefix(side, "["), "]")
			u.works(t, "--tab", tab, "fill", "input", "milk")
			u.works(t, "--tab", tab, "find", "role", "button", "click", "--name", "Filter")
			require.Equal(t, "Filtered by milk", u.works(t, "--tab", tab, "get", "text", "output"))
			u.works(t, "--tab", tab, "screenshot", filepath.Join(u.cwd, "side.png"))

			tab, _, _ = strings.Cut(strings.TrimPrefix(waiting, "["), "]")
			require.Contains(t, u.works(t, "--tab", tab, "snapshot", "-i"), `button "Ready"`)
			if got := u.call(t, "--tab", tab, "screenshot"); got.Code != 0 { // Chromium gives such a view a size at times
				require.Contains(t, got.Err, "the page is not painted: its program does not show it, or gives it no size")
			}

			u.works(t, "fill", "input", "app")
			u.works(t, "find", "role", "button", "click", "--name", "Go")
			require.Equal(t, "Went to app", u.works(t, "get", "text", "output"))
			u.works(t, "find", "role", "button", "click", "--name", "Remove views")
			require.Eventually(t, func() bool {
				return !strings.Contains(u.works(t, "tab", "list"), "(view")
			}, appLimit, 50*time.Millisecond)
			require.Contains(t, u.activeTab(t), "Held Views - ")
		})
	}
}

// An app that runs once takes a second start over, and a launch has a profile of its own, so that it starts whatever
// else of the app runs.
func TestElectronSingleInstance(t *testing.T) {
	t.Parallel()
	startedByHand(t, "single")
	u := newUser(t)
	app := real.Install(t, "single")
	reply := u.electron(t, "launch", "--timeout", "60000", "--", app.Executable, "--document=first.txt")
	require.True(t, reply.Success, reply.Error)
	u.works(t, "wait", "--text", "opened: first.txt")

	env := u.works(t, "electron", "main", "process.env.DISPLAY || ''")
	second := exec.Command(app.Executable, "--no-sandbox", "--user-data-dir="+reply.Data.Launch.UserDataDir,
		"--document=second.txt")
	second.Env = append(second.Environ(), "DISPLAY="+strings.Trim(env, `"`))
	said, err := second.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Contains(t, string(said), "already running")
	u.works(t, "wait", "--text", "handed over: second.txt")
	require.Contains(t, u.works(t, "electron", "status"), " active: Held Single")

	other := u.call(t, "--session", "other", "electron", "launch", app.Executable)
	require.Zero(t, other.Code, other.Err)
	require.Contains(t, u.works(t, "--session", "other", "get", "text", "[role=status]"), "opened: none")
	u.works(t, "electron", "cleanup", "--all")
}
