package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// canary is in each variable that no child may have.
const canary = "CANARY7Q"

// keys is an environment with the keys that hosts have, and one that skua does not know of.
var keys = []string{
	"SKUA_ENCRYPTION_KEY=" + canary + "0123456789abcdef0123456789abcdef0123456789abcdef01234567",
	"BROWSERLESS_API_KEY=" + canary, "OPENAI_API_KEY=" + canary,
	"AWS_SECRET_ACCESS_KEY=" + canary, "GOOGLE_API_KEY=" + canary, "SKUA_MCP_TOKEN=" + canary, "MY_SECRET=" + canary,
}

// keyHolders returns the descendants of a process, without itself, that have a key in their environment.
func keyHolders(t *testing.T, pid int) (all, holders []process) {
	t.Helper()
	for _, p := range tree(pid) {
		if p.pid == pid {
			continue
		}
		all = append(all, p)
		environ, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ")
		if err == nil && bytes.Contains(environ, []byte(canary)) { // else it ended meanwhile
			holders = append(holders, p)
		}
	}
	return all, holders
}

// No program that skua starts has the keys of the host in its environment: neither the browser, nor its screen, nor
// what records a video.
func TestChildrenHaveNoKeys(t *testing.T) {
	t.Parallel()
	open := []string{"open", paperPage}
	if _, err := exec.LookPath("Xvfb"); err == nil {
		open = []string{"--headed", "open", paperPage}
	}
	ffmpeg, ffmpegErr := exec.LookPath("ffmpeg")
	check := func(t *testing.T, host int) {
		t.Helper()
		all, holders := keyHolders(t, host)
		require.NotEmpty(t, all)
		require.Empty(t, holders)
		if ffmpegErr == nil {
			require.True(t, slices.ContainsFunc(all, func(p process) bool {
				return strings.Contains(p.command, filepath.Base(ffmpeg))
			}), "%v", all)
		}
	}
	t.Run("command line", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		u.env = keys
		u.works(t, open...)
		if ffmpegErr == nil {
			u.works(t, "record", "start", "v.mp4")
		}
		check(t, u.host(t))
	})
	t.Run("tool", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		u.env = keys
		a := u.mcp(t, "skua", "mcp")
		lines := [][]string{open}
		if ffmpegErr == nil {
			lines = append(lines, []string{"record", "start", "v.mp4"})
		}
		for _, line := range lines {
			r := a.ask("tools/call", map[string]any{"name": "agent_browser", "arguments": map[string]any{"args": line}})
			require.NotEqual(t, true, r["isError"], "%v", r["content"])
		}
		check(t, a.cmd.Process.Pid)
	})
}
