package session_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"
	"github.com/skua-browser/skua/session"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/profile"
)

// diskOf mounts a small disk at a folder of the caller's. It skips the test where that is not possible.
func diskOf(t *testing.T, dir string, size string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=0755,size="+size); err != nil {
		t.Skipf("a disk of its own cannot be mounted, which takes root: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
}

// fill writes to a disk until it is full. free returns that room.
func fill(t *testing.T, dir string) (free func()) {
	t.Helper()
	path := filepath.Join(dir, "filler")
	f, err := os.Create(path)
	require.NoError(t, err)
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	require.ErrorIs(t, err, unix.ENOSPC)
	require.NoError(t, f.Close())
	return func() { require.NoError(t, os.Remove(path)) }
}

// savingRow is a command that saves a file. PATH in its lines is where.
type savingRow struct {
	name   string     // of the command in the registry
	before [][]string // lines that come before, while nothing is wrong
	line   []string
	ext    string
	full   bool // only a full disk stops it, since the line before was checked
	opens  bool // it only opens the file: a full disk takes that
	own    bool // it takes a browser of its own
	keeps  bool // what it was to save is kept, and can be saved elsewhere
}

func savingRows() []savingRow {
	return []savingRow{
		{name: "screenshot", line: []string{"screenshot", "PATH"}, ext: ".png"},
		{name: "screenshot", line: []string{"screenshot", "--full", "PATH"}, ext: ".jpg"},
		{name: "screenshot", line: []string{"screenshot", "--annotate", "PATH"}, ext: ".png"},
		{
			name: "capture candidates", before: [][]string{{"snapshot", "-i"}},
			line: []string{"capture", "candidates", "e1", "e2", "PATH"}, ext: ".png",
		},
		{name: "pdf", line: []string{"pdf", "PATH"}, ext: ".pdf"},
		{
			name: "network har stop", before: [][]string{{"network", "har", "start"}},
			line: []string{"network", "har", "stop", "PATH"}, ext: ".har", keeps: true,
		},
		{
			name: "network request", before: [][]string{{"network", "requests"}, {"reload"}},
			line: []string{"network", "request", "ID", "--body-file", "PATH"}, ext: ".html",
		},
		{name: "record start", line: []string{"record", "start", "PATH"}, ext: ".webm", opens: true},
		{name: "record restart", line: []string{"record", "restart", "PATH"}, ext: ".webm", opens: true},
		{
			name: "record stop", before: [][]string{{"record", "start", "x.webm"}, {"reload"}},
			line: []string{"record", "stop", "PATH"}, ext: ".webm", keeps: true,
		},
		{
			name: "record stop", before: [][]string{{"record", "start", "x.mp4"}, {"reload"}},
			line: []string{"record", "stop", "PATH"}, ext: ".mp4", keeps: true,
		},
		{
			name: "trace stop", before: [][]string{{"trace", "start"}}, line: []string{"trace", "stop", "PATH"}, ext: ".json",
			own: true, keeps: true,
		},
		{
			name: "profiler stop", before: [][]string{{"profiler", "start"}}, line: []string{"profiler", "stop", "PATH"},
			ext: ".json", own: true, keeps: true,
		},
		{
			name: "profiler stop", before: [][]string{{"profiler", "start", "--cpu"}, {"reload"}},
			line: []string{"profiler", "stop", "PATH"}, ext: ".cpuprofile", keeps: true,
		},
		{name: "heap snapshot", line: []string{"heap", "snapshot", "PATH"}, ext: ".heapsnapshot"},
		{name: "state save", line: []string{"state", "save", "PATH"}, ext: ".json"},
		{name: "download", line: []string{"download", "#attachment", "PATH"}, ext: ".pdf"},
		{
			name: "wait", before: [][]string{{"click", "#attachment"}}, line: []string{"wait", "--download", "PATH"},
			ext: ".pdf",
		},
		{name: "journal export", line: []string{"journal", "export", "sh", "PATH"}, ext: ".sh"},
		{
			name:   "diff screenshot",
			before: [][]string{{"screenshot", "before.png"}, {"eval", "document.body.style.background = 'red'"}},
			line:   []string{"diff", "screenshot", "--baseline", "before.png", "--output", "PATH"}, ext: ".png",
		},
		{
			name: "diff screenshot", before: [][]string{{"screenshot", "before.png"}}, // of what did not change
			line: []string{"diff", "screenshot", "--baseline", "before.png", "--output", "PATH"}, ext: ".png",
		},
		// of equal pages
		{name: "diff url", line: []string{"diff", "url", "URL", "URL", "--screenshot", "--output", "PATH"}, ext: ".png"},
		{
			name: "diff url", line: []string{
				"diff", "url", "URL", site.URL("/"), "--screenshot", "--output", "PATH",
			}, ext: ".png",
		},
	}
}

// TestSavingRowsAreComplete fails when a command that writes a file has no row.
func TestSavingRowsAreComplete(t *testing.T) {
	t.Parallel()
	rows := savingRows()
	for _, cmd := range catalog.Registry().Commands() {
		if cmd.Writes != nil {
			require.True(t, slices.ContainsFunc(rows, func(r savingRow) bool {
				return r.name == cmd.Name
			}), "%s writes a file", cmd.Name)
		}
	}
}

// TestNothingIsSavedAndNothingSaysSo has each command that saves a file save it where that is not possible: it fails,
// names the path that the caller gave, and leaves nothing.
func TestNothingIsSavedAndNothingSaysSo(t *testing.T) {
	t.Parallel()
	for _, row := range savingRows() {
		t.Run(strings.Join(row.line, " ")+row.ext, func(t *testing.T) {
			t.Parallel()
			t.Run("disk full", func(t *testing.T) {
				t.Parallel()
				if row.opens {
					t.Skip("it only opens the file, which a full disk takes")
				}
				c := row.client(t)
				disk := filepath.Join(c.Dir, "disk")
				diskOf(t, disk, "256k")
				given := filepath.Join("disk", "out"+row.ext)
				prepare(c, row, given)
				fill(t, disk)
				savesNothing(c, row, given)
				savesElsewhere(c, row)
			})
			for name, given := range map[string]string{
				"the folder is a file": filepath.Join("file", "out"+row.ext),
				"name too long":        "./" + strings.Repeat("n", 260) + row.ext,
			} {
				if row.full {
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					c := row.client(t)
					c.WriteFile("file", "mine")
					prepare(c, row, given)
					savesNothing(c, row, given)
					savesElsewhere(c, row)
				})
			}
		})
	}
}

