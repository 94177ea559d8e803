package squashfs

import (
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math"
	"time"
)

// inode is a file, a folder or a link of an image.
type inode struct {
	kind     uint16
	mode     fs.FileMode
	modified time.Time
	size     int64

	// Of a folder: where its listing is.
	listing int64
	offset  int // in the listing's block; of a file: in the fragment

	target string // of a link

	// Of a file.
	start    int64
	fragment uint32 // noFragment: it has none
	blocks   []uint32
}

const (
	noFragment = math.MaxUint32

	basicDir, basicFile, basicLink = 1, 2, 3
	wideDir, wideFile, wideLink    = 8, 9, 10
)

func (i *inode) folder() bool { return i.kind == basicDir || i.kind == wideDir }
func (i *inode) file() bool   { return i.kind == basicFile || i.kind == wideFile }
func (i *inode) link() bool   { return i.kind == basicLink || i.kind == wideLink }

// inode reads an inode by its reference: the place of its block in the table, and its own within the block.
func (f *FS) inode(ref uint64) (inode, error) {
	r := &tableReader{fs: f, at: int64(f.super.InodeTable) + int64(ref>>16), skip: int(ref & 0xffff)}
	var head struct {
		Kind, Mode, UID, GID uint16
		Modified, Number     uint32
	}
	if err := r.values(&head); err != nil {
		return inode{}, err
	}
	i := inode{kind: head.Kind, mode: fs.FileMode(head.Mode & 0o777), modified: time.Unix(int64(head.Modified), 0)}
	var err error
	switch {
	case i.folder():
		err = f.folder(r, &i)
	case i.file():
		err = f.file(r, &i)
	case i.link():
		err = f.link(r, &i)
	default:
		i.mode |= fs.ModeIrregular // devices, pipes and sockets
	}
	return i, err
}

func (f *FS) folder(r *tableReader, i *inode) error {
	i.mode |= fs.ModeDir
	var block, size uint32
	var offset uint16
	if i.kind == basicDir {
		var d struct {
			Block, Links uint32
			Size, Offset uint16
			Parent       uint32
		}
		if err := r.values(&d); err != nil {
			return err
		}
		block, size, offset = d.Block, uint32(d.Size), d.Offset
	} else {
		var d struct {
			Links, Size, Block, Parent uint32
			Indexes, Offset            uint16
			Xattr                      uint32
		}
		if err := r.values(&d); err != nil {
			return err
		}
		block, size, offset = d.Block, d.Size, d.Offset
	}
	if size > maxDirectory {
		return fmt.Errorf("%w: a folder's listing has %d bytes", ErrFormat, size)
	}
	i.listing, i.offset, i.size = int64(f.super.Directory)+int64(block), int(offset), int64(size)
	return nil
}

func (f *FS) file(r *tableReader, i *inode) error {
	var offset uint32
	if i.kind == basicFile {
		var d struct{ Start, Fragment, Offset, Size uint32 }
		if err := r.values(&d); err != nil {
			return err
		}
		i.start, i.fragment, offset, i.size = int64(d.Start), d.Fragment, d.Offset, int64(d.Size)
	} else {
		var d struct {
			Start, Size, Sparse            uint64
			Links, Fragment, Offset, Xattr uint32
		}
		if err := r.values(&d); err != nil {
			return err
		}
		if d.Size > math.MaxInt64 || d.Start > math.MaxInt64 {
			return fmt.Errorf("%w: a file of %d bytes", ErrFormat, d.Size)
		}
		i.start, i.fragment, offset, i.size = int64(d.Start), d.Fragment, d.Offset, int64(d.Size)
	}
	i.offset = int(offset)
	block := int64(f.super.BlockSize)
	count := i.size / block
	if i.fragment == noFragment && i.size%block != 0 {
		count++
	}
	if count > maxBlocks || 4*count > f.size*metaBlock { // a table unpacks to no more
		return fmt.Errorf("%w: a file of %d bytes", ErrFormat, i.size)
	}
	b, err := io.ReadAll(io.LimitReader(r, 4*count))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	for at := 0; at+4 <= len(b); at += 4 {
		i.blocks = append(i.blocks, binary.LittleEndian.Uint32(b[at:]))
	}
	return nil
}

func (f *FS) link(r *tableReader, i *inode) error {
	i.mode |= fs.ModeSymlink
	var d struct{ Links, Size uint32 }
	if err := r.values(&d); err != nil {
		return err
	}
	const longest = 64 << 10
	if d.Size > longest {
		return fmt.Errorf("%w: a link of %d bytes", ErrFormat, d.Size)
	}
	target := make([]byte, d.Size)
	if _, err := io.ReadFull(r, target); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	i.target, i.size = string(target), int64(len(target))
	return nil
}

// child is an entry of a folder.
type child struct {
	name string
	ref  uint64
	kind uint16 // the basic one of its kind
}

// children reads a folder's listing, which is sorted by name.
func (f *FS) children(dir *inode) ([]child, error) {
	if !dir.folder() {
		return nil, fs.ErrInvalid
	}
	var all []child
	r := &tableReader{fs: f, at: dir.listing, skip: dir.offset}
	// The size counts the entries "." and "..", which are not there, as three bytes.
	for left := dir.size - 3; left > 0; {
		var head struct{ Count, Block, Number uint32 }
		if err := r.values(&head); err != nil {
			return nil, err
		}
		if left -= 12; head.Count >= 256 {
			return nil, fmt.Errorf("%w: a listing of %d entries at once", ErrFormat, head.Count)
		}
		for range head.Count + 1 {
			var e struct {
				Offset uint16
				Number int16
				Kind   uint16
				Length uint16
			}
			if err := r.values(&e); err != nil {
				return nil, err
			}
			name := make([]byte, int(e.Length)+1)
			if _, err := io.ReadFull(r, name); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrFormat, err)
			}
			all = append(all, child{string(name), uint64(head.Block)<<16 | uint64(e.Offset), e.Kind})
			left -= 8 + int64(len(name))
		}
	}
	return all, nil
}
