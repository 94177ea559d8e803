package profile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/private"
)

const (
	// LockSuffix ends the name of the lock file beside a profile.
	LockSuffix = ".lock"

	// sweepLimit bounds how many left-over profiles one launch removes; the next launch goes on.
	sweepLimit = 8

	// orphanAge is how long a profile directory without a lock file may be another launch that is just being set up.
	orphanAge = 10 * time.Minute
)

// Drafts is the name of the directory of what is made and not finished yet, and DraftPrefix begins the names of the
// directories in it.
const (
	Drafts      = "drafts"
	DraftPrefix = "draft-"
)

// Profile is a temporary user data directory. Its lock file is beside it and is held as long as its owner lives: the
// kernel frees it when the owner is killed, and [Sweep] takes a free lock as the sign that the directory is left over.
type Profile struct {
	dir  string
	lock *flock.Flock
}

// New makes a profile in the private directory base, whose name begins with prefix. Sweeps tell by the prefix what they
// may remove.
func New(base, prefix string) (*Profile, error) {
	for range 8 {
		dir := filepath.Join(base, prefix+strings.ToLower(rand.Text()[:8]))
		lock := flock.New(dir + LockSuffix)
		held, err := lock.TryLock()
		if err != nil {
			return nil, fault.New(fault.File, "the temporary profile cannot be locked: %w", err).About(dir)
		}
		if !held || !lockIsCurrent(lock) {
			_ = lock.Close() // a sweep was faster; it removes the file
			continue
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			_ = os.Remove(lock.Path())
			_ = lock.Close()
			return nil, fault.New(fault.File, "the temporary profile cannot be made: %w", err).About(dir)
		}
		return &Profile{dir: dir, lock: lock}, nil
	}
	return nil, fault.New(fault.File, "no temporary profile could be locked in %s.", base).About(base)
}

// TakeOver returns the profile dir when its owner is gone, nil when it has one. The caller is its owner from then on.
func TakeOver(dir string) *Profile {
	// Without O_CREATE: a lock file that its owner removed meanwhile must not come back.
	lock := flock.New(dir+LockSuffix, flock.SetFlag(os.O_RDONLY))
	held, err := lock.TryLock()
	if err != nil || !held {
		return nil
	}
	if !lockIsCurrent(lock) {
		_ = lock.Close()
		return nil
	}
	return &Profile{dir: dir, lock: lock}
}

// lockIsCurrent reports whether the held lock is on the file that has its name now, and not on one that was removed
// meanwhile.
func lockIsCurrent(lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(held, named)
}

// Dir returns the directory.
func (p *Profile) Dir() string { return p.dir }

// LockFile returns the file beside the directory that tells whether it has an owner.
func (p *Profile) LockFile() string { return p.dir + LockSuffix }

// Env is what Chromium needs to be told to leave nothing outside the profile: it keeps the socket of its profile lock
// in a directory of its own in TMPDIR, where it stays behind when the browser is killed. It is empty where the socket's
// path would be too long.
func (p *Profile) Env() []string {
	const socket = "/org.chromium.Chromium.XXXXXX/SingletonSocket"
	longest := 103 // of a socket's path, on macOS and the BSDs
	if runtime.GOOS == "linux" {
		longest = 107
	}
	if runtime.GOOS == "windows" || len(p.dir)+len(socket) > longest {
		return nil
	}
	return []string{"TMPDIR=" + p.dir}
}

// Remove deletes the directory and gives the lock up. When something could not be deleted the lock file stays, for a
// later sweep. It may be called again.
func (p *Profile) Remove() error {
	err := os.RemoveAll(p.dir)
	if err == nil && !removeWhileOpen {
		_ = p.lock.Close()
	}
	if err == nil {
		err = os.Remove(p.LockFile())
	}
	_ = p.lock.Close()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Release gives the profile up and leaves it where it is.
func (p *Profile) Release() { _ = p.lock.Close() }

// Sweep removes profiles in base that lost their owner, if their names begin with prefix and spare, which may be nil,
// returns false. It removes a few at a time, so that it is always quick.
func Sweep(base, prefix string, now time.Time, spare func(dir string) bool, log *slog.Logger) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name()] = true
	}
	removed := 0
	for _, e := range entries {
		if removed == sweepLimit {
			return
		}
		name := e.Name()
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		var done bool
		if dir, isLock := strings.CutSuffix(name, LockSuffix); isLock {
			done = sweepLocked(filepath.Join(base, dir), spare)
		} else if info, err := e.Info(); err == nil && !names[name+LockSuffix] && now.Sub(info.ModTime()) > orphanAge {
			// A browser that was still ending wrote into its directory after that was removed.
			dir := filepath.Join(base, name)
			done = (spare == nil || !spare(dir)) && os.RemoveAll(dir) == nil
		}
		if done {
			removed++
			log.Debug("removed a left-over profile", "profile", name)
		}
	}
}

func sweepLocked(dir string, spare func(dir string) bool) bool {
	p := TakeOver(dir)
	if p == nil {
		return false
	}
	if spare != nil && spare(dir) {
		p.Release()
		return false
	}
	return p.Remove() == nil
}

// Base returns a private directory for temporary profiles, made when missing: in the system's temporary directory, or,
// when another user owns that name, in the user's cache directory. Programs of different kinds use different names.
func Base(name string) (string, error) { return baseIn(os.TempDir(), name) }

// ShortBase is as Base, but in /tmp where the system's temporary directory is so deep that Env would be empty, as it is
// on macOS.
func ShortBase(name string) (string, error) {
	base, err := Base(name)
	if err != nil || runtime.GOOS == "windows" || (&Profile{dir: filepath.Join(base, "abcdefghijklmnop")}).Env() != nil {
		return base, err
	}
	if short, err := baseIn("/tmp", name); err == nil {
		return short, nil
	}
	return base, nil
}

func baseIn(tmp, name string) (string, error) {
	dir := filepath.Join(tmp, "skua-"+userID())
	err := private.MakeDir(dir)
	if err != nil {
		if cache, cacheErr := os.UserCacheDir(); cacheErr == nil {
			dir = filepath.Join(cache, "skua")
			if os.MkdirAll(cache, 0o700) == nil {
				err = private.MakeDir(dir)
			}
		}
	}
	if err == nil {
		dir = filepath.Join(dir, name)
		err = private.MakeDir(dir)
	}
	if err != nil {
		return "", fault.New(fault.File, "there is no private directory for a temporary profile: %w", err).About(dir).
			WithHint("Set TMPDIR to a directory that you can write to.")
	}
	return dir, nil
}

// Leftovers lists the profiles in base whose names begin with prefix and whose owner is gone.
func Leftovers(base, prefix string) []string {
	locks, err := filepath.Glob(filepath.Join(base, prefix+"*"+LockSuffix))
	if err != nil {
		return nil
	}
	var left []string
	for _, lock := range locks {
		dir := strings.TrimSuffix(lock, LockSuffix)
		if p := TakeOver(dir); p != nil {
			p.Release()
			left = append(left, dir)
		}
	}
	return left
}
