package actions

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

// savePlace is where a file of the browser's is to go.
type savePlace struct {
	dir      string
	name     string // empty: the file's own
	replaces bool   // set by take: another file was there
}

// savePlace reads a path of the caller's, empty for the caller's folder, and makes sure that a file can be written there. Nothing is left
// behind.
func (c *Call) savePlace(path string) (*savePlace, error) {
	isFolder := path == "" || strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator))
	abs, err := c.WritablePath(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		isFolder = true
	} else if err == nil && isFolder {
		return nil, unwritable(abs, errors.New("it is a file, and not a folder"))
	} else if err == nil && !info.Mode().IsRegular() {
		return nil, unwritable(abs, errors.New("it is no regular file"))
	}
	place := &savePlace{dir: abs}
	if !isFolder {
		place.dir, place.name = filepath.Dir(abs), filepath.Base(abs)
	}
	there := place.dir
	for {
		info, err := os.Stat(there)
		switch {
		case err == nil && !info.IsDir():
			return nil, unwritable(abs, fmt.Errorf("%s is a file", there))
		case err == nil:
			probe, err := os.CreateTemp(there, ".skua-*")
			if err != nil {
				return nil, unwritable(abs, err)
			}
			_ = probe.Close()
			_ = os.Remove(probe.Name())
			return place, nil
		case !errors.Is(err, os.ErrNotExist) || filepath.Dir(there) == there:
			return nil, unwritable(abs, err)
		}
		there = filepath.Dir(there)
	}
}

func unwritable(path string, err error) error {
	return fault.New(fault.File, "The file cannot be saved to %s: %w.", path, err).About(path).WithHint("Give a path that can be written to.")
}

// holds reports whether a file that was saved at a path was saved to this place.
func (s *savePlace) holds(path string) bool {
	if s.name == "" {
		return filepath.Dir(path) == s.dir
	}
	return path == filepath.Join(s.dir, s.name)
}

// take moves a file there, whole or not at all, and returns its path. A file of that name is replaced when the caller has named it; in a
// folder the new one gets another name, as browsers do it.
func (s *savePlace) take(from, own string) (string, error) {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return "", unwritable(s.dir, err)
	}
	name := s.name
	if name == "" {
		name = engine.FreeName(s.dir, own)
	}
	to := filepath.Join(s.dir, name)
	_, err := os.Lstat(to)
	s.replaces = err == nil
	if os.Rename(from, to) == nil {
		return to, nil
	}
	// The two may be on different disks.
	if err := copyFile(from, s.dir, to); err != nil {
		return "", unwritable(to, err)
	}
	_ = os.Remove(from)
	return to, nil
}

func copyFile(from, dir, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(dir, ".skua-*")
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(out.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(out.Name(), to)
	}
	if err != nil {
		_ = os.Remove(out.Name())
	}
	return err
}
