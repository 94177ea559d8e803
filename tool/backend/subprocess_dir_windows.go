package backend

import (
	"errors"
	"os"
)

// checkSocketDir refuses what is not a folder. The temporary files of a user are private on Windows.
func checkSocketDir(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("it is not a folder")
	}
	return nil
}
