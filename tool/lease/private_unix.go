//go:build unix

package lease

import (
	"os"
	"syscall"
)

// private reports whether a file is the user's own, and no other user can write it.
func private(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}
