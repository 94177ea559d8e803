//go:build unix

package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
