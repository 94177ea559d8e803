package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestDownloadsFolderIsMadeAgain has the folder of temporary files emptied, as cleaners do: downloads go on, in this
// session and in another one of the same browser. A disk that is full is named, and not the server.
func TestDownloadsFolderIsMadeAgain(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", `<a id=small download=small.txt href="data:text/plain,small">Small</a>`)
	u.works(t, "open", page)
	u.works(t, "download", "#small", "one.txt")
	empty := func() {
		entries, err := os.ReadDir(u.tmp)
		require.NoError(t, err)
		require.NotEmpty(t, entries, "the browser keeps its files elsewhere")
		for _, e := range entries {
			require.NoError(t, os.RemoveAll(filepath.Join(u.tmp, e.Name())))
		}
	}
	empty()
	u.works(t, "download", "#small", "two.txt")
	empty()
	u.works(t, "--session", "other", "open", page)
	u.works(t, "--session", "other", "download", "#small", "three.txt")
	empty()
	u.works(t, "click", "#small")
	u.works(t, "wait", "--download", "four.txt")
	for _, name := range []string{"one.txt", "two.txt", "three.txt", "four.txt"} {
		got, err := os.ReadFile(filepath.Join(u.cwd, name))
		require.NoError(t, err)
		require.Equal(t, "small", string(got), name)
	}
	u.works(t, "close", "--all")
}

func TestFullDiskOfTheDownloadsFolder(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	if err := unix.Mount("tmpfs", u.tmp, "tmpfs", 0, "mode=0700,size=40m"); err != nil {
		t.Skipf("a disk of its own cannot be mounted, which takes root: %v", err)
	}
	defer func() {
		u.call(t, "close", "--all")
		require.NoError(t, unix.Unmount(u.tmp, unix.MNT_DETACH))
	}()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large.bin" {
			w.Header().Set("Content-Disposition", "attachment")
			_, _ = w.Write(make([]byte, 3e6))
			return
		}
		_, _ = w.Write([]byte("<!doctype html><a id=large href=/large.bin>Large</a>"))
	}))
	defer site.Close()
	u.works(t, "open", site.URL)
	u.works(t, "download", "#large", "one.bin")
	f, err := os.Create(filepath.Join(u.tmp, "filler"))
	require.NoError(t, err)
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	require.ErrorIs(t, err, unix.ENOSPC)
	require.NoError(t, f.Close())
	got := u.call(t, "download", "#large", "two.bin")
	require.NotZero(t, got.Code)
	require.Contains(t, got.Err, "the disk of "+u.tmp)
	require.Contains(t, got.Err, "is full")
	require.NotContains(t, got.Err, "server")
	require.NoFileExists(t, filepath.Join(u.cwd, "two.bin"))
}
