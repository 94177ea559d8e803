package session_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// onDisk is what the caller's folder has: contents by path.
func (c *client) onDisk() map[string]string {
	c.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, c.dir+string(filepath.Separator))] = string(content)
		return err
	})
	require.NoError(c.t, err)
	return all
}

func (c *client) file(name, content string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	require.NoError(c.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(c.t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

func TestDownload(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, target, path string
		saved, content     string
		own                string // what the page calls the file
	}{
		{"attachment", "#attachment", "out.pdf", "out.pdf", string(fileBytes(70000)), "report.pdf"},
		{"into a folder that is not there", "#attachment", "a/b/", "a/b/report.pdf", string(fileBytes(70000)), "report.pdf"},
		{"to a file in a folder that is not there", "#attachment", "a/b/c.bin", "a/b/c.bin", string(fileBytes(70000)), "report.pdf"},
		{"into the current folder", "#named", ".", "my notes.txt", "plain text of notes", "my notes.txt"},
		{"named by the page", "#named", "n", "n", "plain text of notes", "my notes.txt"},
		{"after a redirect", "#redirected", "./", "moved.bin", string(fileBytes(300)), "moved.bin"},
		{"link to a new tab", "#tab", "./", "tab.bin", string(fileBytes(400)), "tab.bin"},
		{"window.open", "#opened", "./", "opened.bin", string(fileBytes(500)), "opened.bin"},
		{"data address", "#data", "./", "data.txt", "from the address", "data.txt"},
		{"blob, among equal buttons", `xpath=(//button[.="Download invoice"])[2]`, "./", "invoice-1002.txt", "invoice of 1002", "invoice-1002.txt"},
		{"form", "#post", "./", "posted.csv", "POST a,b,c", "posted.csv"},
		{"fetched and then saved", "#fetched", "./", "prepared.txt", "plain text of prepared", "prepared.txt"},
		{"empty", "#empty", "./", "empty.bin", "", "empty.bin"},
		{"large", "#large", "./", "large.bin", string(fileBytes(3000000)), "large.bin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := opened(t, "/pages/acting-files-downloads.html")
			reply := c.do("download", tt.target, tt.path)
			disk := c.onDisk()
			require.Len(t, disk, 1, "nothing else is left")
			require.True(t, tt.content == disk[tt.saved], "%s has other bytes", tt.saved)
			data := decode[object](t, reply.Result.Data)
			require.Equal(t, filepath.Join(c.dir, tt.saved), data["path"])
			require.Equal(t, tt.own, data["name"])
			require.EqualValues(t, len(tt.content), data["size"])
			require.Contains(t, reply.Result.Text, "✓ Download saved to "+filepath.Join(c.dir, tt.saved))
			require.Equal(t, site.url("/pages/acting-files-downloads.html"), c.page("location.href"), "the page stays")
			require.Len(t, decode[struct{ Tabs []object }](t, c.do("tab", "list").Result.Data).Tabs, 1, "no empty tab stays")
		})
	}
}

func TestDownloadPathFlag(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	c.do("download", "text=Yearly report", "--path", "x.pdf")
	require.Equal(t, map[string]string{"x.pdf": string(fileBytes(70000))}, c.onDisk())
	require.Contains(t, c.fails(fault.Usage, "download", "#attachment", "a", "--path", "b").Error(), "takes one path")
	require.Contains(t, c.fails(fault.Usage, "download", "#attachment").Error(), "Missing arguments for: download")
}

// The names that servers and pages give stay in the folder, and replace nothing there.
func TestDownloadNames(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	c.file("sub/my notes.txt", "mine")
	c.do("download", "#named", "sub")
	c.do("download", "#named", "sub/")
	path := c.data("download", "#evil", "sub")["path"].(string)
	require.Equal(t, filepath.Join(c.dir, "sub"), filepath.Dir(path))
	disk := c.onDisk()
	require.Len(t, disk, 4)
	require.Equal(t, "mine", disk["sub/my notes.txt"])
	require.Equal(t, "plain text of notes", disk["sub/my notes (1).txt"])
	require.Equal(t, "plain text of notes", disk["sub/my notes (2).txt"])

	reply := c.do("download", "#data", "sub/my notes.txt")
	require.Contains(t, notes(reply), "was replaced")
	require.Equal(t, "from the address", c.onDisk()["sub/my notes.txt"], "the caller named it")
}

// What cannot be saved is known before anything is clicked.
func TestDownloadPathRefused(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	c.file("file", "mine")
	require.NoError(t, os.Mkdir(filepath.Join(c.dir, "closed"), 0o500))
	for _, tt := range []struct{ name, path, says string }{
		{"below a file", "file/out.bin", "is a file"},
		{"a file as folder", "file/", "is a file"},
		{"a device", "/dev/null", "not a regular file"},
		{"closed folder", "closed/out.bin", "permission denied"},
	} {
		if tt.name == "closed folder" && os.Getuid() == 0 {
			continue
		}
		err := c.fails(fault.File, "download", "#nothing", tt.path)
		require.Contains(t, err.Error(), tt.says, tt.name)
		require.Equal(t, "Reports", c.page("document.title"), "%s: it was clicked", tt.name)
	}
	require.Equal(t, map[string]string{"file": "mine"}, c.onDisk())
}

// A click that downloads nothing fails soon, with what it did instead.
func TestDownloadOfNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, target, says string }{
		{"nothing at all", "#nothing", "nothing else was seen to happen"},
		{"another page", "#page", "the page is now " + site.url("/echo?not-a-file")},
		{"a page in a tab", "#pagetab", "tab t2 shows " + site.url("/echo?not-a-file")},
		{"the server fails", "#refused", "with status 500"},
		{"a menu", "#more", "started no download"},
		{"a question", "#asks", `dialog is open: "Really?"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := openedFresh(t, "/pages/acting-files-downloads.html")
			err := c.fails(fault.DownloadFailed, "download", tt.target, "out.bin")
			require.Contains(t, err.Error(), tt.says)
			require.Empty(t, c.onDisk())
			if tt.name == "a question" {
				c.do("dialog", "dismiss")
			}
		})
	}
}

// A download that fails leaves no file, and no part of one.
func TestDownloadFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, target, says string }{
		{"missing", "#missing", "as it does when the server answers with an error"},
		{"closes the connection", "#broken", "of 100000 bytes, as it does when"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := opened(t, "/pages/acting-files-downloads.html")
			c.file("out.bin", "old")
			err := c.fails(fault.DownloadFailed, "--timeout", "60000", "download", tt.target, "out.bin")
			require.Contains(t, err.Error(), tt.says)
			require.Equal(t, map[string]string{"out.bin": "old"}, c.onDisk())
		})
	}
}

func TestDownloadTwoOfOneClick(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	c.do("download", "#two", "first.txt")
	c.do("wait", "--download", "second.txt")
	require.Equal(t, map[string]string{"first.txt": "one", "second.txt": "two"}, c.onDisk())
}

func TestDownloadInMenu(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	c.do("click", "#more")
	c.do("download", c.ref(`menuitem "As CSV"`), "./")
	require.Equal(t, map[string]string{"export.csv": "x;y"}, c.onDisk())
}

// A download that takes longer than the command's time goes on, and is available later.
func TestDownloadSlow(t *testing.T) {
	t.Parallel()
	g := site.gate(t, "")
	c := showing(t, `<a id=a href="/files/slow/?gate=`+strings.TrimPrefix(g.path, "/gate/")+`">Slow</a>`)
	err := c.fails(fault.Timeout, "--timeout", "1500", "download", "#a", "out.bin")
	// The browser writes when it likes, and before it has the answer's header it knows no size.
	require.Regexp(t, `the download of "slow.bin" has (0 bytes, of an unknown number|(0|\d{4,5}|100000) of 200000 bytes)`, err.Error())
	require.Empty(t, c.onDisk())
	reply := c.start("wait", "--download", "late.bin")
	g.open()
	c.await(reply)
	require.Equal(t, map[string]string{"late.bin": string(fileBytes(200000))}, c.onDisk())
}

func TestDownloadInFrames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src string }{
		{"of the page's own process", "/pages/acting-files-frame.html"},
		{"of another one", site.elsewhere("/pages/acting-files-frame.html")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, `<h1>Top</h1><p style="height:900px"></p><iframe title=Inner width=500 height=300 src="`+tt.src+`"></iframe>`)
			c.do("download", c.ref(`link "Get the attachment"`), "f.bin")
			require.Equal(t, map[string]string{"f.bin": string(fileBytes(1234))}, c.onDisk())
		})
	}
}

// clickToDownload clicks, and waits until the session has told that a download began.
func (c *client) clickToDownload(target string) {
	c.t.Helper()
	said := told(c.do("click", target))
	for end := time.Now().Add(commandLimit); !strings.Contains(said, "download started"); said = told(c.do("get", "url")) {
		require.True(c.t, time.Now().Before(end), "no download was reported")
	}
}

// A click whose download has yet to begin is asked about first: an older one that no command has taken does not count.
func TestWaitDownloadYetToBegin(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	g := site.gate(t, "")
	c.do("eval", `document.body.insertAdjacentHTML("beforeend", "<button id=slow>Slow</button>");
		slow.onclick = () => fetch("`+g.path+`").then(() => save("slow.txt", "it came")); 0`)
	c.do("click", "#named")
	c.do("wait", "--download", "first")
	c.clickToDownload("#named")
	c.do("click", "#slow")
	reply := c.start("wait", "--download", "newest")
	g.open()
	c.await(reply)
	c.do("wait", "--download", "older")
	require.Equal(t, map[string]string{"first": "plain text of notes", "newest": "it came", "older": "plain text of notes"}, c.onDisk())
}

func TestWaitDownload(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	c.do("click", "#attachment")
	reply := c.do("wait", "--download", "taken.pdf")
	require.Equal(t, "✓ Download saved to "+filepath.Join(c.dir, "taken.pdf"), reply.Result.Text)

	c.clickToDownload("#named")
	c.clickToDownload("#data")
	c.do("wait", "--download", "newest")
	c.do("wait", "--download", "older")
	require.Equal(t, map[string]string{
		"taken.pdf": string(fileBytes(70000)), "newest": "from the address", "older": "plain text of notes",
	}, c.onDisk())

	err := c.fails(fault.Timeout, "--timeout", "300", "wait", "--download", "no.bin")
	require.Contains(t, err.Error(), "no download began")

	c.do("eval", `setTimeout(() => save("later.txt", "it came"), 300); 0`)
	c.do("wait", "--download")
	require.Equal(t, "it came", c.onDisk()["later.txt"])
}

// A file that was downloaded and moved away since is reported as moved, not as never downloaded, whichever program wrote it.
func TestWaitDownloadOfWhatIsGone(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	gone := func(name string) {
		t.Helper()
		require.NoError(t, os.Rename(filepath.Join(c.dir, name), filepath.Join(c.dir, name+".moved")))
	}

	c.do("click", "#attachment")
	c.do("wait", "--download", "taken.pdf")
	err := c.fails(fault.Timeout, "--timeout", "300", "wait", "--download", "taken.pdf")
	require.Contains(t, err.Error(), "no download began", "it is there, and there was no other")
	gone("taken.pdf")
	err = c.fails(fault.ArtifactMissing, "--timeout", "300", "wait", "--download", "taken.pdf")
	require.Equal(t, filepath.Join(c.dir, "taken.pdf"), err.Subject)
	c.fails(fault.Timeout, "--timeout", "300", "wait", "--download", "other.pdf")

	c.do("download", "#attachment", "clicked.pdf")
	gone("clicked.pdf")
	c.fails(fault.ArtifactMissing, "--timeout", "300", "wait", "--download", "clicked.pdf")
	c.do("click", "#named")
	c.do("wait", "--download", "clicked.pdf")
	require.Equal(t, "plain text of notes", c.onDisk()["clicked.pdf"], "a new one under the same name")

	require.NoError(t, os.Mkdir(filepath.Join(c.dir, "kept"), 0o755))
	c.do("--download-path", "kept", "click", "#data")
	var kept []string
	require.Eventually(t, func() bool {
		kept, _ = filepath.Glob(filepath.Join(c.dir, "kept", "data.txt"))
		return len(kept) == 1
	}, commandLimit, 10*time.Millisecond)
	require.NoError(t, os.Rename(kept[0], filepath.Join(c.dir, "elsewhere")))
	err = c.fails(fault.ArtifactMissing, "wait", "--download", "out.txt")
	require.Equal(t, kept[0], err.Subject)
	require.NotContains(t, c.onDisk(), "out.txt")

	c.do("eval", `setTimeout(() => save("later.txt", "it came"), 300); 0`)
	c.do("press", "Shift") // an action: what is older is past
	c.do("wait", "--download", "late.txt")
	require.Equal(t, "it came", c.onDisk()["late.txt"])
}

// Sessions do not get each other's files, and their folders go with them.
func TestDownloadsBelongToTheirSession(t *testing.T) {
	t.Parallel()
	a, b := opened(t, "/pages/acting-files-downloads.html"), opened(t, "/pages/acting-files-downloads.html")
	a.do("click", "#named")
	b.do("click", "#data")
	b.do("wait", "--download", "b")
	a.do("wait", "--download", "a")
	require.Equal(t, map[string]string{"b": "from the address"}, b.onDisk())
	require.Equal(t, map[string]string{"a": "plain text of notes"}, a.onDisk())
}

// An address that is a download leaves the tab where it is, and the file is available.
func TestDownloadByOpen(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	require.Contains(t, c.fails(fault.NavigationFailed, "open", site.url("/files/bytes/direct.bin?size=77")).Error(), "wait --download")
	c.do("wait", "--download", "direct")
	require.Equal(t, map[string]string{"direct": string(fileBytes(77))}, c.onDisk())
}

func TestDownloadsOfALoop(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-files-downloads.html")
	for n := range 4 {
		c.do("download", "#named", strconv.Itoa(n))
	}
	require.Len(t, c.onDisk(), 4)
}
