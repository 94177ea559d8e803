//go:build unix

package chrome

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// isRunning reports whether there is a process with this number.
func isRunning(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// databaseLocks are the files that Chromium's databases lock for as long as they are open. A browser that has started
// has some of them open. The cookies are written last, which is by a process of their own in some browsers.
var databaseLocks = []string{"*/LOCK", "*/*/LOCK", "*/*/*/LOCK", "*/Cookies", "*/Network/Cookies"}

// databasesLocked reports whether a process has a database of the profile in dir open. Locks of the kernel are seen by
// all who see the file.
func databasesLocked(dir string) bool {
	for _, pattern := range databaseLocks {
		files, _ := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		if slices.ContainsFunc(files, isLocked) {
			return true
		}
	}
	return false
}

func isLocked(path string) bool {
	// A reader that never comes must not be waited for, should it be a pipe.
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart}
	return unix.FcntlFlock(f.Fd(), unix.F_GETLK, &lock) == nil && lock.Type != unix.F_UNLCK
}

// escapeGlob makes a path match itself only.
func escapeGlob(path string) string {
	var escaped []byte
	for i := range len(path) {
		switch path[i] {
		case '*', '?', '[', '\\':
			escaped = append(escaped, '\\')
		}
		escaped = append(escaped, path[i])
	}
	return string(escaped)
}