func (r *savingRow) client(t *testing.T) *sessiontest.Client {
	t.Helper()
	if !r.own {
		return host.Opened(t, "/pages/acting-files-downloads.html")
	}
	c := host.NewClient(t)
	c.Do("--isolate", "process", "open", site.URL("/pages/acting-files-downloads.html"))
	return c
}

func prepare(c *sessiontest.Client, row savingRow, given string) {
	c.T.Helper()
	for _, line := range row.before {
		c.Do(filled(c, line, given)...)
	}
}

// filled is a line with what stands for a path, an address and a request.
func filled(c *sessiontest.Client, line []string, given string) []string {
	c.T.Helper()
	line = slices.Clone(line)
	for i, word := range line {
		switch {
		case word == "PATH":
			line[i] = given
		case strings.HasPrefix(word, "URL"):
			line[i] = strings.Replace(word, "URL", site.URL("/pages/acting-files-downloads.html"), 1)
		case word == "ID":
			line[i] = c.RequestTo(".html")["requestId"].(string)
		}
	}
	return line
}

func savesNothing(c *sessiontest.Client, row savingRow, given string) {
	c.T.Helper()
	reply := c.Try(filled(c, row.line, given)...)
	require.Error(c.T, reply.Err, "it said %q", reply.Result.Text)
	require.Equal(c.T, fault.File, fault.CodeOf(reply.Err), "%v", reply.Err)
	require.Contains(c.T, reply.Err.Error(), given)
	require.NotContains(c.T, reply.Err.Error(), ".skua-")
	err := filepath.WalkDir(c.Dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".skua-") {
			return errors.New(path + " is left")
		}
		return err
	})
	require.NoError(c.T, err)
}

