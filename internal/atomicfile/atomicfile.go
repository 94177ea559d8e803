package atomicfile

import (
	"crypto/rand"
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
	place, remove func() error // of what is written
	ended         bool
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
	return &File{
		File: tmp, place: func() error { return os.Rename(tmp.Name(), path) }, remove: func() error { return os.Remove(tmp.Name()) },
	}, nil
}

// CreateIn is [Create] for a path inside root, which no link leads out of. The root has to stay open until the file has ended.
func CreateIn(root *os.Root, path string) (*File, error) {
	if info, err := root.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder", filepath.Join(root.Name(), path))
	}
	if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	name := filepath.Join(filepath.Dir(path), Prefix+rand.Text())
	tmp, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &File{
		File: tmp, place: func() error { return root.Rename(name, path) }, remove: func() error { return root.Remove(name) },
	}, nil
}

// Commit puts the file in its place and returns its size. What was there stays when that fails.
func (f *File) Commit() (size int64, err error) {
	info, err := f.Stat()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = f.place()
	}
	if err != nil {
		_ = f.remove()
		return 0, err
	}
	f.ended = true
	return info.Size(), nil
}

// Sweep removes the unfinished files of killed writers from a folder. No writer may be active there.
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
		_ = f.remove()
	}
}

// Write replaces the file at path, or makes it, together with the folders on the way to it. The file is private to the user. A folder is
// never replaced, and what was there stays when writing fails.
func Write(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	return f.become(data)
}

// WriteIn is [Write] for a path inside root, which no link leads out of.
func WriteIn(root *os.Root, path string, data []byte) error {
	f, err := CreateIn(root, path)
	if err != nil {
		return err
	}
	return f.become(data)
}

// become writes the whole file.
func (f *File) become(data []byte) error {
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	_, err := f.Commit()
	return err
}
