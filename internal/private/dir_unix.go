//go:build unix

package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// MakeDir makes dir, or accepts it when it is a real directory of this user; others get no access.
func MakeDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || stat.Uid != uint32(os.Getuid()) {
		return fmt.Errorf("%s exists and is not a directory of this user", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// MakeAgain makes a folder that was removed, with the folders above it that are gone. It makes none in a folder of
// another user, who could have made that one in its place. A folder of the system, such as /tmp, belongs to root.
func MakeAgain(dir string) error {
	parent := filepath.Dir(dir)
	info, err := os.Lstat(parent)
	if errors.Is(err, fs.ErrNotExist) && parent != dir {
		if err = MakeAgain(parent); err == nil {
			info, err = os.Lstat(parent)
		}
	}
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); info.IsDir() &&
		(!ok || stat.Uid != uint32(os.Getuid()) && stat.Uid != 0) {
		return fmt.Errorf("%s belongs to another user", parent)
	}
	return MakeDir(dir)
}
