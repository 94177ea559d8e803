package chrome

import (
	"net"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/internal/fault"
)

// userDirLock is the name of our lock in a profile directory of the caller's. Two browsers in one profile spoil it, and the headless
// shell, unlike Chromium, does not look whether another one is there.
const userDirLock = ".skua.lock"

// claimUserDir makes sure that dir exists, is writable, and is used by one browser only. Closing the lock releases it;
// its file stays, since removing it could remove the file of a lock that another process has just acquired.
func claimUserDir(dir string) (*flock.Flock, error) {
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
	if !held || hasListeningBrowser(dir) {
		_ = lock.Close()
		return nil, fault.New(fault.BrowserLaunch, "The profile directory %q is in use by another browser.", dir).About(dir).
			WithHint("Close that browser, connect to it instead, or choose another profile directory.").With("reason", "profile-in-use")
	}
	if _, err := staleSingleton(dir); err != nil {
		_ = lock.Close()
		return nil, err
	}
	return lock, nil
}

// ProfileFree returns why a browser could not be launched in a profile directory now, and nil when it could. The directory is made when missing.
func ProfileFree(dir string) error {
	lock, err := claimUserDir(dir)
	if err != nil {
		return err
	}
	return lock.Close()
}

// hasListeningBrowser reports whether a Chromium that uses dir takes calls of its other instances: it leaves a link to its socket.
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
