package squashfs

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

const plainBlock = 1 << 24 // a block with this bit is not packed

// readAt reads of a file's data.
func (f *FS) readAt(i *inode, p []byte, at int64) (n int, err error) {
	for n < len(p) {
		if at >= i.size {
			return n, io.EOF
		}
		block, err := f.dataAt(i, int(at/int64(f.super.BlockSize)))
		if err != nil {
			return n, err
		}
		within := at % int64(f.super.BlockSize)
		if within >= int64(len(block)) {
			return n, fmt.Errorf("%w: a block of %d bytes is too short", ErrFormat, len(block))
		}
		copied := copy(p[n:], block[within:])
		n, at = n+copied, at+int64(copied)
	}
	return n, nil
}

// dataAt returns a block of a file's data; the one behind the last is its part of a fragment.
func (f *FS) dataAt(i *inode, number int) ([]byte, error) {
	length := int(min(int64(f.super.BlockSize), i.size-int64(number)*int64(f.super.BlockSize)))
	if number < len(i.blocks) {
		start := i.start
		for _, b := range i.blocks[:number] {
			start += int64(b &^ plainBlock)
		}
		if i.blocks[number] == 0 { // a hole
			if f.zeros == nil {
				f.zeros = make([]byte, f.super.BlockSize)
			}
			return f.zeros[:length], nil
		}
		return f.data(start, i.blocks[number])
	}
	if i.fragment == noFragment {
		return nil, fmt.Errorf("%w: a file without its last block", ErrFormat)
	}
	start, size, err := f.fragment(i.fragment)
	if err != nil {
		return nil, err
	}
	whole, err := f.data(start, size)
	if err != nil {
		return nil, err
	}
	if i.offset < 0 || i.offset+length > len(whole) {
		return nil, fmt.Errorf("%w: a file lies outside its fragment", ErrFormat)
	}
	return whole[i.offset : i.offset+length], nil
}

// data reads a block, and keeps it: its neighbors are asked for next.
func (f *FS) data(at int64, size uint32) ([]byte, error) {
	if f.block.at == at {
		return f.block.data, nil
	}
	length := int(size &^ plainBlock)
	if length > maxBlock {
		return nil, fmt.Errorf("%w: a packed block of %d bytes", ErrFormat, length)
	}
	b, err := f.read(at, length)
	if err != nil {
		return nil, err
	}
	if size&plainBlock == 0 {
		if b, err = f.unpack(b, int(f.super.BlockSize)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
	}
	f.block.at, f.block.data = at, slices.Clip(b)
	return b, nil
}

// fragment finds a fragment: a block that the ends of several files share.
func (f *FS) fragment(number uint32) (start int64, size uint32, err error) {
	const perTable = metaBlock / 16
	if number >= f.super.Fragments {
		return 0, 0, fmt.Errorf("%w: it has no fragment %d", ErrFormat, number)
	}
	b, err := f.read(int64(f.super.FragmentTable)+8*int64(number/perTable), 8)
	if err != nil {
		return 0, 0, err
	}
	r := &tableReader{fs: f, at: int64(binary.LittleEndian.Uint64(b)), skip: int(number%perTable) * 16}
	var entry struct {
		Start        uint64
		Size, Unused uint32
	}
	err = r.values(&entry)
	return int64(entry.Start), entry.Size, err
}
