package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// removeWhileOpen: Windows does not remove a file that is open.
const removeWhileOpen = false

// userID is constant: the temporary directory of Windows belongs to one user already.
func userID() string { return "user" }

// makePrivate makes dir or accepts the one that is there: its parent is private to the user.
func makePrivate(dir string) error {
	if err := os.Mkdir(dir, 0o700); err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s exists and is no directory", dir)
	}
	return nil
}
