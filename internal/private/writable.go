package private

import (
	"errors"
	"os"
)

// EnsureWritable makes a folder for this user if it is missing, and checks that files can be written to it.
func EnsureWritable(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return os.MkdirAll(dir, 0o700)
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("it is a file")
	}
	probe, err := os.CreateTemp(dir, ".skua-*")
	if err != nil {
		return err
	}
	_ = probe.Close()
	return os.Remove(probe.Name())
}
