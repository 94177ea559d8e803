package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Prefix begins the names of files that are being written. One of a process that was killed stays.
const Prefix = ".skua-"

// File is a file that comes to be at its path when it is committed, and not before. Its errors name that path.
type File struct {
	path          string
	temp          *os.File
	place, remove func() error // of what is written
	ended         bool

	Explain func(error) error // puts errors of the file into the words of its writer; may be nil
}

// Write appends to the file.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.temp.Write(p)
	return n, f.failed(err)
}

func (f *File) failed(err error) error {
	if err = failed(f.path, err); err != nil && f.Explain != nil {
		err = f.Explain(err)
	}
	return err
}

// Seek sets the position of the next Write.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	at, err := f.temp.Seek(offset, whence)
	return at, f.failed(err)
}

// Truncate changes the size of the file.
func (f *File) Truncate(size int64) error { return f.failed(f.temp.Truncate(size)) }

// Chmod changes the mode of the file.
func (f *File) Chmod(mode os.FileMode) error { return f.failed(f.temp.Chmod(mode)) }

// failed returns an error about the path that a caller knows, in place of one that names the temporary file.
func failed(path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: "write", Path: path, Err: Reason(err)}
}

// Reason returns what is wrong with a file, without the paths that the error of a system call names.
func Reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return Reason(p.Err)
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return Reason(l.Err)
	}
	return err
}

// Create begins a file for path, and makes the folders on the way to it. The file is private to the user. A folder is
// never replaced. The caller ends it by Commit or Abort.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), Prefix+"*") // CreateTemp makes files that only the user can read
	if err != nil {
		return nil, failed(path, err)
	}
	return &File{
		path: path, temp: tmp, place: func() error { return os.Rename(tmp.Name(), path) }, remove: func() error {
			return os.Remove(tmp.Name())
		},
	}, nil
}

// CreateIn is [Create] for a path inside root, which no link leads out of. The root has to stay open until the file has
// ended.
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
		return nil, failed(filepath.Join(root.Name(), path), err)
	}
	return &File{
		path: filepath.Join(root.Name(), path), temp: tmp, place: func() error {
			return root.Rename(name, path)
		}, remove: func() error { return root.Remove(name) },
	}, nil
}

// Commit puts the file in its place and returns its size. What was there stays when that fails.
func (f *File) Commit() (size int64, err error) {
	info, err := f.temp.Stat()
	if cerr := f.temp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = f.place()
	}
	if err != nil {
		_ = f.remove()
		return 0, f.failed(err)
	}
	f.ended = true
	return info.Size(), nil
}

// Move puts a finished file at path, as [Create] does, also from another disk. It stays where it is when that fails.
func Move(from, path string) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if os.Rename(from, path) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := io.Copy(f, in); err != nil {
		return err
	}
	if _, err := f.Commit(); err != nil {
		return err
	}
	_ = os.Remove(from) // the copy is what counts
	return nil
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
		_ = f.temp.Close()
		_ = f.remove()
	}
}

// Write replaces the file at path, or makes it, together with the folders on the way to it. The file is private to the
// user. A folder is never replaced, and what was there stays when writing fails.
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
