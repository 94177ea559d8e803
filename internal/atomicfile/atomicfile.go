package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Prefix begins the names of files that are being written. One of a process that was killed stays.
const Prefix = ".skua-"

// File is a file that comes to be at its path when it is committed, and not before.
type File struct {
	*os.File
	path  string
	ended bool
}

// Create begins a file for path, and makes the folders on the way to it. The file is private to the user. A folder is never replaced. The
// caller ends it by Commit or Abort.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), Prefix+"*") // CreateTemp makes files that only the user can read
	if err != nil {
		return nil, err
	}
	return &File{File: tmp, path: path}, nil
}

// Commit puts the file in its place and returns its size. What was there stays when that fails.
func (f *File) Commit() (size int64, err error) {
	info, err := f.Stat()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return 0, err
	}
	f.ended = true
	return info.Size(), nil
}

// Sweep removes the files that writers who were killed left unfinished in a folder. Nobody may be writing there.
func Sweep(dir string) {
	entries, _ := os.ReadDir(dir) // there is nothing to sweep where there is no folder
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), Prefix) && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Abort throws the file away, unless it is committed. It can be deferred.
func (f *File) Abort() {
	if !f.ended {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
}

// Write replaces the file at path, or makes it, together with the folders on the way to it. The file is private to the user. A folder is
// never replaced, and what was there stays when writing fails.
func Write(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	_, err = f.Commit()
	return err
}
