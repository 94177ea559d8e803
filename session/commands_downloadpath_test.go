package session_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What no command takes is in the folder, under its own name, as soon as the reply says so, and stays there.
func TestKeptDownloads(t *testing.T) {
	t.Parallel()
	b := startTheirs(t, t.TempDir())
	for name, flags := range map[string][]string{
		"a context":        nil,
		"a kept profile":   {"--profile", filepath.Join(t.TempDir(), "profile")},
		"a user's browser": {"--cdp", b.port},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t)
			c.file("kept/my notes.txt", "mine")
			c.do(append(flags, "--download-path", "kept", "open", site.url("/pages/acting-files-downloads.html"))...)
			path := filepath.Join(c.dir, "kept", "my notes (1).txt")
			kept := map[string]string{"kept/my notes.txt": "mine", "kept/my notes (1).txt": "plain text of notes"}
			if told := c.downloads("click", "#named"); len(told) > 0 {
				require.Equal(t, path, told[0].(object)["path"])
				require.Equal(t, kept, c.onDisk())
			} else { // the browser began after the reply
				require.Eventually(t, func() bool { return maps.Equal(kept, c.onDisk()) }, commandLimit, 5*time.Millisecond)
			}

			c.do("download", "#data", "taken.txt")
			c.do("wait", "--download", "notes.txt")
			c.do("click", "#attachment")
			require.Eventually(t, func() bool { return c.onDisk()["kept/report.pdf"] != "" }, commandLimit, 5*time.Millisecond) // a click does not wait for what it starts
			c.do("close")
			require.Equal(t, map[string]string{
				"kept/my notes.txt": "mine", "kept/report.pdf": string(fileBytes(70000)), "taken.txt": "from the address", "notes.txt": "plain text of notes",
			}, c.onDisk())
			info, err := os.Stat(filepath.Join(c.dir, "kept"))
			require.NoError(t, err)
			require.True(t, info.IsDir())

			c.do("open", site.url("/pages/acting-files-downloads.html"))
			for _, told := range c.downloads("click", "#named") {
				require.NotContains(t, told, "path", "a new session begins without")
			}
		})
	}
}

// downloads are those that a command's reply tells.
func (c *client) downloads(args ...string) []any {
	c.t.Helper()
	told, _ := c.effect(args...)["downloads"].([]any)
	return told
}

// A folder that is missing is for this user alone; a name cannot leave it, nor can a slow download be told as one that is there.
func TestKeptDownloadsFolder(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	c.file("file", "mine")
	require.Contains(t, c.fails(fault.File, "--download-path", "file", "get", "title").Error(), "it is a file")
	c.do("--download-path", "a/b", "click", "#evil")
	info, err := os.Stat(filepath.Join(c.dir, "a", "b"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.Eventually(t, func() bool { // a click does not wait for what it starts
		entries, err := os.ReadDir(filepath.Join(c.dir, "a", "b"))
		return err == nil && len(entries) == 1
	}, commandLimit, 5*time.Millisecond)
	require.Len(t, c.onDisk(), 2, "nothing is anywhere else")

	c.do("--download-path", "c", "click", "#missing")
	require.Len(t, c.onDisk(), 2, "what fails leaves nothing")
}
