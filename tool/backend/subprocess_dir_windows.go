package backend

import (
	"errors"
	"os"
)

// checkSocketDir refuses what is no folder. The temporary files of a user are private on Windows.
func checkSocketDir(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("it is no folder")
	}
	return nil
}
