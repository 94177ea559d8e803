package electron_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testprogram"
	electronapp "github.com/skua-browser/skua/testdata/electron"
)

// patience bounds what is waited for in tests; it is there for machines that are slow, and passes only when something
// is wrong.
const patience = 2 * time.Minute

// sample makes an app whose processes are its test's alone. What outlives the test is ended, and fails it.
func sample(t *testing.T) electronapp.App {
	t.Helper()
	app, err := electronapp.Generate(t.Context(),
		electronapp.Options{Dir: filepath.Join(t.TempDir(), "Sample"), Name: "sample", ProductName: "Sample Notes"})
	require.NoError(t, err)
	t.Cleanup(func() {
		left := app.Processes()
		app.Kill()
		require.Empty(t, left, "processes of the app outlived the test")
	})
	return app
}

// scripted makes an app whose executable is a shell script. What it knows of its launch is in $dir.
func scripted(t *testing.T, script string) electronapp.App {
	t.Helper()
	app := sample(t)
	script = "#!/bin/sh\nfor arg; do case $arg in --user-data-dir=*) dir=${arg#*=} ;; esac; done\n" + script + "\n"
	testprogram.Write(t, app.Executable, script)
	return app
}

// debugPort is a server that answers as the debugging port of an app does, and the line by which a script tells it.
func debugPort(t *testing.T, targets []electron.Target) (server *httptest.Server, tell string) {
	t.Helper()
	const path = "/devtools/browser/11111111-2222-3333-4444-555555555555"
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/json/version":
			_ = json.NewEncoder(w).
				Encode(map[string]string{"Browser": "Chrome/1.2.3.4", "webSocketDebuggerUrl": "ws://" + r.Host + path})
		case "/json/list":
			_ = json.NewEncoder(w).Encode(targets)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server, `printf '` + portOf(server) + `\n` + path + `' >"$dir/DevToolsActivePort"`
}

func portOf(server *httptest.Server) string {
	return server.Listener.Addr().String()[strings.LastIndexByte(server.Listener.Addr().String(), ':')+1:]
}

var window = []electron.Target{{ID: "1", Type: "page", Title: "Window", URL: "app://index"}}

// launcher returns a launcher whose launches are cleaned up at the end of the test.
func launcher(t *testing.T, dir string) *electron.Launcher {
	t.Helper()
	k, err := electron.NewLauncher(electron.LauncherOptions{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, k.Close(context.Background())) })
	return k
}

// launch launches an app that misbehaves as the flags say. It has no guest, which would need a browser that starts more
// slowly.
func launch(t *testing.T, k *electron.Launcher, app electronapp.App, flags ...string) *electron.Launched {
	t.Helper()
	l, err := k.Launch(t.Context(),
		electron.LaunchOptions{
			ExecutablePath: app.Executable, Args: append(flags, "--test-no-webview"),
			Timeout: electron.MaxLaunchTimeout,
		})
	require.NoError(t, err)
	return l
}

// cleaned cleans a launch up, and sees that nothing is left.
func cleaned(t *testing.T, k *electron.Launcher, app electronapp.App, r electron.Record) electron.Cleanup {
	t.Helper()
	c, err := k.Cleanup(t.Context(), r.LaunchID, electron.CleanupOptions{Timeout: patience})
	require.NoError(t, err)
	require.Equal(t, electron.Cleaned, c.State, "%+v", c)
	require.Empty(t, app.Processes())
	nothingOf(t, r.UserDataDir)
	return c
}

// nothingOf sees that a profile and its lock are gone.
func nothingOf(t *testing.T, profile string) {
	t.Helper()
	left, err := filepath.Glob(profile + "*")
	require.NoError(t, err)
	require.Empty(t, left)
}

// eventually waits until it is so.
func eventually(t *testing.T, so func() bool, words ...any) {
	t.Helper()
	require.Eventually(t, so, patience, 20*time.Millisecond, words...)
}

// state returns the state of a launch in the records.
func state(k *electron.Launcher, id string) electron.CleanupState {
	for _, r := range k.Records() {
		if r.LaunchID == id {
			return r.CleanupState
		}
	}
	return ""
}

// step returns a step of a cleanup.
func step(t *testing.T, c electron.Cleanup, name string) electron.Step {
	t.Helper()
	for _, s := range c.Steps {
		if s.Name == name {
			return s
		}
	}
	require.Fail(t, "no such step", "%s: %+v", name, c)
	return electron.Step{}
}

// faultOf returns an error as what it has to be, with the diagnostics in it.
func faultOf(t *testing.T, err error) (*fault.Error, electron.Diagnostics) {
	t.Helper()
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	d, _ := f.Facts["diagnostics"].(electron.Diagnostics)
	return f, d
}
