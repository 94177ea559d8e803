package chrome

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

// userDirLock is the name of our lock in a profile directory of the caller's. Two browsers in one profile spoil it, and
// the headless shell, unlike Chromium, does not look whether another one is there.
const userDirLock = ".skua.lock"

// departurePatience is how long a browser may take to write its profile and end after its owner was killed. There is no
// event for that.
const (
	departurePatience = 10 * time.Second
	departurePause    = 20 * time.Millisecond
)

// claimUserDir makes sure that dir exists, is writable, and is used by one browser only. If the owner of the last
// browser was killed, it waits for the end of that browser: another one would read a profile that is not yet written.
// Closing the lock releases it; its file stays, since removing it could remove the file of a lock that another process
// has just acquired.
func claimUserDir(ctx context.Context, dir string) (*flock.Flock, error) {
	_, err := os.Lstat(filepath.Join(dir, userDirLock))
	hadOwner := err == nil
	lock, err := lockUserDir(dir)
	if err != nil {
		return nil, err
	}
	for began := time.Now(); ; {
		err := userDirFree(dir)
		if err == nil {
			return lock, nil
		}
		if !hadOwner || time.Since(began) > departurePatience || pause.For(ctx, departurePause) != nil {
			_ = lock.Close()
			return nil, err
		}
	}
}

// lockUserDir takes our own lock of a profile directory, which is made when missing.
func lockUserDir(dir string) (*flock.Flock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.New(fault.BrowserLaunch, "The profile directory %q cannot be made: %w.", dir, err).About(dir).
			WithHint("Choose a profile directory that you can write to.").With("reason", "profile-not-writable")
	}
	lock := flock.New(filepath.Join(dir, userDirLock))
	held, err := lock.TryLock()
	if err != nil {
		return nil, fault.New(fault.BrowserLaunch, "The profile directory %q cannot be locked: %w.", dir, err).About(dir).
			WithHint("Choose a profile directory that you can write to.").With("reason", "profile-not-writable")
	}
	if !held {
		_ = lock.Close()
		return nil, userDirInUse(dir)
	}
	return lock, nil
}

// userDirFree returns an error if a browser uses a profile directory. The caller has our own lock.
func userDirFree(dir string) error {
	if hasListeningBrowser(dir) {
		return userDirInUse(dir)
	}
	if _, err := staleSingleton(dir); err != nil {
		return err
	}
	if databasesLocked(dir) {
		return userDirInUse(dir)
	}
	return nil
}

func userDirInUse(dir string) error {
	return fault.New(fault.BrowserLaunch, "The profile directory %q is in use by another browser.", dir).About(dir).
		WithHint("Close that browser, connect to it instead, or choose another profile directory.").With("reason",
		"profile-in-use")
}

// ProfileFree returns why a browser could not be launched in a profile directory now, and nil when it could. The
// directory is made when missing.
func ProfileFree(dir string) error {
	lock, err := lockUserDir(dir)
	if err != nil {
		return err
	}
	if err := userDirFree(dir); err != nil {
		_ = lock.Close()
		return err
	}
	return lock.Close()
}

// hasListeningBrowser reports whether a Chromium that uses dir takes calls of its other instances: it leaves a link to
// its socket.
func hasListeningBrowser(dir string) bool {
	socket, err := os.Readlink(filepath.Join(dir, "SingletonSocket"))
	if err != nil {
		return false
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
