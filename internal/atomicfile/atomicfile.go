package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write replaces the file at path, or makes it, together with the folders on the way to it. The file is private to the user. A folder is
// never replaced, and what was there stays when writing fails.
func Write(path string, data []byte) (err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".skua-*") // CreateTemp makes files that only the user can read
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	_, err = tmp.Write(data)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
