package chrome

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// singleton is Chromium's own lock of a profile: the link SingletonLock, which names the computer and the process that
// have it.
type singleton struct {
	host string
	pid  int
}

// singletonFiles are what Chromium leaves in a profile beside its lock.
var singletonFiles = []string{"SingletonLock", "SingletonSocket", "SingletonCookie"}

// readSingleton returns the lock in a profile; nil if there is none that Chromium respects.
func readSingleton(dir string) *singleton {
	target, err := os.Readlink(filepath.Join(dir, singletonFiles[0]))
	if err != nil {
		return nil
	}
	cut := strings.LastIndexByte(target, '-')
	if cut <= 0 {
		return nil
	}
	pid, err := strconv.Atoi(target[cut+1:])
	if err != nil {
		return nil
	}
	return &singleton{host: target[:cut], pid: pid}
}

// owner names the process that made the lock.
func (s *singleton) owner() string {
	if name, err := os.Hostname(); err == nil && name == s.host {
		return fmt.Sprintf("process %d", s.pid)
	}
	return fmt.Sprintf("process %d on the computer %s", s.pid, s.host)
}

// staleSingleton returns a lock in the way that no browser holds, nil if there is none; it fails when a browser may
// hold it. The caller holds our own lock, and nothing listens for calls of other instances.
//
// Chromium itself takes over the lock of a process of this computer that is gone. One of another computer it refuses
// for ever, though the profile may come from a container that has a new name each time. And a Chromium of this computer
// that has got the same number again it kills. A browser that is running keeps locks on its databases, which reports
// one in another container, too.
func staleSingleton(dir string) (*singleton, error) {
	lock := readSingleton(dir)
	if lock == nil {
		return nil, nil
	}
	if name, err := os.Hostname(); err != nil || name == lock.host && !isRunning(lock.pid) {
		return nil, nil
	}
	if databasesLocked(dir) {
		return nil, fault.New(fault.BrowserLaunch, "The profile directory %q is in use by another browser (%s).", dir,
			lock.owner()).About(dir).
			WithHint("Close that browser, connect to it instead, or choose another profile directory.").With("reason",
			"profile-in-use")
	}
	return lock, nil
}

// removeStaleSingleton removes the lock that staleSingleton finds, and returns a note about that.
func removeStaleSingleton(dir string) (note string, err error) {
	lock, err := staleSingleton(dir)
	if lock == nil || err != nil {
		return "", err
	}
	for _, file := range singletonFiles {
		if err := os.Remove(filepath.Join(dir, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fault.New(fault.BrowserLaunch,
				"The profile directory %q has a stale lock of %s, which cannot be removed: %w.",
				dir, lock.owner(), err).About(dir).WithHint("Remove %s.", filepath.Join(dir, "Singleton*")).With("reason",
				"profile-not-writable")
		}
	}
	return fmt.Sprintf("the profile %s had a stale lock of %s, which no longer uses it; the lock was removed", dir,
		lock.owner()), nil
}
