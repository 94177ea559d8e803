package session_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// refusedFiles are the paths that the roots refused, as the log has them.
func (c *client) refusedFiles() []string {
	c.t.Helper()
	log := decode[struct {
		Refused []struct{ Kind, Subject, Rule string }
	}](c.t, c.do("policy", "log").Result.Data)
	var files []string
	for _, r := range log.Refused {
		require.Equal(c.t, "file", r.Kind)
		require.Contains(c.t, r.Rule, " files below ")
		files = append(files, r.Subject)
	}
	return files
}

// What lies outside an upload root gets to no page and into no session, by whatever command or link.
func TestUploadRoot(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-upload.html")
	c.file("in/a.txt", "one")
	c.file("secret.txt", "hidden")
	c.file("secret.js", "window.leaked = 1")
	c.file("secret.json", `[{"name":"k","value":"hidden","url":"`+site.url("/")+`"}]`)
	require.NoError(t, os.Symlink(c.dir, filepath.Join(c.dir, "in", "up")))
	require.NoError(t, os.Symlink(filepath.Join(c.dir, "secret.txt"), filepath.Join(c.dir, "in", "innocent.txt")))
	require.NoError(t, os.Symlink(filepath.Join(c.dir, "in"), filepath.Join(c.dir, "way")))
	c.do("--upload-root", "in", "get", "title")

	for _, path := range []string{"secret.txt", filepath.Join(c.dir, "secret.txt"), "in/../secret.txt", "in/innocent.txt", "in/up/secret.txt", "in/up/in/../secret.txt", "."} {
		f := c.fails(fault.PolicyBlocked, "upload", "#cv", path)
		require.Contains(t, f.Error(), "outside the roots")
	}
	c.fails(fault.PolicyBlocked, "upload", "#many", "in/a.txt", "secret.txt")
	c.fails(fault.PolicyBlocked, "drop", "#zone", "secret.txt")
	c.fails(fault.PolicyBlocked, "upload", "#cv", "secret.txt", "--upload-root", ".")
	require.Empty(t, c.log(), "the page has heard of a file")
	require.Equal(t, float64(0), c.page(`[...document.querySelectorAll("input[type=file]")].reduce((n, i) => n + i.files.length, 0)`))

	c.fails(fault.PolicyBlocked, "--init-script", "secret.js", "open", site.url("/blank"))
	c.fails(fault.PolicyBlocked, "cookies", "set", "--curl", "secret.json")
	require.Empty(t, c.data("cookies", "get")["cookies"])
	c.fails(fault.PolicyBlocked, "state", "load", "./secret.json")
	c.fails(fault.PolicyBlocked, "diff", "snapshot", "--baseline", "secret.txt")
	c.fails(fault.PolicyBlocked, "network", "route", "**/blank", "--file", "secret.txt")
	rows := decode[[]object](t, c.try("batch", "upload #cv secret.txt").Result.Data)
	require.Equal(t, string(fault.PolicyBlocked), rows[0]["code"])
	require.Contains(t, c.refusedFiles(), filepath.Join(c.dir, "in", "innocent.txt"))

	c.do("upload", "#cv", "way/a.txt")
	c.do("wait", "--fn", "log.length >= 1")
	require.Equal(t, "cv a.txt: one", c.log())
	require.Contains(t, c.do("policy").Result.Text, "file: read files below "+filepath.Join(c.dir, "in")+" only (--upload-root)")

	c.do("open", site.url("/blank"))
	require.Nil(t, c.page("window.leaked"))

	c.do("close") // with which the roots end
	c.do("open", site.url("/pages/acting-files-upload.html"))
	c.do("upload", "#cv", "secret.txt")
}

// Nothing comes to be outside a download root.
func TestDownloadRoot(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.env["SKUA_ARGS"] = "--mute-audio" // a browser of its own: a trace is of all that its browser does, and holds it up
	c.file("out/there.txt", "as it was")
	c.file("elsewhere/file", "")
	c.env["SKUA_DOWNLOAD_ROOTS"] = "out"
	c.do("open", site.url("/pages/acting-files-downloads.html"))
	c.do("screenshot", "out/base.png")
	before := c.onDisk()
	link, dangling := filepath.Join(c.dir, "out", "link"), filepath.Join(c.dir, "out", "dangling.json")
	require.NoError(t, os.Symlink(filepath.Join(c.dir, "elsewhere"), link))
	require.NoError(t, os.Symlink(filepath.Join(c.dir, "elsewhere", "new.json"), dangling))
	stops := func(start []string, stop ...string) {
		t.Helper()
		c.do(start...)
		for _, path := range []string{"x.json", "out/../x.json", "out/link/x.json", "out/link/new/x.json", "out/dangling.json"} {
			c.fails(fault.PolicyBlocked, append(stop, path)...)
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
		if f := c.fails(fault.PolicyBlocked, args...); !strings.Contains(f.Error(), "outside the roots") {
			require.Fail(t, "another refusal", "%v: %v", args, f)
		}
	}
	stops([]string{"network", "har", "start"}, "network", "har", "stop")
	stops([]string{"trace", "start"}, "trace", "stop")
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Remove(dangling))
	require.Equal(t, before, c.onDisk())
	require.Contains(t, c.refusedFiles(), filepath.Join(c.dir, "got.pdf"))

	c.do("download", "#attachment", "out/sub/")
	c.do("trace", "stop", "out/trace.json")
	shot := decode[object](t, c.do("screenshot").Result.Data)["path"].(string)
	after := c.onDisk()
	for path := range before {
		delete(after, path)
	}
	require.ElementsMatch(t, []string{"out/sub/report.pdf", "out/trace.json", "out/" + filepath.Base(shot)}, slices.Collect(maps.Keys(after)))
}

// A root on the command line widens nothing that a variable has narrowed, in a new session neither.
func TestRootsOfVariables(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.file("in/a.txt", "one")
	c.file("b.txt", "two")
	c.env["AGENT_BROWSER_UPLOAD_ROOTS"] = filepath.Join(c.dir, "in")
	c.do("open", site.url("/pages/acting-files-upload.html"), "--upload-root", c.dir)
	c.fails(fault.PolicyBlocked, "upload", "#cv", "b.txt")
	require.Empty(t, c.log())
	c.do("upload", "#cv", "in/a.txt")

	require.Contains(t, c.fails(fault.Usage, "get", "title", "--upload-root", "b.txt").Error(), "is not a folder")
	c.fails(fault.Usage, "get", "title", "--upload-root", "")
}

// A folder for downloads that was chosen before the roots gets none any more.
func TestDownloadRootAfterPath(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.do("--download-path", "kept", "open", site.url("/pages/acting-files-downloads.html"))
	c.file("out/there.txt", "")
	require.Contains(t, notes(c.do("--download-root", "out", "get", "title")), "kept, which is outside the download roots")
	c.do("click", "#attachment")
	c.do("wait", "--download", "out/got.pdf")
	require.FileExists(t, filepath.Join(c.dir, "out", "got.pdf"))
	left, err := os.ReadDir(filepath.Join(c.dir, "kept"))
	require.NoError(t, err)
	require.Empty(t, left)
}
