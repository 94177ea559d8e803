package download_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestDownload(t *testing.T) {
	t.Parallel()
	page := host.Opened(t, "/pages/acting-files-downloads.html")
	for _, tt := range []struct {
		name, target, path string
		saved, content     string
		own                string // what the page calls the file
	}{
		{"attachment", "#attachment", "out.pdf", "out.pdf", string(sessiontest.FileBytes(70000)), "report.pdf"},
		{
			"into a folder that is not there", "#attachment", "a/b/", "a/b/report.pdf", string(sessiontest.FileBytes(70000)),
			"report.pdf",
		},
		{
			"to a file in a folder that is not there", "#attachment", "a/b/c.bin", "a/b/c.bin",
			string(sessiontest.FileBytes(70000)), "report.pdf",
		},
		{"into the current folder", "#named", ".", "my notes.txt", "plain text of notes", "my notes.txt"},
		{"named by the page", "#named", "n", "n", "plain text of notes", "my notes.txt"},
		{"after a redirect", "#redirected", "./", "moved.bin", string(sessiontest.FileBytes(300)), "moved.bin"},
		{"link to a new tab", "#tab", "./", "tab.bin", string(sessiontest.FileBytes(400)), "tab.bin"},
		{"window.open", "#opened", "./", "opened.bin", string(sessiontest.FileBytes(500)), "opened.bin"},
		{"data address", "#data", "./", "data.txt", "from the address", "data.txt"},
		{
			"blob, among equal buttons", `xpath=(//button[.="Download invoice"])[2]`, "./", "invoice-1002.txt",
			"invoice of 1002", "invoice-1002.txt",
		},
		{"form", "#post", "./", "posted.csv", "POST a,b,c", "posted.csv"},
		{"fetched and then saved", "#fetched", "./", "prepared.txt", "plain text of prepared", "prepared.txt"},
		{"empty", "#empty", "./", "empty.bin", "", "empty.bin"},
		{"large", "#large", "./", "large.bin", string(sessiontest.FileBytes(3000000)), "large.bin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Dir = t.TempDir()
			reply := c.Do("download", tt.target, tt.path)
			disk := c.OnDisk()
			require.Len(t, disk, 1, "nothing else is left")
			require.True(t, tt.content == disk[tt.saved], "%s has other bytes", tt.saved)
			data := sessiontest.Decode[object](t, reply.Result.Data)
			require.Equal(t, filepath.Join(c.Dir, tt.saved), data["path"])
			require.Equal(t, tt.own, data["name"])
			require.EqualValues(t, len(tt.content), data["size"])
			require.Contains(t, reply.Result.Text, "✓ Download saved to "+filepath.Join(c.Dir, tt.saved))
			require.Equal(t, site.URL("/pages/acting-files-downloads.html"), c.Page("location.href"), "the page stays")
			require.Len(t, sessiontest.Decode[struct {
				Tabs []object
			}](t, c.Do("tab", "list").Result.Data).Tabs, 1, "no empty tab stays")
		})
	}
}

func TestDownloadPathFlag(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	c.Do("download", "text=Yearly report", "--path", "x.pdf")
	require.Equal(t, map[string]string{"x.pdf": string(sessiontest.FileBytes(70000))}, c.OnDisk())
	require.Contains(t, c.Fails(fault.Usage, "download", "#attachment", "a", "--path", "b").Error(), "takes one path")
	require.Contains(t, c.Fails(fault.Usage, "download", "#attachment").Error(), "Missing arguments for: download")
}

// The names that servers and pages give stay in the folder, and replace nothing there.
func TestDownloadNames(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	c.WriteFile("sub/my notes.txt", "mine")
	c.Do("download", "#named", "sub")
	c.Do("download", "#named", "sub/")
	path := c.Data("download", "#evil", "sub")["path"].(string)
	require.Equal(t, filepath.Join(c.Dir, "sub"), filepath.Dir(path))
	disk := c.OnDisk()
	require.Len(t, disk, 4)
	require.Equal(t, "mine", disk["sub/my notes.txt"])
	require.Equal(t, "plain text of notes", disk["sub/my notes (1).txt"])
	require.Equal(t, "plain text of notes", disk["sub/my notes (2).txt"])

	reply := c.Do("download", "#data", "sub/my notes.txt")
	require.Contains(t, sessiontest.Notes(reply), "was replaced")
	require.Equal(t, "from the address", c.OnDisk()["sub/my notes.txt"], "the caller named it")
}

