package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
)

// A service whose profile another one has could not open a page: it does not start, and says who has it.
func TestSecondServiceIsRefused(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	profile := []string{"serve", "--http", "127.0.0.1:0", "--profile-dir", u.cwd + "/kept"}
	first, address := u.served(t, profile...)
	second := u.call(t, profile...)
	require.NotZero(t, second.Code)
	require.NotContains(t, second.Err, "Serving MCP")
	require.Contains(t, second.Err, fmt.Sprintf("in use by the service with process %d", first.Process.Pid))
	require.Contains(t, second.Err, "mcp --serve "+strings.TrimSuffix(address, endpoint))

	require.NoError(t, first.Process.Kill())
	_ = first.Wait()
	_, address = u.served(t, profile...)
	require.NotEmpty(t, address, "a service that was killed holds nothing")
}

// What a service is told on standard input or in a file is its token, and is in no list of processes.
func TestTokenIsNotInTheListOfProcesses(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	refused := u.call(t, "serve", "--http", "127.0.0.1:0", "--token", "s3cret")
	require.NotZero(t, refused.Code)
	require.Contains(t, refused.Err, "visible to every user of this machine")
	require.NotContains(t, refused.Out+refused.Err, "s3cret")

	cmd := exec.Command(filepath.Join(u.bin, "skua"), "serve", "--http", "127.0.0.1:0", "--profile-dir", u.cwd+"/kept",
		"--token", "-")
	cmd.Dir, cmd.Env, cmd.Stdin = u.cwd, u.environ(), strings.NewReader("secret\n")
	address := serving(t, cmd)
	status, _ := request(t, "GET", strings.TrimSuffix(address, endpoint)+"/tasks")
	require.Equal(t, 200, status)
	words, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", cmd.Process.Pid))
	require.NoError(t, err)
	require.Contains(t, string(words), "serve")
	require.NotContains(t, string(words), "secret")
}

// The first reply of a host says that the system refuses Chromium's sandbox, beside what was asked for, and no other
// reply does.
func TestMissingSandboxOnTheLine(t *testing.T) {
	t.Parallel()
	path, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	_, refused, reason := chrome.Sandbox(path, nil, os.Getenv)
	u := newUser(t)
	u.env = []string{"SKUA_NO_SANDBOX_NOTE=0"}
	first := u.call(t, "open", "about:blank")
	require.Zero(t, first.Code)
	require.NotContains(t, first.Out, "sandbox")
	if refused {
		require.Contains(t, first.Err, "⚠ the browser runs without Chromium's own sandbox, since "+reason)
	} else {
		require.Empty(t, first.Err)
	}
	u.works(t, "get", "url")
	u.works(t, "--session", "other", "open", "about:blank")
}
