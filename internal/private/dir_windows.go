package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// MakeDir makes dir or accepts the one that is there: its parent is private to the user.
func MakeDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s exists and is not a directory", dir)
	}
	return nil
}

// MakeAgain makes a folder that was removed, with the folders above it that are gone.
func MakeAgain(dir string) error { return os.MkdirAll(dir, 0o700) }
