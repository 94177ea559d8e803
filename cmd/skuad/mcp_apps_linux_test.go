package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	electronapp "github.com/skua-browser/skua/testdata/electron"
)

// electron runs an action on desktop apps that has to succeed, and returns the result's details.
func (a *agent) electron(fields map[string]any) map[string]any {
	a.t.Helper()
	r := a.ask("tools/call", map[string]any{"name": "agent_browser", "arguments": map[string]any{"electron": fields}})
	require.NotEqual(a.t, true, r["isError"], "%v: %v", fields, r["content"])
	return r["structuredContent"].(map[string]any)
}

// installed gives a user a desktop app.
func (u *user) installed(t *testing.T) electronapp.App {
	t.Helper()
	app, err := electronapp.Generate(t.Context(),
		electronapp.Options{Dir: filepath.Join(u.cwd, "Applications", "sample-notes"), ProductName: "Sample Notes"})
	require.NoError(t, err)
	t.Cleanup(app.Kill)
	return app
}

// refNamed is a ref of the snapshot in a result's details.
func refNamed(t *testing.T, details map[string]any, name string) string {
	t.Helper()
	refs := details["refSnapshot"].(map[string]any)["refs"].(map[string]any)
	for id, ref := range refs {
		if ref.(map[string]any)["name"] == name {
			return "@" + id
		}
	}
	require.Fail(t, "no such ref", "%s in %v", name, refs)
	return ""
}

// Through MCP an app lives as long as it is wanted, and no longer than the server, however that ends.
func TestMCPElectron(t *testing.T) {
	t.Parallel()
	ways := map[string]func(*agent, string){
		"cleanup": func(a *agent, launchID string) {
			require.Equal(a.t, false,
				a.electron(map[string]any{
					"action": "cleanup", "launchId": launchID,
					"timeoutMs": 60_000,
				})["electron"].(map[string]any)["cleanup"].(map[string]any)["partial"])
		},
		"the client hangs up": func(a *agent, _ string) {
			require.NoError(a.t, a.in.Close())
			require.NoError(a.t, a.ends())
		},
		"SIGTERM": func(a *agent, _ string) {
			require.NoError(a.t, a.cmd.Process.Signal(syscall.SIGTERM))
			_ = a.ends()
		},
		"SIGKILL": func(a *agent, _ string) {
			require.NoError(a.t, a.cmd.Process.Kill())
			_ = a.ends()
		},
	}
	for name, end := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			app := u.installed(t)
			a := u.mcp(t, "skua", "mcp")
			list := a.electron(map[string]any{"action": "list", "query": u.cwd})["electron"].(map[string]any)
			require.Len(t, list["apps"], 1)
			details := a.electron(map[string]any{
				"action": "launch", "appName": "Sample Notes", "timeoutMs": 120_000,
				"appArgs": []string{"--test-no-webview"},
			})
			launch := details["electron"].(map[string]any)["launch"].(map[string]any)
			require.DirExists(t, launch["userDataDir"].(string))
			a.do("fill", refNamed(t, details, "Note"), "Water plants")
			a.do("click", refNamed(t, details, "Save note"))
			require.Contains(t, a.do("get", "title"), "Saved Water plants")
			probe := a.electron(map[string]any{"action": "probe"})["electron"].(map[string]any)["probe"].(map[string]any)
			require.Equal(t, "Saved Water plants", probe["title"])
			statuses := a.electron(map[string]any{"action": "status"})["electron"].(map[string]any)["statuses"].([]any)
			require.Equal(t, true, statuses[0].(map[string]any)["pidAlive"])
			require.NotEmpty(t, app.Processes())
			end(a, launch["launchId"].(string))
			require.Eventually(t, func() bool { return len(app.Processes()) == 0 }, callLimit, 20*time.Millisecond)
			require.Eventually(t, func() bool { return !exists(launch["userDataDir"].(string)) }, callLimit, 20*time.Millisecond)
		})
	}
	t.Run("the end of a task of a service", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		app := u.installed(t)
		u.env = []string{"SKUA_MCP_TOKEN=secret"}
		cmd, address := u.served(t, "serve", "--http", "127.0.0.1:0", "--profile-dir", u.cwd+"/kept")
		base := strings.TrimSuffix(address, "/mcp")
		for _, end := range []func(){
			func() {
				status, _ := request(t, http.MethodDelete, base+"/tasks/one")
				require.Equal(t, http.StatusNoContent, status)
			},
			func() { require.NoError(t, cmd.Process.Signal(syscall.SIGTERM)) },
		} {
			a := u.mcp(t, "skua", "mcp", "--serve", base, "--task", "one")
			details := a.electron(map[string]any{
				"action": "launch", "executablePath": app.Executable, "timeoutMs": 120_000,
				"appArgs": []string{"--test-no-webview"},
			})
			dir := details["electron"].(map[string]any)["launch"].(map[string]any)["userDataDir"].(string)
			require.NotEmpty(t, app.Processes())
			end()
			require.Eventually(t, func() bool {
				return len(app.Processes()) == 0 && !exists(dir)
			}, callLimit, 20*time.Millisecond)
		}
	})
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
