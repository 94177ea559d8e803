package profile

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/private"
)

const prefix = "profile-"

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// abandon leaves a profile as a killed owner does: its files are there, its lock is free.
func abandon(t *testing.T, base string) string {
	t.Helper()
	p, err := New(base, prefix)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "Cookies"), []byte("x"), 0o600))
	require.NoError(t, p.lock.Close())
	return p.dir
}

func TestProfile(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	p, err := New(base, prefix)
	require.NoError(t, err)
	require.DirExists(t, p.dir)
	info, err := os.Stat(p.dir)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())

	Sweep(base, prefix, time.Now().Add(time.Hour), nil, discard())
	require.DirExists(t, p.dir, "it is in use")

	require.NoError(t, p.Remove())
	entries, err := os.ReadDir(base)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestSweep(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	used, err := New(base, prefix)
	require.NoError(t, err)
	left := abandon(t, base)
	orphan := filepath.Join(base, prefix+"orphan")
	require.NoError(t, os.Mkdir(orphan, 0o700))
	foreign := filepath.Join(base, "foreign")
	require.NoError(t, os.Mkdir(foreign, 0o700))

	Sweep(base, prefix, time.Now(), nil, discard())
	require.NoDirExists(t, left)
	require.NoFileExists(t, left+LockSuffix)
	require.DirExists(t, used.dir)
	require.DirExists(t, orphan, "it may be about to get its lock")

	Sweep(base, prefix, time.Now().Add(2*orphanAge), nil, discard())
	require.NoDirExists(t, orphan)
	require.DirExists(t, used.dir)
	require.DirExists(t, foreign)
	require.NoError(t, used.Remove())
	Sweep(filepath.Join(base, "nonexistent"), prefix, time.Now(), nil, discard())
}

func TestSweepIsBounded(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	for range sweepLimit + 2 {
		abandon(t, base)
	}
	Sweep(base, prefix, time.Now(), nil, discard())
	left, err := filepath.Glob(filepath.Join(base, "*"+LockSuffix))
	require.NoError(t, err)
	require.Len(t, left, 2)
	Sweep(base, prefix, time.Now(), nil, discard())
	entries, err := os.ReadDir(base)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A sweep that looked at the directory earlier must not act on a lock whose file was removed or replaced meanwhile.
func TestSweepLeavesAReplacedLockAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), prefix+"x")
	require.False(t, sweepLocked(dir, nil), "a lock file must not be made by a sweep")
	require.NoFileExists(t, dir+LockSuffix)

	lock := flock.New(dir + LockSuffix)
	held, err := lock.TryLock()
	require.NoError(t, err)
	require.True(t, held)
	require.True(t, lockIsCurrent(lock))
	require.False(t, sweepLocked(dir, nil), "it is locked")
	require.NoError(t, os.Rename(dir+LockSuffix, dir+".old"))
	require.False(t, lockIsCurrent(lock))
	require.NoError(t, os.WriteFile(dir+LockSuffix, nil, 0o600))
	require.False(t, lockIsCurrent(lock))
	require.NoError(t, lock.Close())
}

func TestProfileEnv(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"TMPDIR=/tmp/skua-1000/profiles/profile-abcdefghijkl"},
		(&Profile{dir: "/tmp/skua-1000/profiles/profile-abcdefghijkl"}).Env())
	require.Empty(t,
		(&Profile{dir: "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/skua-501/profiles/profile-abcdefghijkl"}).Env(),
		"the path of Chromium's socket would be too long")
}

func TestMakePrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	require.NoError(t, private.MakeDir(dir))
	require.NoError(t, os.Chmod(dir, 0o755))
	require.NoError(t, private.MakeDir(dir))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm(), "others are shut out of what is there")

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	require.Error(t, private.MakeDir(link), "the link could be changed")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Error(t, private.MakeDir(file))
}

func TestBaseFallsBack(t *testing.T) {
	tmp, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	t.Setenv("TMPDIR", tmp)
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", filepath.Dir(cache))
	base, err := Base("profiles")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(tmp, "skua-"+userID(), "profiles"), base)

	t.Setenv("TMPDIR", t.TempDir())
	require.NoError(t, os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "skua-"+userID()), nil, 0o600))
	base, err = Base("profiles")
	require.NoError(t, err)
	require.Contains(t, base, filepath.Dir(cache))
	require.DirExists(t, base)
}