// savesElsewhere saves what could not be saved, where it is kept for that. It is saved once.
func savesElsewhere(c *sessiontest.Client, row savingRow) {
	c.T.Helper()
	if !row.keeps {
		return
	}
	line := filled(c, row.line, "elsewhere"+row.ext)
	c.Do(line...)
	content, err := os.ReadFile(filepath.Join(c.Dir, "elsewhere"+row.ext))
	require.NoError(c.T, err)
	if row.name == "record stop" {
		frames(c, "elsewhere"+row.ext)
	} else {
		require.True(c.T, json.Valid(content), "%.100s", content)
	}
	require.Error(c.T, c.Try(line...).Err)
}

// TestRecordingThatCannotBeSaved has the place of a recording go while it is made. The video is kept, and saved
// elsewhere, once.
func TestRecordingThatCannotBeSaved(t *testing.T) {
	t.Parallel()
	for _, ext := range []string{".webm", ".mp4"} {
		for name, spoil := range map[string]func(t *testing.T, dir string){
			"disk full": func(t *testing.T, dir string) { t.Helper(); fill(t, dir) },
			"folder replaced by a file": func(t *testing.T, dir string) {
				t.Helper()
				require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH))
				require.NoError(t, os.RemoveAll(dir))
				require.NoError(t, os.WriteFile(dir, []byte("mine"), 0o600))
			},
			"a folder of its name": func(t *testing.T, dir string) {
				t.Helper()
				require.NoError(t, os.MkdirAll(filepath.Join(dir, "x"+ext, "in"), 0o755))
			},
		} {
			t.Run(name+ext, func(t *testing.T) {
				t.Parallel()
				c := host.Opened(t, "/pages/acting-files-downloads.html")
				disk := filepath.Join(c.Dir, "disk")
				require.NoError(t, os.MkdirAll(disk, 0o755))
				if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "mode=0755,size=256k"); err != nil {
					t.Skipf("a disk of its own cannot be mounted, which takes root: %v", err)
				}
				t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
				args := []string{"record", "start", "disk/x" + ext}
				if ext == ".webm" {
					args = append(args, "--contact-sheet")
				}
				c.Do(args...)
				c.Do("reload")
				spoil(t, disk)
				for range 2 {
					reply := c.Try("record", "stop")
					require.Equal(t, fault.File, fault.CodeOf(reply.Err), "%q, %v", reply.Result.Text, reply.Err)
					require.Contains(t, reply.Err.Error(), "disk/x")
					require.Contains(t, reply.Err.Error(), "`record stop <other path>` saves it")
				}
				c.Fails(fault.Usage, "record", "stop", "other.mkv")
				c.Do("record", "stop", "elsewhere"+ext)
				require.Positive(t, frames(c, "elsewhere"+ext))
				if ext == ".webm" {
					require.NotEmpty(t, c.OnDisk()["elsewhere.contact-sheet.png"])
				}
				c.Fails(fault.CaptureState, "record", "stop")
			})
		}
		t.Run("folder gone"+ext, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-files-downloads.html")
			c.Do("record", "start", "gone/x"+ext)
			c.Do("reload")
			require.NoError(t, os.RemoveAll(filepath.Join(c.Dir, "gone")))
			c.Do("record", "stop") // which makes it again
			require.Positive(t, frames(c, "gone/x"+ext))
		})
	}
}

