package downloads

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
)

// Keep moves the files of downloads that begin from now on into a folder under their own names when they are complete.
// They stay there when the context ends. If dir is empty, files are no longer kept. Keep reports whether the folder
// changed.
func (l *List) Keep(dir string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	same := l.keep == dir
	l.keep = dir
	return !same
}

// KeepsIn returns the folder for kept files, or "" if files are not kept.
func (l *List) KeepsIn() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.keep
}

// keepFile puts the file of a complete download into a folder, and says then that it is complete: who waits for it
// finds it there. A file that the folder cannot take stays where the browser has put it, and KeepErr says why.
func (l *List) keepFile(one *Item, from, dir string) {
	to, err := place(from, dir, one.Name)
	if err != nil {
		l.owner.Log.Warn("a download stays where the browser has put it", "name", one.Name, "dir", dir, "err", err)
		err = fault.New(fault.File, "The download of %q could not be saved in %s: %w.", one.Name, dir,
			atomicfile.Reason(err)).About(dir).
			With("url", one.URL).With("name", one.Name)
	}
	l.mu.Lock()
	one.State, one.path, one.KeepErr = Complete, from, err
	if err == nil {
		one.path, one.Kept = to, to
	}
	l.mu.Unlock()
	l.tell()
}

// Unkept tries again to keep the files that their folder did not take, and returns the other downloads for that folder,
// for a context that ends: with it they are lost. If the browser ends, too, a download that is not complete is one of
// them.
func (l *List) Unkept(ends bool) []Item {
	l.moves.Wait()
	l.mu.Lock()
	var again []*Item
	for _, d := range l.items {
		if d.KeepErr != nil && !d.Taken && l.keep != "" {
			again = append(again, d)
		}
	}
	dir := l.keep
	l.mu.Unlock()
	for _, d := range again {
		l.keepFile(d, d.path, dir)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var lost []Item
	for _, d := range l.items {
		if d.toKeep && (d.KeepErr != nil && !d.Taken || ends && d.State == Running) {
			lost = append(lost, *d)
		}
	}
	return lost
}

// place moves a file into a folder, whole or not at all, under a name that no file there has, and returns its path. The
// name is what a page or a server said: only its last part counts. A folder that is gone is made again.
func place(from, dir, name string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
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

// FreeName returns a name in the folder that no file has: "report.pdf", else "report (1).pdf" and so on. Of what is
// given only the last part counts. A name that is too long for the folder is shortened before its extension.
func FreeName(dir, given string) string {
	base := filepath.Base(filepath.Clean("/" + strings.ReplaceAll(given, "\\", "/")))
	if base == "/" || base == "." || base == string(filepath.Separator) {
		base = "download"
	}
	size, number := MaxName, ""
	for n := 1; ; {
		name := shorten(base, number, size)
		switch _, err := os.Lstat(filepath.Join(dir, name)); {
		case err == nil:
			number = fmt.Sprintf(" (%d)", n)
			n++
		case errors.Is(err, syscall.ENAMETOOLONG) && size > shortName: // a file system that takes less
			size = max(shortName, size/2)
		default:
			return name
		}
	}
}

// MaxName is how many bytes the name of a file may have on most file systems.
const MaxName = 255

// shortName is how many bytes every file system takes.
const shortName = 64

// maxExt is how long the extension of a name may be. What is longer is not one.
const maxExt = 32

// Shorten cuts a name to a size in bytes, before its extension.
func Shorten(name string, size int) string { return shorten(name, "", size) }

// shorten cuts a name to a size in bytes, before a number and its extension.
func shorten(name, number string, size int) string {
	ext := filepath.Ext(name)
	if len(ext) > maxExt {
		ext = ""
	}
	stem := strings.TrimSuffix(name, ext)
	room := max(0, size-len(number)-len(ext))
	if len(stem) > room {
		for room > 0 && !utf8.RuneStart(stem[room]) {
			room--
		}
		stem = strings.TrimRight(stem[:room], " .")
	}
	return stem + number + ext
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
