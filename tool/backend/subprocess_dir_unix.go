//go:build unix

package backend

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// checkSocketDir refuses a folder in which, or in the place of which, others could put sockets of theirs.
func checkSocketDir(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	switch {
	case !info.IsDir():
		return fmt.Errorf("it is not a folder")
	case owner(info) != os.Geteuid():
		return fmt.Errorf("it belongs to another user (uid %d)", owner(info))
	case info.Mode().Perm() != 0o700:
		return fmt.Errorf("its mode is %04o, not 0700", info.Mode().Perm())
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	for up := filepath.Dir(real); ; up = filepath.Dir(up) {
		if err := checkAncestor(up); err != nil {
			return err
		}
		if up == filepath.Dir(up) {
			break
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil { // it was removed meanwhile
			continue
		}
		if kind := info.Mode().Type(); owner(info) != os.Geteuid() ||
			kind != 0 && kind != fs.ModeSocket && kind != fs.ModeDir {
			return fmt.Errorf("%s in it is not a file, folder or socket of this user's", entry.Name())
		}
	}
	return nil
}

// checkAncestor refuses a folder above, in which others could exchange what is below it.
func checkAncestor(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if uid := owner(info); uid != 0 && uid != os.Geteuid() {
		return fmt.Errorf("%s above it belongs to another user (uid %d)", dir, uid)
	}
	if info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return fmt.Errorf("others may write to %s above it (mode %04o)", dir, info.Mode().Perm())
	}
	return nil
}

func owner(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}
