package session_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// refusedFiles are the paths that the roots refused, as the log has them.
func refusedFiles(c *sessiontest.Client) []string {
	c.T.Helper()
	log := sessiontest.Decode[struct {
		Refused []struct{ Kind, Subject, Rule string }
	}](c.T, c.Do("policy", "log").Result.Data)
	var files []string
	for _, r := range log.Refused {
		require.Equal(c.T, "file", r.Kind)
		require.Contains(c.T, r.Rule, " files below ")
		files = append(files, r.Subject)
	}
	return files
}

// What lies outside an upload root gets to no page and into no session, by whatever command or link.
func TestUploadRoot(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-upload.html")
	c.WriteFile("in/a.txt", "one")
	c.WriteFile("secret.txt", "hidden")
	c.WriteFile("secret.js", "window.leaked = 1")
	c.WriteFile("secret.json", `[{"name":"k","value":"hidden","url":"`+site.URL("/")+`"}]`)
	require.NoError(t, os.Symlink(c.Dir, filepath.Join(c.Dir, "in", "up")))
	require.NoError(t, os.Symlink(filepath.Join(c.Dir, "secret.txt"), filepath.Join(c.Dir, "in", "innocent.txt")))
	require.NoError(t, os.Symlink(filepath.Join(c.Dir, "in"), filepath.Join(c.Dir, "way")))
	c.Do("--upload-root", "in", "get", "title")

	for _, path := range []string{
		"secret.txt", filepath.Join(c.Dir, "secret.txt"), "in/../secret.txt", "in/innocent.txt",
		"in/up/secret.txt", "in/up/in/../secret.txt", ".",
	} {
		f := c.Fails(fault.PolicyBlocked, "upload", "#cv", path)
		require.Contains(t, f.Error(), "outside the roots")
	}
	c.Fails(fault.PolicyBlocked, "upload", "#many", "in/a.txt", "secret.txt")
	c.Fails(fault.PolicyBlocked, "drop", "#zone", "secret.txt")
	c.Fails(fault.PolicyBlocked, "upload", "#cv", "secret.txt", "--upload-root", ".")
	require.Empty(t, c.Log(), "the page has heard of a file")
	require.Equal(t, float64(0),
		c.Page(`[...document.querySelectorAll("input[type=file]")].reduce((n, i) => n + i.files.length, 0)`))

	c.Fails(fault.PolicyBlocked, "--init-script", "secret.js", "open", site.URL("/blank"))
	c.Fails(fault.PolicyBlocked, "cookies", "set", "--curl", "secret.json")
	require.Empty(t, c.Data("cookies", "get")["cookies"])
	c.Fails(fault.PolicyBlocked, "state", "load", "./secret.json")
	c.Fails(fault.PolicyBlocked, "diff", "snapshot", "--baseline", "secret.txt")
	c.Fails(fault.PolicyBlocked, "network", "route", "**/blank", "--file", "secret.txt")
	rows := sessiontest.Decode[[]object](t, c.Try("batch", "upload #cv secret.txt").Result.Data)
	require.Equal(t, string(fault.PolicyBlocked), rows[0]["code"])
	require.Contains(t, refusedFiles(c), filepath.Join(c.Dir, "in", "innocent.txt"))

	c.Do("upload", "#cv", "way/a.txt")
	c.Do("wait", "--fn", "log.length >= 1")
	require.Equal(t, "cv a.txt: one", c.Log())
	require.Contains(t, c.Do("policy").Result.Text,
		"file: read files below "+filepath.Join(c.Dir, "in")+" only (--upload-root)")

	c.Do("open", site.URL("/blank"))
	require.Nil(t, c.Page("window.leaked"))

	c.Do("close") // with which the roots end
	c.Do("open", site.URL("/pages/acting-files-upload.html"))
	c.Do("upload", "#cv", "secret.txt")
}