// TestDownloadPathThatTakesNothing has --download-path save where that stops being possible. A file that is not saved
// there can still be saved elsewhere; a folder that is gone is made again.
func TestDownloadPathThatTakesNothing(t *testing.T) {
	t.Parallel()
	t.Run("disk full", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-files-downloads.html")
		disk := filepath.Join(c.Dir, "disk")
		diskOf(t, disk, "256k")
		c.Do("--download-path", "disk", "get", "title")
		free := fill(t, disk)
		unsaved := `The download of "my notes.txt" could not be saved in ` + disk + ": no space left on device"
		clickUnsaved(c, "#named", unsaved)
		require.NotContains(t, sessiontest.Told(c.Do("get", "url")), unsaved, "twice")
		c.Do("wait", "--download", "saved.txt") // the file stays with the browser
		require.Equal(t, "plain text of notes", c.OnDisk()["saved.txt"])

		clickUnsaved(c, "#named", unsaved)
		r := c.Try("close")
		require.Equal(t, fault.File, fault.CodeOf(r.Err), "%q, %v", r.Result.Text, r.Err)
		require.Contains(t, r.Err.Error(), "the browser was closed, but "+unsaved)

		c.Do("open", site.URL("/pages/acting-files-downloads.html"))
		c.Do("--download-path", "disk", "get", "title")
		clickUnsaved(c, "#named", unsaved)
		free()
		c.Do("close") // which tries again
		require.Equal(t, "plain text of notes", c.OnDisk()["disk/my notes.txt"])
	})
	t.Run("told by a later reply", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-files-downloads.html")
		disk := filepath.Join(c.Dir, "disk")
		diskOf(t, disk, "256k")
		c.Do("--download-path", "disk", "get", "title")
		fill(t, disk)
		g := site.Gate(t, "")
		c.Do("eval",
			`document.querySelector("#attachment").href = "/files/slow/?gate=`+strings.TrimPrefix(g.Path, "/gate/")+`"; 0`)
		c.ClickToDownload("#attachment")
		g.Open()
		require.Eventually(t, func() bool {
			return strings.Contains(sessiontest.Told(c.Do("get", "url")), "could not be saved in "+disk)
		}, sessiontest.CommandLimit, sessiontest.CommandLimit/100)
		require.NotContains(t, sessiontest.Told(c.Do("get", "url")), "could not be saved", "once")
	})
	t.Run("folder gone", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-files-downloads.html")
		c.Do("--download-path", "kept", "get", "title")
		require.NoError(t, os.Remove(filepath.Join(c.Dir, "kept")))
		c.Do("click", "#named")
		require.Eventually(t, func() bool {
			return c.OnDisk()["kept/my notes.txt"] == "plain text of notes"
		}, sessiontest.CommandLimit, sessiontest.CommandLimit/100)
	})
	t.Run("folder replaced by a file", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-files-downloads.html")
		c.Do("--download-path", "kept", "get", "title")
		require.NoError(t, os.Remove(filepath.Join(c.Dir, "kept")))
		c.WriteFile("kept", "mine")
		clickUnsaved(c, "#named", `The download of "my notes.txt" could not be saved in `)
		r := c.Try("close")
		require.Equal(t, fault.File, fault.CodeOf(r.Err), "%q, %v", r.Result.Text, r.Err)
		require.Contains(t, r.Err.Error(), "the browser was closed, but ")
		require.Contains(t, r.Err.Error(), `The download of "my notes.txt" could not be saved in `)
	})
	t.Run("not complete at the end", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-files-downloads.html")
		c.Do("--download-path", "kept", "get", "title")
		g := site.Gate(t, "")
		c.Do("eval",
			`document.querySelector("#attachment").href = "/files/slow/?gate=`+strings.TrimPrefix(g.Path, "/gate/")+`"; 0`)
		c.ClickToDownload("#attachment")
		r := c.Try("close")
		require.Equal(t, fault.File, fault.CodeOf(r.Err), "%q, %v", r.Result.Text, r.Err)
		require.Contains(t, r.Err.Error(), "was not complete")
	})
	t.Run("name too long", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-files-downloads.html")
		for name, long := range map[string]string{"letters": strings.Repeat("n", 300), "bytes": strings.Repeat("名", 100)} {
			c.Do("eval", `document.querySelector("#named").download = "`+long+`.txt"; 0`)
			c.Do("download", "#named", name+"/")
			entries, err := os.ReadDir(filepath.Join(c.Dir, name))
			require.NoError(t, err)
			require.Len(t, entries, 1)
			require.Equal(t, ".txt", filepath.Ext(entries[0].Name()))
			require.Greater(t, len(entries[0].Name()), 200)
		}
		c.Do("--download-path", "kept", "click", "#named")
		require.Eventually(t, func() bool {
			entries, err := os.ReadDir(filepath.Join(c.Dir, "kept"))
			return err == nil && len(entries) == 1 && len(entries[0].Name()) > 200
		}, sessiontest.CommandLimit, sessiontest.CommandLimit/100)
	})
}

