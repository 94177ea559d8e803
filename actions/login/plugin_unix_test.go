//go:build unix

package login_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testprogram"
)

// plug gives a caller a plugin that is a shell script, and that keeps its last request in the file request of the
// caller's folder.
func plug(t *testing.T, c *sessiontest.Client, text string, capabilities ...string) {
	t.Helper()
	file := filepath.Join(c.Dir, "plugin")
	testprogram.Write(t, file, "#!/bin/sh\ncat > request\n"+text+"\n")
	list, err := json.Marshal([]map[string]any{{"name": "p", "command": file, "capabilities": capabilities}})
	require.NoError(t, err)
	c.Env["AGENT_BROWSER_PLUGINS"], c.Env["PATH"] = string(list), "/usr/bin:/bin"
}

func TestPluginCredential(t *testing.T) {
	t.Parallel()
	s := startLoginSite(t)
	c := host.NewClient(t)
	answer, err := json.Marshal(map[string]any{
		"protocol": "agent-browser.plugin.v1", "success": true,
		"credential": map[string]string{
			"username": loginUser, "password": loginPassword, "url": s.URL + "/plain",
		},
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "answer"), answer, 0o600))
	plug(t, c, "cat answer; cat answer >&2", "credential.read")
	r := c.Do("auth", "login", "my-app", "--credential-provider", "p", "--item", "It em")
	require.Equal(t, []string{"password", "home"}, s.noted())
	quietOf(t, r)
	require.NoDirExists(t, filepath.Join(c.Dir, ".skua", "auth"), "nothing of it is kept")

	plug(t, c, "cat answer", "command.run")
	r = c.Try("auth", "login", "my-app", "--credential-provider", "p")
	require.True(t, fault.Is(r.Err, fault.PluginNotFound), "%v", r.Err)
	require.Contains(t, r.Err.Error(), "does not declare required capability 'credential.read'")
}

func TestPluginMutatesLaunch(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "early.js"), []byte("window.early = 7"), 0o600))
	plug(t, c,
		`echo '{"protocol":"agent-browser.plugin.v1","success":true,"launch":{"args":["--user-agent=Plugged/1"],"initScripts":["early.js"]}}'`, "launch.mutate")
	r := c.Do("open", site.URL("/pages/demo.html"), "--verbose")
	require.Contains(t, strings.Join(r.Details, "\n"), "plugin p added the switches --user-agent=Plugged/1")
	require.Contains(t, c.Do("eval", "navigator.userAgent + ' ' + window.early").Result.Text, "Plugged/1 7")
	request, err := os.ReadFile(filepath.Join(c.Dir, "request"))
	require.NoError(t, err)
	require.Contains(t, string(request), `"capability":"launch.mutate"`)
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "request")))
	c.Do("get", "title")
	require.NoFileExists(t, filepath.Join(c.Dir, "request"), "it is asked for a launch and for nothing else")
}

func TestPluginProvidesBrowser(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	plug(t, c,
		`cat request >> requests; echo '{"protocol":"agent-browser.plugin.v1","success":true,"browser":{"cdpUrl":"ws://127.0.0.1:1/?token=hunter2"}}'`, "browser.provider")
	r := c.Try("-p", "p", "open", site.URL("/pages/demo.html"))
	require.Error(t, r.Err)
	quietOf(t, r)
	requests, err := os.ReadFile(filepath.Join(c.Dir, "requests"))
	require.NoError(t, err)
	require.Contains(t, string(requests), `"type":"browser.launch"`)
	require.Contains(t, string(requests), `"type":"browser.close"`, "a browser that cannot be used is given back")
}
