package downloads

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Keep has the files of downloads that begin from now on put into a folder under their own names once they are complete, where they stay when the
// context ends; empty: into none, as at first. It reports whether that is new.
func (l *List) Keep(dir string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	same := l.keep == dir
	l.keep = dir
	return !same
}

// KeepsIn returns the folder that files are kept in; empty: none are.
func (l *List) KeepsIn() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.keep
}

// keepFile puts the file of a complete download into a folder, and says then that it is complete: who waits for it finds it there.
func (l *List) keepFile(one *Item, from, dir string) {
	to, err := place(from, dir, one.Name)
	if err != nil {
		l.owner.Log.Warn("a download stays where the browser has put it", "name", one.Name, "dir", dir, "err", err)
	}
	l.mu.Lock()
	one.State, one.path = Complete, from
	if err == nil {
		one.path, one.Kept = to, to
	}
	l.mu.Unlock()
	l.tell()
}

// place moves a file into a folder, whole or not at all, under a name that no file there has, and returns its path. The name is what a
// page or a server said: only its last part counts.
func place(from, dir, name string) (string, error) {
	staged := from
	defer func() {
		if staged != from {
			_ = os.Remove(staged)
		}
	}()
	for {
		to := filepath.Join(dir, FreeName(dir, name))
		err := os.Link(staged, to) // unlike a rename it replaces nothing
		switch {
		case err == nil:
			_ = os.Remove(from)
			return to, nil
		case errors.Is(err, fs.ErrExist):
		case staged == from: // the two may be on different disks
			if staged, err = copyInto(dir, from); err != nil {
				staged = from
				return "", err
			}
		default: // a disk without links
			if err := os.Rename(staged, to); err != nil {
				return "", err
			}
			staged = from
			_ = os.Remove(from)
			return to, nil
		}
	}
}

// FreeName returns a name in the folder that no file has: "report.pdf", else "report (1).pdf" and so on. Of what is given only the last part
// counts.
func FreeName(dir, given string) string {
	name := filepath.Base(filepath.Clean("/" + strings.ReplaceAll(given, "\\", "/")))
	if name == "/" || name == "." || name == string(filepath.Separator) {
		name = "download"
	}
	ext := filepath.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	for n := 1; ; n++ {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return name
		}
		name = fmt.Sprintf("%s (%d)%s", stem, n, ext)
	}
}

func copyInto(dir, from string) (path string, err error) {
	in, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.CreateTemp(dir, ".skua-*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, in)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(out.Name(), 0o644)
	}
	if err != nil {
		_ = os.Remove(out.Name())
		return "", err
	}
	return out.Name(), nil
}
