//go:build unix

package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// removeWhileOpen: a lock file can be removed while it is held, which leaves no gap for another sweep.
const removeWhileOpen = true

func userID() string { return strconv.Itoa(os.Getuid()) }

// makePrivate makes dir, or accepts it when it is a real directory of this user; others get no access.
func makePrivate(dir string) error {
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
