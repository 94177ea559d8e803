//go:build linux

package tool_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	electronapp "github.com/skua-browser/skua/testdata/electron"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

// apper is a caller with a desktop app installed in its home.
type apper struct {
	*caller
	app electronapp.App
}

// withApp gives a caller an app. Its processes are gone when the test has ended, whatever its result.
func withApp(t testing.TB, c *caller) *apper {
	t.Helper()
	app, err := electronapp.Generate(t.Context(), electronapp.Options{
		Dir: filepath.Join(c.dir, "Applications", "sample-notes"), ProductName: "Sample Notes",
	})
	require.NoError(t, err)
	t.Cleanup(app.Kill)
	return &apper{c, app}
}

// newApper makes a caller on the native engine that has an app.
func newApper(t testing.TB) *apper {
	t.Helper()
	return withApp(t, newCallerWith(t, tool.Options{SessionID: t.Name(), Env: appEnvironment()}))
}

// appEnvironment is what an app needs of ours.
func appEnvironment() map[string]string {
	env := map[string]string{"PATH": os.Getenv("PATH"), "TMPDIR": os.TempDir()}
	for _, name := range []string{"SKUA_EXECUTABLE_PATH", "AGENT_BROWSER_EXECUTABLE_PATH", "DISPLAY"} {
		if v := os.Getenv(name); v != "" {
			env[name] = v
		}
	}
	return env
}

// electron runs an action.
func (a *apper) electron(fields map[string]any) *contract.Result {
	a.t.Helper()
	return a.electronWithin(context.Background(), fields)
}

func (a *apper) electronWithin(ctx context.Context, fields map[string]any) *contract.Result {
	a.t.Helper()
	raw, err := json.Marshal(fields)
	require.NoError(a.t, err)
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	return a.tool.Call(ctx, tool.Request{Params: contract.Params{Electron: raw}})
}

// launchFields are those of a launch of the app, with others. Slow machines are given time.
func (a *apper) launchFields(more map[string]any) map[string]any {
	fields := map[string]any{"action": "launch", "executablePath": a.app.Executable, "timeoutMs": 120_000}
	maps.Copy(fields, more)
	return fields
}

// launch launches the app, which has to succeed.
func (a *apper) launch(more map[string]any) *contract.Result {
	a.t.Helper()
	r := a.electron(a.launchFields(more))
	require.False(a.t, r.IsError, textOf(r))
	return r
}

// recordOf is the launch record of a result.
func recordOf(t testing.TB, r *contract.Result) electron.Record {
	t.Helper()
	require.NotNil(t, r.Details.Electron.Launch)
	return *r.Details.Electron.Launch
}

// gone waits until nothing is left of the app: no process, no profile, no port.
func (a *apper) gone(record electron.Record) {
	a.t.Helper()
	require.Eventually(a.t, func() bool {
		return len(a.app.Processes()) == 0
	}, time.Minute, 20*time.Millisecond, "processes: %v", a.app.Processes())
	require.NotEmpty(a.t, record.UserDataDir)
	require.NoDirExists(a.t, record.UserDataDir)
}

// refOf is the ref of the first element with a role and name in the newest snapshot of a result.
func refOf(t testing.TB, r *contract.Result, role, name string) string {
	t.Helper()
	require.NotNil(t, r.Details.RefSnapshot)
	for id, ref := range r.Details.RefSnapshot.Refs {
		if ref.Role == role && ref.Name == name {
			return "@" + id
		}
	}
	require.Fail(t, "no such ref", "%s %q in %v", role, name, r.Details.RefSnapshot.Refs)
	return ""
}

// wholeLife is what a caller does with an app, from its discovery to its end.
func wholeLife(t *testing.T, a *apper) {
	r := a.electron(map[string]any{"action": "list", "query": a.dir})
	require.False(t, r.IsError, textOf(r))
	require.Contains(t, textOf(r), "Sample Notes")

	// One window: which of two is shown first is each engine's own choice.
	r = a.electron(a.launchFields(map[string]any{
		"executablePath": nil, "appName": "Sample Notes",
		"appArgs": []string{"--test-windows=1"},
	}))
	require.False(t, r.IsError, textOf(r))
	record, e := recordOf(t, r), r.Details.Electron
	require.Equal(t, "succeeded", e.Status)
	require.Equal(t, "snapshot", e.Handoff.Handoff)
	require.Equal(t, record.LaunchID, e.Identifiers.LaunchID)
	require.Equal(t, r.Details.SessionName, e.Identifiers.SessionName)
	require.Equal(t, r.Details.SessionName, record.SessionName)
	require.Equal(t,
		[]string{
			"status-electron-launch", "probe-electron-launch", "cleanup-electron-launch", "list-electron-tabs",
			"snapshot-electron-session",
		}, idsOf(r))
	require.DirExists(t, record.UserDataDir)
	require.NotEmpty(t, a.app.Processes())
	require.Contains(t, textOf(r), `button "Save note"`)

	a.do("fill", refOf(t, r, "textbox", "Note"), "Water plants")
	a.do("click", refOf(t, r, "button", "Save note"))
	require.Equal(t, "Saved Water plants", asJSON(a.do("get", "title").Details.Data).(map[string]any)["title"],
		"read in the app's page")

	r = a.electron(map[string]any{"action": "probe"})
	require.False(t, r.IsError, textOf(r))
	probe := r.Details.Electron.Probe
	require.Equal(t, "Saved Water plants", probe.Title)
	require.Contains(t, probe.URL, "index.html")
	require.NotZero(t, probe.Snapshot.RefCount)
	require.Nil(t, r.Details.Electron.SessionMismatch)

	r = a.electron(map[string]any{"action": "status"})
	require.False(t, r.IsError, textOf(r))
	status := r.Details.Electron.Statuses[0]
	require.True(t, status.PIDAlive && status.PortAlive, textOf(r))
	require.Equal(t, record.LaunchID, status.LaunchID)
	require.Equal(t, "Saved Water plants", r.Details.Electron.ManagedSession.Title)
	require.Nil(t, r.Details.Electron.SessionMismatch)

	r = a.electron(map[string]any{"action": "cleanup", "timeoutMs": time.Minute.Milliseconds()})
	require.False(t, r.IsError, textOf(r))
	require.Contains(t, textOf(r), "fully cleaned")
	require.False(t, r.Details.Electron.Cleanup.Partial)
	require.Equal(t, "closed", r.Details.ManagedSessionOutcome.Status)
	a.gone(record)

	r = a.electron(map[string]any{"action": "status"})
	require.Equal(t, contract.ValidationError, r.Details.FailureCategory, "nothing is tracked any more")
}

func TestElectronLife(t *testing.T) {
	t.Parallel()
	t.Run("13.1 13.7 13.8 13.12 the whole life of an app", func(t *testing.T) {
		t.Parallel()
		wholeLife(t, newApper(t))
	})
	t.Run("13.1 13.7 13.8 13.12 the whole life of an app, by the real agent-browser", func(t *testing.T) {
		t.Parallel()
		wholeLife(t, withApp(t, newUpstreamCaller(t)))
	})
}
