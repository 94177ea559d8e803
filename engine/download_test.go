package engine_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/internal/fault"
)

func downloadSite(t *testing.T) *site {
	s := newSite(t, map[string]string{"/": `<a href="/file">File</a>`})
	s.Handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=file.bin")
		_, _ = w.Write([]byte("bytes"))
	})
	return s
}

const clickLink = `document.querySelector("a").click()`

// In a foreign browser, files go to its user's folder, except for requested ones.
func TestDownloadInForeignBrowser(t *testing.T) {
	t.Parallel()
	s := downloadSite(t)
	_, profile := foreign(t)
	b, err := engine.Attach(timed(t, limit), debuggingURL(t, profile), nil, nil)
	require.NoError(t, err)
	c := b.DefaultContext(engine.ContextOptions{})
	p := pageIn(t, c)
	open(t, p, s.URL+"/")

	stop, err := c.Downloads().Catch(timed(t, limit))
	require.NoError(t, err)
	eval(t, p, clickLink)
	d, err := c.Downloads().Await(timed(t, limit), func(d *downloads.Item) bool { return d.State == downloads.Complete })
	require.NoError(t, err)
	require.Equal(t, "file.bin", d.Name)
	require.Equal(t, s.URL+"/file", d.URL)
	require.Equal(t, p.ID(), d.Page)
	require.EqualValues(t, 5, d.Received)
	to := filepath.Join(t.TempDir(), "saved")
	var dir string
	require.NoError(t, c.Downloads().Save(d.Seq, func(from string) (string, error) {
		dir = filepath.Dir(from)
		return to, os.Rename(from, to)
	}))
	saved, err := os.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, "bytes", string(saved))

	stop()
	eval(t, p, clickLink)
	next, err := c.Downloads().Await(timed(t, limit), func(d *downloads.Item) bool {
		return d.Seq > 1 && d.State != downloads.Running
	})
	require.NoError(t, err, "it is reported nevertheless")
	require.Equal(t, fault.DownloadFailed, fault.CodeOf(c.Downloads().Save(next.Seq, func(string) (string, error) {
		return "", nil
	})))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)

	require.NoError(t, b.Close(timed(t, limit)))
	require.NoDirExists(t, dir)
}

// Files that no caller takes are deleted with their context.
func TestDownloadsGoWithTheirContext(t *testing.T) {
	t.Parallel()
	s := downloadSite(t)
	b := ownBrowser(t)
	first, second := contextIn(t, b), contextIn(t, b)
	p, q := pageIn(t, first), pageIn(t, second)
	open(t, p, s.URL+"/")
	open(t, q, s.URL+"/")
	eval(t, p, clickLink)
	d, err := first.Downloads().Await(timed(t, limit), func(d *downloads.Item) bool {
		return d.State == downloads.Complete
	})
	require.NoError(t, err)
	require.Empty(t, second.Downloads().After(0))
	var path string
	require.NoError(t, first.Downloads().Save(d.Seq, func(from string) (string, error) { path = from; return from, nil }))
	require.FileExists(t, path)
	require.NoError(t, first.Close(timed(t, limit)))
	require.NoDirExists(t, filepath.Dir(path))
}
