package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// KeepDownloads has the files that pages save from now on put into a folder under their own names once they are complete, where they stay when the
// context ends; empty: into none, as at first. Of a foreign browser this concerns the downloads of its user, too, for as long as the context
// is there.
func (c *Context) KeepDownloads(dir string) {
	d := &c.downloads
	d.mu.Lock()
	same := d.keep == dir
	d.keep = dir
	d.mu.Unlock()
	if !same && c.isForeign() {
		c.letForeignSave()
	}
}

func (c *Context) keepsDownloads() bool {
	c.downloads.mu.Lock()
	defer c.downloads.mu.Unlock()
	return c.downloads.keep != ""
}

// letForeignSave has a foreign browser save where it would by itself, or right in the folder that downloads are kept in, where they are not lost
// when we are. It gives them names of its own, since by theirs it would replace files that are there.
func (c *Context) letForeignSave() {
	d := &c.downloads
	d.mu.Lock()
	params := saveParams{"default", "", "", false}
	if d.keep != "" {
		params = saveParams{"allowAndName", "", d.keep, true}
	}
	d.mu.Unlock()
	c.browser.root.Start("Browser.setDownloadBehavior", params)
}

// keepFile puts the file of a complete download into a folder, and says then that it is complete: who waits for it finds it there.
func (c *Context) keepFile(one *Download, from, dir string) {
	to, err := PlaceFile(from, dir, one.Name)
	if err != nil {
		c.browser.log.Warn("a download stays where the browser has put it", "name", one.Name, "dir", dir, "err", err)
	}
	c.downloads.mu.Lock()
	one.State, one.path = DownloadComplete, from
	if err == nil {
		one.path, one.Kept = to, to
	}
	c.downloads.mu.Unlock()
	c.tellDownloads()
}

// PlaceFile moves a file into a folder, whole or not at all, under a name that no file there has, and returns its path. The name is what a
// page or a server said: only its last part counts.
func PlaceFile(from, dir, name string) (string, error) {
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

// AwaitKept waits until a download that is kept is in its folder, has failed, or the context is over. It returns at once when none is kept.
func (c *Context) AwaitKept(ctx context.Context, seq int) (Download, error) {
	return c.AwaitDownload(ctx, func(d Download) bool { return d.Seq == seq && (d.State != DownloadRunning || !d.toKeep) })
}
