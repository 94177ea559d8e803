package chrome

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

	"github.com/skua-browser/skua/engine/fault"
)

const (
	profilePrefix = "profile-"
	lockSuffix    = ".lock"

	// sweepLimit bounds how many left-over profiles one launch removes; the next launch goes on.
	sweepLimit = 8

	// orphanAge is how long a profile directory without a lock file may be another launch that is just being set up.
	orphanAge = 10 * time.Minute
)

// profile is a temporary user data directory. Its lock lies beside it and is held as long as its owner lives: the kernel frees it
// when the owner is killed, and sweep takes a free lock as the sign that the directory is left over.
type profile struct {
	dir  string
	lock *flock.Flock
}

// newProfile makes a profile in the private directory base.
func newProfile(base string) (*profile, error) {
	for range 8 {
		dir := filepath.Join(base, profilePrefix+strings.ToLower(rand.Text()[:8]))
		lock := flock.New(dir + lockSuffix)
		held, err := lock.TryLock()
		if err != nil {
			return nil, fault.New(fault.File, "the browser's temporary profile cannot be locked: %w", err).About(dir)
		}
		if !held || !lockIsCurrent(lock) {
			_ = lock.Close() // a sweep was faster; it removes the file
			continue
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			_ = os.Remove(lock.Path())
			_ = lock.Close()
			return nil, fault.New(fault.File, "the browser's temporary profile cannot be made: %w", err).About(dir)
		}
		return &profile{dir: dir, lock: lock}, nil
	}
	return nil, fault.New(fault.File, "no temporary profile could be locked in %s.", base).About(base)
}

// lockIsCurrent reports whether the held lock is on the file that has its name now, and not on one that was removed meanwhile.
func lockIsCurrent(lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(held, named)
}

// env is what a browser needs to be told to leave nothing outside the profile: Chromium keeps the socket of its profile lock in a
// directory of its own in TMPDIR, where it stays behind when the browser is killed.
func (p *profile) env() []string {
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

// remove deletes the directory and gives the lock up. When something could not be deleted the lock file stays for a later sweep.
func (p *profile) remove() error {
	return removeLocked(p.dir, p.lock)
}

func removeLocked(dir string, lock *flock.Flock) error {
	err := os.RemoveAll(dir)
	if err == nil && !removeWhileOpen {
		_ = lock.Close()
	}
	if err == nil {
		err = os.Remove(lock.Path())
	}
	_ = lock.Close()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sweep removes left-over profiles in base, at most sweepLimit of them.
func sweep(base string, now time.Time, log *slog.Logger) {
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
		if !strings.HasPrefix(name, profilePrefix) {
			continue
		}
		var done bool
		if dir, isLock := strings.CutSuffix(name, lockSuffix); isLock {
			done = sweepLocked(filepath.Join(base, dir))
		} else if info, err := e.Info(); err == nil && !names[name+lockSuffix] && now.Sub(info.ModTime()) > orphanAge {
			// A browser that was still ending wrote into its directory after that was removed.
			done = os.RemoveAll(filepath.Join(base, name)) == nil
		}
		if done {
			removed++
			log.Debug("removed a left-over browser profile", "profile", name)
		}
	}
}

func sweepLocked(dir string) bool {
	// Without O_CREATE: a lock file that its owner removed meanwhile must not come back.
	lock := flock.New(dir+lockSuffix, flock.SetFlag(os.O_RDONLY))
	held, err := lock.TryLock()
	if err != nil || !held {
		return false
	}
	if !lockIsCurrent(lock) {
		_ = lock.Close()
		return false
	}
	return removeLocked(dir, lock) == nil
}

// profileBase returns the private directory for temporary profiles, made when missing: in the system's temporary directory, or,
// when somebody else sits on that name, in the user's cache directory.
func profileBase() (string, error) {
	dir := filepath.Join(os.TempDir(), "skua-"+userID())
	err := makePrivate(dir)
	if err != nil {
		if cache, cacheErr := os.UserCacheDir(); cacheErr == nil {
			dir = filepath.Join(cache, "skua")
			if os.MkdirAll(cache, 0o700) == nil {
				err = makePrivate(dir)
			}
		}
	}
	if err == nil {
		dir = filepath.Join(dir, "profiles")
		err = makePrivate(dir)
	}
	if err != nil {
		return "", fault.New(fault.File, "there is no private directory for the browser's temporary profile: %w", err).About(dir).
			WithHint("Set TMPDIR to a directory that you can write to.")
	}
	return dir, nil
}
