package chrome

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// leaveSingleton puts a lock of Chromium's into a profile.
func leaveSingleton(t *testing.T, dir, host string, pid int) {
	t.Helper()
	for _, file := range singletonFiles {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, file)))
	}
	require.NoError(t, os.Symlink(fmt.Sprintf("%s-%d", host, pid), filepath.Join(dir, "SingletonLock")))
	require.NoError(t,
		os.Symlink("/tmp/org.chromium.Chromium.none/SingletonSocket", filepath.Join(dir, "SingletonSocket")))
}

func TestStaleSingleton(t *testing.T) {
	t.Parallel()
	here, err := os.Hostname()
	require.NoError(t, err)
	for _, tt := range []struct {
		name string
		host string
		pid  int
		note string
	}{
		{"of another computer", "elsewhere", 4711, "a stale lock of process 4711 on the computer elsewhere"},
		{"of a computer with a hyphen", "web-7-b", 1, "a stale lock of process 1 on the computer web-7-b"},
		{
			"of a number that another process has now", here, os.Getpid(),
			fmt.Sprintf("a stale lock of process %d,", os.Getpid()),
		},
		{"of a process that is gone, which Chromium itself replaces", here, 1<<22 + 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			leaveSingleton(t, dir, tt.host, tt.pid)
			require.NoError(t, ProfileFree(dir))
			require.NotNil(t, readSingleton(dir), "to ask is not to mend")
			p := launch(t, Options{ExecutablePath: installed(t)["full"], Headless: true, UserDataDir: dir})
			_, err := newPeer(p).call("Browser.getVersion", nil, "")
			require.NoError(t, err)
			if tt.note == "" {
				require.Empty(t, p.Mended())
			} else {
				require.Contains(t, p.Mended(), tt.note)
				require.Contains(t, p.Mended(), dir)
			}
			require.Equal(t, here, readSingleton(dir).host)
		})
	}
}

// A browser of another container has another name for the computer, and a process number that says nothing here.
func TestSingletonOfARunningBrowser(t *testing.T) {
	t.Parallel()
	paths := installed(t)
	dir := filepath.Join(t.TempDir(), "a [b]*")
	p := launch(t, Options{ExecutablePath: paths["full"], Headless: true, UserDataDir: dir})
	_, err := newPeer(p).open("data:text/html,page")
	require.NoError(t, err)
	require.NoError(t, p.userDir.Unlock())
	leaveSingleton(t, dir, "elsewhere", 4711)
	for _, path := range paths {
		ctx, cancel := context.WithTimeout(t.Context(), 10*departurePause) // a browser that does not end is waited for
		defer cancel()
		_, err := Launch(ctx, Options{ExecutablePath: path, Headless: true, UserDataDir: dir})
		require.Equal(t, fault.BrowserLaunch, fault.CodeOf(err))
		require.ErrorContains(t, err, "in use by another browser (process 4711 on the computer elsewhere)")
	}
	require.NotNil(t, readSingleton(dir), "its lock is not ours to remove")
}
