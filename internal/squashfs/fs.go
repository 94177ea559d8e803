package squashfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// Open opens a file or folder of the image. Links are followed, and never lead out of it.
func (f *FS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	i, err := f.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	info := fileInfo{path.Base(name), i}
	if i.folder() {
		return &folder{fileInfo: info, fs: f}, nil
	}
	if !i.file() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return &file{fileInfo: info, fs: f}, nil
}

// Lstat describes what is at a path, which may be a link.
func (f *FS) Lstat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrInvalid}
	}
	dir, err := f.find(path.Dir(name))
	if err != nil {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	i := *dir
	if name != "." {
		if i, err = f.child(dir, path.Base(name)); err != nil {
			return nil, &fs.PathError{Op: "lstat", Path: name, Err: err}
		}
	}
	return fileInfo{path.Base(name), &i}, nil
}

// ReadLink returns where a link leads, as it is written.
func (f *FS) ReadLink(name string) (string, error) {
	info, err := f.Lstat(name)
	if err != nil {
		return "", err
	}
	i := info.(fileInfo).inode
	if !i.link() {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	return i.target, nil
}

// find walks down a path.
func (f *FS) find(name string) (*inode, error) {
	links, steps := 0, 0
	at, real := f.root, "." // real is the path of at, without links
	rest := strings.Split(name, "/")
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		if steps++; steps > maxSteps {
			return nil, fmt.Errorf("%w: a path that is too long", fs.ErrInvalid)
		}
		switch part {
		case "", ".":
			continue
		case "..":
			real = path.Dir(real)
			rest = append(strings.Split(real, "/"), rest...)
			at, real = f.root, "."
			continue
		}
		next, err := f.child(&at, part)
		if err != nil {
			return nil, err
		}
		if !next.link() {
			at, real = next, path.Join(real, part)
			continue
		}
		if links++; links > maxLinks {
			return nil, fmt.Errorf("%w: too many links", fs.ErrInvalid)
		}
		if path.IsAbs(next.target) { // it is meant for the system that the image is mounted in
			return nil, fs.ErrNotExist
		}
		rest = append(strings.Split(path.Join("/", real, next.target)[1:], "/"), rest...)
		at, real = f.root, "."
	}
	return &at, nil
}

func (f *FS) child(dir *inode, name string) (inode, error) {
	if !dir.folder() {
		return inode{}, fs.ErrNotExist
	}
	all, err := f.children(dir)
	if err != nil {
		return inode{}, err
	}
	for _, c := range all {
		if c.name == name {
			return f.inode(c.ref)
		}
	}
	return inode{}, fs.ErrNotExist
}

// fileInfo is what fs.Stat says.
type fileInfo struct {
	name  string
	inode *inode
}

func (i fileInfo) Name() string               { return i.name }
func (i fileInfo) Size() int64                { return i.inode.size }
func (i fileInfo) Mode() fs.FileMode          { return i.inode.mode }
func (i fileInfo) ModTime() time.Time         { return i.inode.modified }
func (i fileInfo) IsDir() bool                { return i.inode.folder() }
func (i fileInfo) Sys() any                   { return nil }
func (i fileInfo) Stat() (fs.FileInfo, error) { return i, nil }
func (i fileInfo) Close() error               { return nil }

// file is an open regular file.
type file struct {
	fileInfo
	fs *FS
	at int64
}

func (f *file) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.at)
	if f.at += int64(n); n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f *file) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 {
		return 0, fs.ErrInvalid
	}
	return f.fs.readAt(f.inode, p, at)
}

// folder is an open folder.
type folder struct {
	fileInfo
	fs   *FS
	left []child
	read bool
}

func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

// ReadDir returns the entries by name, as fs.ReadDirFile says.
func (d *folder) ReadDir(n int) (entries []fs.DirEntry, err error) {
	if !d.read {
		if d.left, err = d.fs.children(d.inode); err != nil {
			return nil, err
		}
		d.read = true
	}
	if n > 0 && len(d.left) == 0 {
		return nil, io.EOF
	}
	take := len(d.left)
	if n > 0 {
		take = min(take, n)
	}
	for _, c := range d.left[:take] {
		entries = append(entries, entry{c, d.fs})
	}
	d.left = d.left[take:]
	return entries, nil
}

// entry is a child as fs.ReadDir gives it.
type entry struct {
	child child
	fs    *FS
}

func (e entry) Name() string { return e.child.name }
func (e entry) IsDir() bool  { return e.child.kind == basicDir }

func (e entry) Type() fs.FileMode {
	switch e.child.kind {
	case basicDir:
		return fs.ModeDir
	case basicFile:
		return 0
	case basicLink:
		return fs.ModeSymlink
	}
	return fs.ModeIrregular
}

func (e entry) Info() (fs.FileInfo, error) {
	i, err := e.fs.inode(e.child.ref)
	return fileInfo{e.child.name, &i}, err
}
