//go:build linux

package tool_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// Each case runs on both backends: natively the process is watched, and agent-browser has to be looked after.
func TestElectronHealth(t *testing.T) {
	t.Parallel()
	backends := map[string]func(t *testing.T) *apper{
		"natively":                  func(t *testing.T) *apper { return newApper(t) },
		"by the real agent-browser": func(t *testing.T) *apper { return withApp(t, newUpstreamCaller(t)) },
	}
	for where, open := range backends {
		t.Run("13.14 a command that ends the app is not a success, "+where, func(t *testing.T) {
			t.Parallel()
			a := open(t)
			r := a.launch(map[string]any{"appArgs": []string{"--test-no-webview", "--test-windows=1"}})
			record := recordOf(t, r)
			r = a.try("click", refOf(t, r, "button", "Crash app"))
			require.Equal(t, contract.TabDrift, r.Details.FailureCategory, textOf(r))
			h := r.Details.ElectronPostCommandHealth
			require.NotNil(t, h)
			require.Equal(t, record.LaunchID, h.LaunchID)
			require.Contains(t, []string{"process-dead", "debug-port-dead"}, h.Reason)
			own := []string{"status-electron-launch", "probe-electron-launch", "cleanup-electron-launch"}
			require.Equal(t, own, idsOf(r), "its tabs are gone with it")
			require.Equal(t, own, idsOf(a.try("snapshot", "-i")), "and stay so")
			r = a.follow(r, "status-electron-launch")
			require.False(t, r.IsError, textOf(r))
			require.False(t, r.Details.Electron.Statuses[0].PortAlive)
			r = a.follow(r, "cleanup-electron-launch")
			require.False(t, r.IsError, textOf(r))
			a.gone(record)
		})
		t.Run("13.14 a window that is empty after a command is not a success, "+where, func(t *testing.T) {
			t.Parallel()
			a := open(t)
			r := a.launch(map[string]any{"appArgs": []string{"--test-no-webview", "--test-windows=1"}})
			r = a.try("click", refOf(t, r, "button", "Blank window"))
			require.Equal(t, contract.TabDrift, r.Details.FailureCategory, textOf(r))
			require.Equal(t, "about-blank", r.Details.ElectronPostCommandHealth.Reason)
			require.True(t, r.Details.ElectronPostCommandHealth.LaunchStatus.PIDAlive)
		})
		t.Run("13.15 refs may be old under the same address, and a whole window has too much text, "+where,
			func(t *testing.T) {
				t.Parallel()
				a := open(t)
				r := a.launch(map[string]any{"appArgs": []string{"--test-no-webview", "--test-windows=1"}})
				ref := refOf(t, r, "button", "Search")
				r = a.do("click", ref)
				require.Equal(t, ref, r.Details.ElectronRefFreshness.Ref)
				require.Contains(t, idsOf(r), "refresh-electron-refs-after-rerender")
				r = a.follow(r, "refresh-electron-refs-after-rerender")
				require.Contains(t, textOf(r), `textbox "Find"`, "the app has redrawn itself")
				for _, selector := range []string{"body", "html", "main", "div", "[role=application]"} {
					r = a.try("get", "text", selector)
					if selector == "[role=application]" { // this app has none
						continue
					}
					require.False(t, r.IsError, textOf(r))
					require.Equal(t, selector, r.Details.ElectronGetTextScopeWarning.Selector)
					require.Contains(t, idsOf(r), "snapshot-for-electron-text-scope")
				}
				require.Nil(t, a.do("get", "text", "h1").Details.ElectronGetTextScopeWarning)
			})
		t.Run("2.5.8 the source of a packaged app is not in the workspace, "+where, func(t *testing.T) {
			t.Parallel()
			a := open(t)
			record := recordOf(t,
				a.launch(map[string]any{"handoff": "connect", "appArgs": []string{"--test-no-webview", "--test-windows=1"}}))
			r := a.call(contract.Params{SourceLookup: json.RawMessage(`{"selector":"#save"}`)})
			l := r.Details.SourceLookup
			require.NotNil(t, l, textOf(r))
			require.Equal(t, "no-candidates", l.Status)
			require.Equal(t, a.dir, l.WorkspaceRoot)
			require.Equal(t, record.LaunchID, l.ElectronContext.LaunchID)
			require.Equal(t, a.app.Executable, l.ElectronContext.ExecutablePath)
			code := l.ElectronContext.Code
			require.Equal(t, filepath.Join(filepath.Dir(a.app.Executable), "resources", "app.asar"), code.Path)
			require.Equal(t, "Sample Notes", code.Name)
			require.True(t, code.Packed)
			require.Positive(t, code.Files)
			require.Contains(t, textOf(r), code.Path, "where the code is")
			require.Contains(t, textOf(r), "was not unpacked")
			require.Contains(t, textOf(r), "workspace scan was limited")
			require.Contains(t, textOf(r), "packaged Electron app code may live outside")
			require.Subset(t, idsOf(r), []string{"snapshot-electron-session", "probe-electron-launch", "list-electron-tabs"})
		})
	}
	t.Run("11.10 a field of an app that takes keys only has not kept what it was filled with", func(t *testing.T) {
		t.Parallel()
		a := withApp(t, newUpstreamCaller(t))
		r := a.launch(map[string]any{"appArgs": []string{"--test-no-webview", "--test-windows=1"}})
		picky := refOf(t, r, "textbox", "Picky")
		r = a.do("fill", picky, "quick open")
		require.Equal(t, "mismatch", r.Details.FillVerification.Status)
		require.Contains(t, idsOf(r), "verify-filled-value")
		require.Empty(t, asJSON(a.follow(r, "verify-filled-value").Details.Data).(map[string]any)["value"])
		require.Nil(t, a.do("fill", refOf(t, a.do("snapshot", "-i"), "textbox", "Note"), "plain").Details.FillVerification)
	})
	t.Run("13.14 an app that lives costs a command nothing natively, nor does another browser", func(t *testing.T) {
		t.Parallel()
		a, m := newMeddled(t)
		a.do("open", site.Show(twoButtons))
		a.do("snapshot", "-i")
		m.with(nil)
		a.do("click", "@e1")
		require.Len(t, m.did(""), 1)
		r := a.launch(map[string]any{"appArgs": []string{"--test-no-webview", "--test-windows=1"}})
		ref := refOf(t, r, "button", "Search")
		m.with(nil)
		a.do("click", ref)
		require.Len(t, m.did(""), 1)
	})
}

