package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
	"github.com/skua-browser/skua/session/state"
)

// Place is where a file of the browser's is to go.
type Place struct {
	dir      string
	name     string // empty means the file's own
	shown    string // as the caller named it, else the folder
	Replaces bool   // set by take: another file was there
}

// NewPlace reads a path of the caller's, empty for the caller's folder, and makes sure that a file can be written
// there. Nothing is left behind.
func NewPlace(c *actions.Call, path string) (*Place, error) {
	isFolder := path == "" || strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator))
	abs, err := Writable(c, path)
	if err != nil {
		return nil, err
	}
	shown := cmp.Or(path, abs)
	info, err := os.Stat(abs)
	switch {
	case err == nil && info.IsDir():
		isFolder = true
	case err == nil && isFolder:
		return nil, unwritable(shown, errors.New("it is a file, not a folder"))
	case err == nil && !info.Mode().IsRegular():
		return nil, unwritable(shown, errors.New("it is not a regular file"))
	case errors.Is(err, syscall.ENAMETOOLONG): // only the last step of writing would find out
		return nil, unwritable(shown, err)
	}
	place := &Place{dir: abs, shown: shown}
	if !isFolder {
		place.dir, place.name = filepath.Dir(abs), filepath.Base(abs)
	}
	there := place.dir
	for {
		info, err := os.Stat(there)
		switch {
		case err == nil && !info.IsDir():
			return nil, unwritable(shown, fmt.Errorf("%s is a file", there))
		case err == nil:
			probe, err := os.CreateTemp(there, ".skua-*")
			if err != nil {
				return nil, unwritable(shown, err)
			}
			_ = probe.Close()
			_ = os.Remove(probe.Name())
			return place, nil
		case !errors.Is(err, os.ErrNotExist) || filepath.Dir(there) == there:
			return nil, unwritable(shown, err)
		}
		there = filepath.Dir(there)
	}
}

func unwritable(path string, err error) error {
	hint := "Give a path that can be written to."
	if errors.Is(err, syscall.ENOSPC) {
		hint = "Free space there, or give a path on another disk."
	}
	return fault.New(fault.File, "The file cannot be saved to %s: %w.", path, atomicfile.Reason(err)).About(path).
		WithHint("%s", hint)
}

// Holds reports whether a file that was saved at a path was saved to this place.
func (s *Place) Holds(path string) bool {
	if s.name == "" {
		return filepath.Dir(path) == s.dir
	}
	return path == filepath.Join(s.dir, s.name)
}

// Take moves a file there, whole or not at all, and returns its path. A file of that name is replaced when the caller
// has named it; in a folder the new one gets another name, as browsers do it.
func (s *Place) Take(from, own string) (string, error) {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return "", unwritable(s.shown, err)
	}
	name := s.name
	if name == "" {
		name = downloads.FreeName(s.dir, own)
	}
	to := filepath.Join(s.dir, name)
	_, err := os.Lstat(to)
	s.Replaces = err == nil
	if os.Rename(from, to) == nil {
		return to, nil
	}
	// The two may be on different disks.
	if err := copyFile(from, s.dir, to); err != nil {
		return "", unwritable(s.shown, err)
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

// Every file of the caller's that a command reads for a page or the session, or writes, gets its path from these two:
// they ask the owner's rules. What they return is what has to be opened.

// Readable returns the path of a file that is read for the caller.
func Readable(c *actions.Call, p string) (string, error) {
	return c.Rules.File(c.Input, policy.Reading, c.Path(p))
}

// Writable returns the path of a file that is written for the caller.
func Writable(c *actions.Call, p string) (string, error) {
	return c.Rules.File(c.Input, policy.Writing, c.Path(p))
}

// State asks the rules about the file of a state. One that is kept in the store was named without a path, and is not
// the caller's.
func State(c *actions.Call, store *state.Store, use policy.Use, path string) (string, error) {
	if filepath.Dir(path) == store.Dir() || use == policy.Reading && state.IsName(c.String("path")) && store.Keeps(path) {
		return path, nil
	}
	return c.Rules.File(c.Input, use, path)
}

// Read reads a file of the caller's.
func Read(ctx context.Context, c *actions.Call, named string, most int64) ([]byte, error) {
	file, err := Readable(c, named)
	if err != nil {
		return nil, err
	}
	content, err := userfile.Read(ctx, file, most)
	if err != nil {
		return nil, fault.New(fault.File, "Failed to read %s: %w", named, err).About(file)
	}
	return content, nil
}