// Nothing comes to be outside a download root.
func TestDownloadRoot(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Env["SKUA_ARGS"] = "--mute-audio" // a browser of its own: a trace is of all that its browser does, and holds it up
	c.WriteFile("out/there.txt", "as it was")
	c.WriteFile("elsewhere/file", "")
	c.Env["SKUA_DOWNLOAD_ROOTS"] = "out"
	c.Do("open", site.URL("/pages/acting-files-downloads.html"))
	c.Do("screenshot", "out/base.png")
	before := c.OnDisk()
	link, dangling := filepath.Join(c.Dir, "out", "link"), filepath.Join(c.Dir, "out", "dangling.json")
	require.NoError(t, os.Symlink(filepath.Join(c.Dir, "elsewhere"), link))
	require.NoError(t, os.Symlink(filepath.Join(c.Dir, "elsewhere", "new.json"), dangling))
	stops := func(start []string, stop ...string) {
		t.Helper()
		c.Do(start...)
		for _, path := range []string{
			"x.json", "out/../x.json", "out/link/x.json", "out/link/new/x.json",
			"out/dangling.json",
		} {
			c.Fails(fault.PolicyBlocked, append(stop, path)...)
		}
	}
	for _, args := range [][]string{
		{"download", "#attachment", "got.pdf"},
		{"download", "#attachment", "./"},
		{"download", "#attachment", "out/link/"},
		{"download", "#attachment", "out/link/got.pdf"},
		{"--download-path", "kept", "get", "title"},
		{"screenshot", "x.png"},
		{"screenshot", "out/link/x.png"},
		{"screenshot", "--screenshot-dir", "shots"},
		{"pdf", "x.pdf"},
		{"heap", "snapshot", "x.heapsnapshot"},
		{"record", "start", "x.webm"},
		{"state", "save", "./x.json"},
		{"journal", "export", "sh", "x.sh"},
		{"diff", "screenshot", "--baseline", "out/base.png", "--output", "diff.png"},
		{"pdf", "x.pdf", "--download-root", "."},
	} {
		if f := c.Fails(fault.PolicyBlocked, args...); !strings.Contains(f.Error(), "outside the roots") {
			require.Fail(t, "another refusal", "%v: %v", args, f)
		}
	}
	stops([]string{"network", "har", "start"}, "network", "har", "stop")
	stops([]string{"trace", "start"}, "trace", "stop")
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Remove(dangling))
	require.Equal(t, before, c.OnDisk())
	require.Contains(t, refusedFiles(c), filepath.Join(c.Dir, "got.pdf"))

	c.Do("download", "#attachment", "out/sub/")
	c.Do("trace", "stop", "out/trace.json")
	shot := sessiontest.Decode[object](t, c.Do("screenshot").Result.Data)["path"].(string)
	after := c.OnDisk()
	for path := range before {
		delete(after, path)
	}
	require.ElementsMatch(t, []string{"out/sub/report.pdf", "out/trace.json", "out/" + filepath.Base(shot)},
		slices.Collect(maps.Keys(after)))
}

// A root on the command line widens nothing that a variable has narrowed, in a new session neither.
func TestRootsOfVariables(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.WriteFile("in/a.txt", "one")
	c.WriteFile("b.txt", "two")
	c.Env["AGENT_BROWSER_UPLOAD_ROOTS"] = filepath.Join(c.Dir, "in")
	c.Do("open", site.URL("/pages/acting-files-upload.html"), "--upload-root", c.Dir)
	c.Fails(fault.PolicyBlocked, "upload", "#cv", "b.txt")
	require.Empty(t, c.Log())
	c.Do("upload", "#cv", "in/a.txt")

	require.Contains(t, c.Fails(fault.Usage, "get", "title", "--upload-root", "b.txt").Error(), "is not a folder")
	c.Fails(fault.Usage, "get", "title", "--upload-root", "")
}

// A folder for downloads that was chosen before the roots gets none any more.
func TestDownloadRootAfterPath(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Do("--download-path", "kept", "open", site.URL("/pages/acting-files-downloads.html"))
	c.WriteFile("out/there.txt", "")
	require.Contains(t, sessiontest.Notes(c.Do("--download-root", "out", "get", "title")),
		"kept, which is outside the download roots")
	c.Do("click", "#attachment")
	c.Do("wait", "--download", "out/got.pdf")
	require.FileExists(t, filepath.Join(c.Dir, "out", "got.pdf"))
	left, err := os.ReadDir(filepath.Join(c.Dir, "kept"))
	require.NoError(t, err)
	require.Empty(t, left)
}