func TestElectronRestore(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	// open makes a caller of one conversation, whose apps one launcher has.
	open := func(t testing.TB, k *electron.Launcher, dir string) *apper {
		t.Helper()
		c := newCallerWith(t, tool.Options{SessionID: "apps-of-" + t.Name(), Cwd: dir, Apps: k, Env: appEnvironment()})
		if dir != "" { // it is installed there
			return &apper{caller: c}
		}
		return withApp(t, c)
	}
	launcher := func(t testing.TB) *electron.Launcher {
		t.Helper()
		k, err := electron.NewLauncher(electron.LauncherOptions{Getenv: os.Getenv})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, k.Close(ctx)) })
		return k
	}
	quick := map[string]any{"appArgs": []string{"--test-no-webview", "--test-windows=1"}}
	t.Run("13.16 17.1 17.6 a tool that goes on has the app, its session and refs; off-branch apps end",
		func(t *testing.T) {
			t.Parallel()
			k := launcher(t)
			a, kept := open(t, k, ""), &record{t: t}
			off := recordOf(t, a.launch(quick))
			require.NoError(t, a.tool.Restore(ctx, nil), "another branch, which knows nothing of it")
			r := a.electron(map[string]any{"action": "status", "launchId": off.LaunchID})
			require.False(t, r.IsError, "what is off the branch is still tracked: %s", textOf(r))
			r = a.launch(quick)
			on := recordOf(t, r)
			kept.keep(r)
			require.NoError(t, a.tool.Leave(ctx))
			require.NoDirExists(t, off.UserDataDir, "the app of the other branch has ended")
			require.DirExists(t, on.UserDataDir)

			next := open(t, k, a.dir)
			require.NoError(t, next.tool.Restore(ctx, kept.details()))
			next.do("click", refOf(t, r, "button", "Buy seeds"))
			require.Equal(t, "Note: Buy seeds", asJSON(next.do("get", "title").Details.Data).(map[string]any)["title"])
			r = next.electron(map[string]any{"action": "status"})
			require.Equal(t, on.LaunchID, r.Details.Electron.Identifiers.LaunchID)
			require.Equal(t, on.SessionName, r.Details.Electron.Identifiers.SessionName)
			require.Nil(t, r.Details.Electron.SessionMismatch, textOf(r))
			require.NoError(t, next.tool.Close(ctx))
			a.gone(on)
		})
	t.Run("17.1 17.3 a session that a cleanup has closed stays closed", func(t *testing.T) {
		t.Parallel()
		k := launcher(t)
		a, kept := open(t, k, ""), &record{t: t}
		launched := a.launch(quick)
		cleaned := a.electron(map[string]any{"action": "cleanup"})
		require.False(t, cleaned.IsError, textOf(cleaned))
		kept.keep(launched, cleaned)
		require.NoError(t, a.tool.Leave(ctx))
		next := open(t, k, a.dir)
		require.NoError(t, next.tool.Restore(ctx, kept.details()))
		r := next.do("open", "about:blank")
		require.NotEqual(t, launched.Details.SessionName, r.Details.SessionName)
		require.Equal(t, "created", r.Details.ManagedSessionOutcome.Status)
	})
	t.Run("17.1 13.12 apps of a process that is gone are known by their records, and nothing else is ended",
		func(t *testing.T) {
			t.Parallel()
			state := t.TempDir()
			a, kept := newApperIn(t, state), &record{t: t}
			r := a.launch(quick)
			kept.keep(r)
			app := recordOf(t, r)
			require.NoError(t, a.tool.Close(ctx))
			a.gone(app)
			next := newApperIn(t, state)
			require.NoError(t, next.tool.Restore(ctx, kept.details()))
			r = next.electron(map[string]any{"action": "status", "launchId": app.LaunchID})
			require.False(t, r.IsError, textOf(r))
			require.Equal(t, electron.Cleaned, r.Details.Electron.Launches[0].CleanupState)
		})
}

// newApperIn makes a caller whose tool keeps its records in a folder.
func newApperIn(t testing.TB, state string) *apper {
	t.Helper()
	b := backend.OnManager(host())
	t.Cleanup(func() { require.NoError(t, b.Close(context.Background())) })
	return withApp(t,
		newCallerWith(t,
			tool.Options{Backend: b, SessionID: "records-of-" + t.Name(), StateDir: state, Env: appEnvironment()}))
}
