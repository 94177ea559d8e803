//go:build unix

package daemon

import (
	"io/fs"
	"os"
	"syscall"

	"github.com/skua-browser/skua/internal/fault"
)

// checkPrivate refuses a file, a directory of another user, and a directory that others may write to.
func checkPrivate(dir string, info fs.FileInfo) error {
	if !info.IsDir() {
		return fault.New(fault.File, "The socket directory %s is not a directory.", dir).About(dir).WithHint(otherDirHint)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return fault.New(fault.HostUnreachable, "The socket directory %s belongs to another user (uid %d).", dir, st.Uid).
			About(dir).WithHint(otherDirHint)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fault.New(fault.HostUnreachable, "Other users may write to the socket directory %s (mode %04o).", dir,
			info.Mode().Perm()).
			About(dir).WithHint("Make it private (chmod 700), or set SKUA_SOCKET_DIR to a directory of your own.")
	}
	return nil
}
