package download_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What no command takes is in the folder, under its own name, as soon as the reply says so, and stays there.
func TestKeptDownloads(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	for name, flags := range map[string][]string{
		"a context":        nil,
		"a kept profile":   {"--profile", filepath.Join(t.TempDir(), "profile")},
		"a user's browser": {"--cdp", b.Port},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.WriteFile("kept/my notes.txt", "mine")
			c.Do(append(flags, "--download-path", "kept", "open", site.URL("/pages/acting-files-downloads.html"))...)
			path := filepath.Join(c.Dir, "kept", "my notes (1).txt")
			kept := map[string]string{"kept/my notes.txt": "mine", "kept/my notes (1).txt": "plain text of notes"}
			if told := downloads(c, "click", "#named"); len(told) > 0 {
				require.Equal(t, path, told[0].(object)["path"])
				require.Equal(t, kept, c.OnDisk())
			} else { // the browser began after the reply
				require.Eventually(t, func() bool {
					return maps.Equal(kept, c.OnDisk())
				}, sessiontest.CommandLimit, 5*time.Millisecond)
			}

			c.Do("download", "#data", "taken.txt")
			c.Do("wait", "--download", "notes.txt")
			c.Do("click", "#attachment")
			// a click does not wait for what it starts
			require.Eventually(t, func() bool {
				return c.OnDisk()["kept/report.pdf"] != ""
			}, sessiontest.CommandLimit, 5*time.Millisecond)
			c.Do("close")
			require.Equal(t, map[string]string{
				"kept/my notes.txt": "mine", "kept/report.pdf": string(sessiontest.FileBytes(70000)),
				"taken.txt": "from the address", "notes.txt": "plain text of notes",
			}, c.OnDisk())
			info, err := os.Stat(filepath.Join(c.Dir, "kept"))
			require.NoError(t, err)
			require.True(t, info.IsDir())

			c.Do("open", site.URL("/pages/acting-files-downloads.html"))
			for _, told := range downloads(c, "click", "#named") {
				require.NotContains(t, told, "path", "a new session begins without")
			}
		})
	}
}

// downloads are those that a command's reply tells.
func downloads(c *sessiontest.Client, args ...string) []any {
	c.T.Helper()
	told, _ := c.Effect(args...)["downloads"].([]any)
	return told
}

// A folder that is missing is for this user alone; a name cannot leave it, nor can a slow download be told as one that
// is there.
func TestKeptDownloadsFolder(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	c.WriteFile("file", "mine")
	require.Contains(t, c.Fails(fault.File, "--download-path", "file", "get", "title").Error(), "it is a file")
	c.Do("--download-path", "a/b", "click", "#evil")
	info, err := os.Stat(filepath.Join(c.Dir, "a", "b"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.Eventually(t, func() bool { // a click does not wait for what it starts
		entries, err := os.ReadDir(filepath.Join(c.Dir, "a", "b"))
		return err == nil && len(entries) == 1
	}, sessiontest.CommandLimit, 5*time.Millisecond)
	require.Len(t, c.OnDisk(), 2, "nothing is anywhere else")

	c.Do("--download-path", "c", "click", "#missing")
	require.Len(t, c.OnDisk(), 2, "what fails leaves nothing")
}