// What cannot be saved is known before anything is clicked.
func TestDownloadPathRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	c.WriteFile("file", "mine")
	require.NoError(t, os.Mkdir(filepath.Join(c.Dir, "closed"), 0o500))
	for _, tt := range []struct{ name, path, says string }{
		{"below a file", "file/out.bin", "is a file"},
		{"a file as folder", "file/", "is a file"},
		{"a device", "/dev/null", "not a regular file"},
		{"closed folder", "closed/out.bin", "permission denied"},
	} {
		if tt.name == "closed folder" && os.Getuid() == 0 {
			continue
		}
		err := c.Fails(fault.File, "download", "#nothing", tt.path)
		require.Contains(t, err.Error(), tt.says, tt.name)
		require.Equal(t, "Reports", c.Page("document.title"), "%s: it was clicked", tt.name)
	}
	require.Equal(t, map[string]string{"file": "mine"}, c.OnDisk())
}

// A click that downloads nothing fails soon, with what it did instead.
func TestDownloadOfNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, target, says string }{
		{"nothing at all", "#nothing", "nothing else was seen to happen"},
		{"another page", "#page", "the page is now " + site.URL("/echo?not-a-file")},
		{"a page in a tab", "#pagetab", "tab t2 shows " + site.URL("/echo?not-a-file")},
		{"the server fails", "#refused", "with status 500"},
		{"a menu", "#more", "started no download"},
		{"a question", "#asks", `dialog is open: "Really?"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.OpenedFresh(t, "/pages/acting-files-downloads.html")
			err := c.Fails(fault.DownloadFailed, "download", tt.target, "out.bin")
			require.Contains(t, err.Error(), tt.says)
			require.Empty(t, c.OnDisk())
			if tt.name == "a question" {
				c.Do("dialog", "dismiss")
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
			c := host.Opened(t, "/pages/acting-files-downloads.html")
			c.WriteFile("out.bin", "old")
			err := c.Fails(fault.DownloadFailed, "--timeout", "60000", "download", tt.target, "out.bin")
			require.Contains(t, err.Error(), tt.says)
			require.Equal(t, map[string]string{"out.bin": "old"}, c.OnDisk())
		})
	}
}

func TestDownloadTwoOfOneClick(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	c.Do("download", "#two", "first.txt")
	c.Do("wait", "--download", "second.txt")
	require.Equal(t, map[string]string{"first.txt": "one", "second.txt": "two"}, c.OnDisk())
}

func TestDownloadInMenu(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	c.Do("click", "#more")
	c.Do("download", c.Ref(`menuitem "As CSV"`), "./")
	require.Equal(t, map[string]string{"export.csv": "x;y"}, c.OnDisk())
}

// A download that takes longer than the command's time goes on, and is available later.
func TestDownloadSlow(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c := host.Showing(t, `<a id=a href="/files/slow/?gate=`+strings.TrimPrefix(g.Path, "/gate/")+`">Slow</a>`)
	err := c.Fails(fault.Timeout, "--timeout", "1500", "download", "#a", "out.bin")
	// The browser writes when it likes, and before it has the answer's header it knows no size.
	require.Regexp(t, `the download of "slow.bin" has (0 bytes, of an unknown number|(0|\d{4,5}|100000) of 200000 bytes)`,
		err.Error())
	require.Empty(t, c.OnDisk())
	reply := c.Start("wait", "--download", "late.bin")
	g.Open()
	c.Await(reply)
	require.Equal(t, map[string]string{"late.bin": string(sessiontest.FileBytes(200000))}, c.OnDisk())
}

func TestDownloadInFrames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src string }{
		{"of the page's own process", "/pages/acting-files-frame.html"},
		{"of another one", site.Elsewhere("/pages/acting-files-frame.html")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t,
				`<h1>Top</h1><p style="height:900px"></p><iframe title=Inner width=500 height=300 src="`+tt.src+`"></iframe>`)
			c.Do("download", c.Ref(`link "Get the attachment"`), "f.bin")
			require.Equal(t, map[string]string{"f.bin": string(sessiontest.FileBytes(1234))}, c.OnDisk())
		})
	}
}

// A click whose download has yet to begin is asked about first: an older one that no command has taken does not count.
func TestWaitDownloadYetToBegin(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	g := site.Gate(t, "")
	c.Do("eval", `document.body.insertAdjacentHTML("beforeend", "<button id=slow>Slow</button>");
		slow.onclick = () => fetch("`+g.Path+`").then(() => save("slow.txt", "it came")); 0`)
	c.Do("click", "#named")
	c.Do("wait", "--download", "first")
	c.ClickToDownload("#named")
	c.Do("click", "#slow")
	reply := c.Start("wait", "--download", "newest")
	g.Open()
	c.Await(reply)
	c.Do("wait", "--download", "older")
	require.Equal(t,
		map[string]string{"first": "plain text of notes", "newest": "it came", "older": "plain text of notes"}, c.OnDisk())
}

func TestWaitDownload(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	c.Do("click", "#attachment")
	reply := c.Do("wait", "--download", "taken.pdf")
	require.Equal(t, "✓ Download saved to "+filepath.Join(c.Dir, "taken.pdf"), reply.Result.Text)

	c.ClickToDownload("#named")
	c.ClickToDownload("#data")
	c.Do("wait", "--download", "newest")
	c.Do("wait", "--download", "older")
	require.Equal(t, map[string]string{
		"taken.pdf": string(sessiontest.FileBytes(70000)), "newest": "from the address", "older": "plain text of notes",
	}, c.OnDisk())

	err := c.Fails(fault.Timeout, "--timeout", "300", "wait", "--download", "no.bin")
	require.Contains(t, err.Error(), "no download began")

	c.Do("eval", `setTimeout(() => save("later.txt", "it came"), 300); 0`)
	c.Do("wait", "--download")
	require.Equal(t, "it came", c.OnDisk()["later.txt"])
}

// A file that was downloaded and moved away since is reported as moved, not as never downloaded, whichever program
// wrote it.
func TestWaitDownloadOfWhatIsGone(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	gone := func(name string) {
		t.Helper()
		require.NoError(t, os.Rename(filepath.Join(c.Dir, name), filepath.Join(c.Dir, name+".moved")))
	}

	c.Do("click", "#attachment")
	c.Do("wait", "--download", "taken.pdf")
	err := c.Fails(fault.Timeout, "--timeout", "300", "wait", "--download", "taken.pdf")
	require.Contains(t, err.Error(), "no download began", "it is there, and there was no other")
	gone("taken.pdf")
	err = c.Fails(fault.ArtifactMissing, "--timeout", "300", "wait", "--download", "taken.pdf")
	require.Equal(t, filepath.Join(c.Dir, "taken.pdf"), err.Subject)
	c.Fails(fault.Timeout, "--timeout", "300", "wait", "--download", "other.pdf")

	c.Do("download", "#attachment", "clicked.pdf")
	gone("clicked.pdf")
	c.Fails(fault.ArtifactMissing, "--timeout", "300", "wait", "--download", "clicked.pdf")
	c.Do("click", "#named")
	c.Do("wait", "--download", "clicked.pdf")
	require.Equal(t, "plain text of notes", c.OnDisk()["clicked.pdf"], "a new one under the same name")

	require.NoError(t, os.Mkdir(filepath.Join(c.Dir, "kept"), 0o755))
	c.Do("--download-path", "kept", "click", "#data")
	var kept []string
	require.Eventually(t, func() bool {
		kept, _ = filepath.Glob(filepath.Join(c.Dir, "kept", "data.txt"))
		return len(kept) == 1
	}, sessiontest.CommandLimit, 10*time.Millisecond)
	require.NoError(t, os.Rename(kept[0], filepath.Join(c.Dir, "elsewhere")))
	err = c.Fails(fault.ArtifactMissing, "wait", "--download", "out.txt")
	require.Equal(t, kept[0], err.Subject)
	require.NotContains(t, c.OnDisk(), "out.txt")

	c.Do("eval", `setTimeout(() => save("later.txt", "it came"), 300); 0`)
	c.Do("press", "Shift") // an action: what is older is past
	c.Do("wait", "--download", "late.txt")
	require.Equal(t, "it came", c.OnDisk()["late.txt"])
}

// Sessions do not get each other's files, and their folders go with them.
func TestDownloadsBelongToTheirSession(t *testing.T) {
	t.Parallel()
	a, b := host.Opened(t, "/pages/acting-files-downloads.html"), host.Opened(t, "/pages/acting-files-downloads.html")
	a.Do("click", "#named")
	b.Do("click", "#data")
	b.Do("wait", "--download", "b")
	a.Do("wait", "--download", "a")
	require.Equal(t, map[string]string{"b": "from the address"}, b.OnDisk())
	require.Equal(t, map[string]string{"a": "plain text of notes"}, a.OnDisk())
}

// An address that is a download leaves the tab where it is, and the file is available.
func TestDownloadByOpen(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	require.Contains(t, c.Fails(fault.NavigationFailed, "open", site.URL("/files/bytes/direct.bin?size=77")).Error(),
		"wait --download")
	c.Do("wait", "--download", "direct")
	require.Equal(t, map[string]string{"direct": string(sessiontest.FileBytes(77))}, c.OnDisk())
}

func TestDownloadsOfALoop(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	for n := range 4 {
		c.Do("download", "#named", strconv.Itoa(n))
	}
	require.Len(t, c.OnDisk(), 4)
}