// clickUnsaved clicks, and waits until a reply says that the download which that began could not be saved: the one of
// the click, which fails or notes it, or that of a later command when the browser began after it.
func clickUnsaved(c *sessiontest.Client, target, says string) {
	c.T.Helper()
	r := c.Try("click", target)
	if r.Err != nil {
		require.Equal(c.T, fault.File, fault.CodeOf(r.Err), "%v", r.Err)
		require.Contains(c.T, r.Err.Error(), "The action was done. "+says)
		require.Equal(c.T, actions.OutcomeDone, r.Result.Outcome)
		return
	}
	if strings.Contains(sessiontest.Told(r), says) {
		return
	}
	require.Eventually(c.T, func() bool {
		return strings.Contains(sessiontest.Told(c.Do("get", "url")), says)
	}, sessiontest.CommandLimit, sessiontest.CommandLimit/100)
}

// frames is how many frames ffprobe finds in a recording below the caller's folder.
func frames(c *sessiontest.Client, path string) int {
	c.T.Helper()
	out, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
		"stream=nb_read_frames",
		"-of", "default=noprint_wrappers=1:nokey=1", filepath.Join(c.Dir, path)).CombinedOutput()
	require.NoError(c.T, err, "ffprobe comes with ffmpeg, which scripts/need installs: %s", out)
	n, err := strconv.Atoi(strings.TrimSpace(string(out)))
	require.NoError(c.T, err)
	return n
}

// A session that is closed while its video cannot be saved says so, with what was done besides; the video is kept.
func TestCloseWithoutTheVideo(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	record := func(do func(args ...string) session.Reply, dir string) {
		do("record", "start", "gone/x.webm")
		do("reload")
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "gone")))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "gone"), []byte("mine"), 0o600))
	}
	record(c.Do, c.Dir)
	reply := c.Try("close")
	require.Equal(t, fault.File, fault.CodeOf(reply.Err), "%q, %v", reply.Result.Text, reply.Err)
	require.Contains(t, reply.Err.Error(), "the browser was closed, but the recording could not be saved: ")
	require.Contains(t, reply.Err.Error(), "gone/x.webm")
	require.True(t, fault.Has(reply.Err, actions.FactClosed))
	require.Empty(t, sessiontest.Notes(reply), "said once")
	f, ok := errors.AsType[*fault.Error](reply.Err)
	require.True(t, ok)
	kept, ok := f.Facts["kept"].(string)
	require.True(t, ok, "%v", f.Facts)
	t.Cleanup(func() { _ = os.Remove(kept) })
	require.Contains(t, f.Message, kept)
	require.NoError(t, os.Rename(kept, filepath.Join(c.Dir, "kept.webm")))
	require.Positive(t, frames(c, "kept.webm"))
	require.Equal(t, "✓ Browser closed", c.Do("close").Result.Text, "the next one has nothing left to save")

	// With all others.
	other := sessiontest.Caller{
		T: t, Manager: host.StartManager(t, session.Options{}), Dir: t.TempDir(),
		Env: map[string]string{"HOME": t.TempDir()},
	}
	other.Do("open", site.URL("/pages/acting-files-downloads.html"))
	record(other.Do, other.Dir)
	require.ErrorContains(t, other.Try("close", "--all").Err, "the recording could not be saved: ")
	require.Empty(t, other.Data("session", "list")["sessions"])
}

// What a killed host had recorded is removed by the next recording.
func TestVideoOfAKilledHostIsRemoved(t *testing.T) {
	t.Parallel()
	base, err := profile.Base(profile.Drafts)
	require.NoError(t, err)
	left, err := profile.New(base, profile.DraftPrefix)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(left.Dir(), "x.webm"), []byte("half"), 0o600))
	left.Release() // as the end of its process does
	c := host.Opened(t, "/pages/acting-files-downloads.html")
	c.Do("record", "start", "x.webm")
	require.NoDirExists(t, left.Dir())
	c.Do("record", "stop")
	require.Positive(t, frames(c, "x.webm"))
}
