package chrome

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/fault"
)

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// abandon leaves a profile as a killed owner does: its files are there, its lock is free.
func abandon(t *testing.T, base string) string {
	t.Helper()
	p, err := newProfile(base)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "Cookies"), []byte("x"), 0o600))
	require.NoError(t, p.lock.Close())
	return p.dir
}

func TestProfile(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	p, err := newProfile(base)
	require.NoError(t, err)
	require.DirExists(t, p.dir)
	info, err := os.Stat(p.dir)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())

	sweep(base, time.Now().Add(time.Hour), discard())
	require.DirExists(t, p.dir, "it is in use")

	require.NoError(t, p.remove())
	entries, err := os.ReadDir(base)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestSweep(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	used, err := newProfile(base)
	require.NoError(t, err)
	left := abandon(t, base)
	orphan := filepath.Join(base, profilePrefix+"orphan")
	require.NoError(t, os.Mkdir(orphan, 0o700))
	foreign := filepath.Join(base, "foreign")
	require.NoError(t, os.Mkdir(foreign, 0o700))

	sweep(base, time.Now(), discard())
	require.NoDirExists(t, left)
	require.NoFileExists(t, left+lockSuffix)
	require.DirExists(t, used.dir)
	require.DirExists(t, orphan, "it may be about to get its lock")

	sweep(base, time.Now().Add(2*orphanAge), discard())
	require.NoDirExists(t, orphan)
	require.DirExists(t, used.dir)
	require.DirExists(t, foreign)
	require.NoError(t, used.remove())
	sweep(filepath.Join(base, "nonexistent"), time.Now(), discard())
}

func TestSweepIsBounded(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	for range sweepLimit + 2 {
		abandon(t, base)
	}
	sweep(base, time.Now(), discard())
	left, err := filepath.Glob(filepath.Join(base, "*"+lockSuffix))
	require.NoError(t, err)
	require.Len(t, left, 2)
	sweep(base, time.Now(), discard())
	entries, err := os.ReadDir(base)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A sweep that looked at the directory earlier must not act on a lock whose file was removed or replaced meanwhile.
func TestSweepLeavesAReplacedLockAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), profilePrefix+"x")
	require.False(t, sweepLocked(dir), "a lock file must not be made by a sweep")
	require.NoFileExists(t, dir+lockSuffix)

	lock := flock.New(dir + lockSuffix)
	held, err := lock.TryLock()
	require.NoError(t, err)
	require.True(t, held)
	require.True(t, lockIsCurrent(lock))
	require.False(t, sweepLocked(dir), "somebody holds it")
	require.NoError(t, os.Rename(dir+lockSuffix, dir+".old"))
	require.False(t, lockIsCurrent(lock))
	require.NoError(t, os.WriteFile(dir+lockSuffix, nil, 0o600))
	require.False(t, lockIsCurrent(lock))
	require.NoError(t, lock.Close())
}

func TestProfileEnv(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"TMPDIR=/tmp/skua-1000/profiles/profile-abcdefghijkl"}, (&profile{dir: "/tmp/skua-1000/profiles/profile-abcdefghijkl"}).env())
	require.Empty(t, (&profile{dir: "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/skua-501/profiles/profile-abcdefghijkl"}).env(),
		"the path of Chromium's socket would be too long")
}

func TestMakePrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	require.NoError(t, makePrivate(dir))
	require.NoError(t, os.Chmod(dir, 0o755))
	require.NoError(t, makePrivate(dir))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm(), "others are shut out of what is there")

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	require.Error(t, makePrivate(link), "somebody could point it elsewhere")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Error(t, makePrivate(file))
}

func TestProfileBaseFallsBack(t *testing.T) {
	tmp, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	t.Setenv("TMPDIR", tmp)
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", filepath.Dir(cache))
	base, err := profileBase()
	require.NoError(t, err)
	require.Equal(t, filepath.Join(tmp, "skua-"+userID(), "profiles"), base)

	t.Setenv("TMPDIR", t.TempDir())
	require.NoError(t, os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "skua-"+userID()), nil, 0o600))
	base, err = profileBase()
	require.NoError(t, err)
	require.Contains(t, base, filepath.Dir(cache))
	require.DirExists(t, base)
}

func TestClaimUserDir(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "profile")
	lock, err := claimUserDir(dir)
	require.NoError(t, err)
	_, err = claimUserDir(dir)
	require.True(t, fault.Is(err, fault.BrowserLaunch))
	require.ErrorContains(t, err, "in use")
	require.ErrorContains(t, err, dir)
	require.NoError(t, lock.Close())
	lock, err = claimUserDir(dir)
	require.NoError(t, err)
	require.NoError(t, lock.Close())

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = claimUserDir(file)
	require.True(t, fault.Is(err, fault.BrowserLaunch))
	require.ErrorContains(t, err, file)
}
