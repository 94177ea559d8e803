package squashfs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Bounds of what is believed. Real images are far below them.
const (
	maxBlock     = 1 << 20 // of a file's data; the format's own
	maxDirectory = 1 << 20 // bytes of a directory's listing
	maxBlocks    = 1 << 20 // of one file
	maxLinks     = 16      // symbolic links in one path
	maxSteps     = 256     // folders and links on the way to one file
	metaBlock    = 8 << 10 // of the tables; the format's own
	keptBlocks   = 64      // tables' blocks that stay unpacked
)

// ErrFormat says that something is not an image, or a broken one.
var ErrFormat = errors.New("not a readable SquashFS image")

// FS is an image. It is not safe for use by several goroutines.
type FS struct {
	r      io.ReaderAt
	size   int64
	super  superblock
	unpack unpacker
	root   inode

	tables map[int64]table // unpacked blocks of the tables by their offset
	block  struct {        // the block of data that was read last
		at   int64
		data []byte
	}
	zeros []byte // a hole
}

// superblock is the beginning of an image, byte for byte.
type superblock struct {
	Magic, Inodes, Modified, BlockSize, Fragments    uint32
	Compressor, BlockLog, Flags, IDs, Major, Minor   uint16
	Root                                             uint64
	Used, IDTable, XattrTable, InodeTable, Directory uint64
	FragmentTable, ExportTable                       uint64
}

const (
	magic          = 0x73717368 // "hsqs"
	superblockSize = 96
)

// New opens the image that begins at an offset of what is read. It reads until the end of r's data, whose length is
// size.
func New(r io.ReaderAt, offset, size int64) (*FS, error) {
	if offset < 0 || size-offset < superblockSize {
		return nil, ErrFormat
	}
	f := &FS{r: io.NewSectionReader(r, offset, size-offset), size: size - offset, tables: map[int64]table{}}
	f.block.at = -1
	if err := binary.Read(io.NewSectionReader(f.r, 0, superblockSize), binary.LittleEndian, &f.super); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	s := &f.super
	switch {
	case s.Magic != magic:
		return nil, ErrFormat
	case s.Major != 4:
		return nil, fmt.Errorf("%w: its version is %d.%d, only 4 is read", ErrFormat, s.Major, s.Minor)
	case s.BlockLog < 12 || s.BlockLog > 20 || s.BlockSize != 1<<s.BlockLog:
		return nil, fmt.Errorf("%w: blocks of %d bytes", ErrFormat, s.BlockSize)
	}
	var err error
	if f.unpack, err = unpackerOf(s.Compressor); err != nil {
		return nil, err
	}
	if f.root, err = f.inode(s.Root); err != nil {
		return nil, err
	}
	if !f.root.folder() {
		return nil, fmt.Errorf("%w: its root is not a folder", ErrFormat)
	}
	return f, nil
}

// read reads a piece of the image.
func (f *FS) read(at int64, length int) ([]byte, error) {
	if at < 0 || length < 0 || at > f.size-int64(length) {
		return nil, fmt.Errorf("%w: it ends before %d", ErrFormat, at+int64(length))
	}
	b := make([]byte, length)
	_, err := f.r.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		err = nil // the last bytes of the image
	}
	return b, err
}

// table is an unpacked block of a table.
type table struct {
	data []byte
	next int64 // where the block behind it begins
}

func (f *FS) table(at int64) (table, error) {
	if t, ok := f.tables[at]; ok {
		return t, nil
	}
	head, err := f.read(at, 2)
	if err != nil {
		return table{}, err
	}
	length := binary.LittleEndian.Uint16(head)
	packed, err := f.read(at+2, int(length&0x7fff))
	if err != nil {
		return table{}, err
	}
	t := table{data: packed, next: at + 2 + int64(len(packed))}
	if length&0x8000 == 0 {
		if t.data, err = f.unpack(packed, metaBlock); err != nil {
			return table{}, fmt.Errorf("%w: %w", ErrFormat, err)
		}
	}
	if len(f.tables) >= keptBlocks {
		clear(f.tables)
	}
	f.tables[at] = t
	return t, nil
}

// tableReader reads a table from a place on, over the ends of its blocks.
type tableReader struct {
	fs   *FS
	at   int64
	skip int
}

func (r *tableReader) Read(p []byte) (int, error) {
	t, err := r.fs.table(r.at)
	if err != nil {
		return 0, err
	}
	if r.skip >= len(t.data) {
		if len(t.data) < metaBlock { // only the last block of a table is short
			return 0, io.ErrUnexpectedEOF
		}
		r.at, r.skip = t.next, r.skip-len(t.data)
		return 0, nil
	}
	n := copy(p, t.data[r.skip:])
	r.skip += n
	return n, nil
}

// values reads fixed values one after another.
func (r *tableReader) values(into ...any) error {
	for _, v := range into {
		if err := binary.Read(r, binary.LittleEndian, v); err != nil {
			return fmt.Errorf("%w: %w", ErrFormat, err)
		}
	}
	return nil
}
