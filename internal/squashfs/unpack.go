package squashfs

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz/lzma"
)

// unpacker unpacks a block, which must not become longer than most.
type unpacker func(packed []byte, most int) ([]byte, error)

var (
	errTooLong = errors.New("a block is longer than it may be")
	errNotXZ   = errors.New("no xz stream")
)

// unpackerOf returns the unpacker of an image by the number in its superblock.
func unpackerOf(number uint16) (unpacker, error) {
	switch number {
	case 1:
		return unpackZlib, nil
	case 4:
		return unpackXZ, nil
	case 6:
		return unpackZstd, nil
	}
	names := map[uint16]string{2: "lzma", 3: "lzo", 5: "lz4"}
	return nil, fmt.Errorf("%w: it is packed by %s, which is not read; gzip, xz and zstd are", ErrFormat,
		cmp.Or(names[number], fmt.Sprint("compressor ", number)))
}

func unpackZlib(packed []byte, most int) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return readUpTo(r, most)
}

// unpackXZ unpacks the one block of an xz stream. The library's reader of whole streams would believe the size of the
// dictionary that the block asks for, which may be 4 GB; no distance in a block is longer than the block.
func unpackXZ(packed []byte, most int) ([]byte, error) {
	data, err := xzBlock(packed)
	if err != nil {
		return nil, err
	}
	r, err := lzma.Reader2Config{DictCap: max(most, lzma.MinDictCap)}.NewReader2(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return readUpTo(r, most)
}

// xzBlock returns what follows the headers of an xz stream and of its first block
// (https://tukaani.org/xz/xz-file-format.txt).
func xzBlock(packed []byte) ([]byte, error) {
	const (
		streamHeader  = 12
		hasPackedSize = 0x40
		hasSize       = 0x80
		filters       = 0x03
		lzma2         = 0x21
	)
	if len(packed) < streamHeader+2 || !bytes.HasPrefix(packed, []byte("\xfd7zXZ\x00")) {
		return nil, errNotXZ
	}
	block := packed[streamHeader:]
	length, flags := (int(block[0])+1)*4, block[1]
	if block[0] == 0 || length > len(block) {
		return nil, errNotXZ
	}
	if flags&filters != 0 {
		return nil, errors.New("an xz block with a filter for machine code is not read")
	}
	head := block[2:length]
	for _, field := range []byte{hasPackedSize, hasSize} {
		if flags&field != 0 {
			_, n := binary.Uvarint(head)
			if n <= 0 {
				return nil, errNotXZ
			}
			head = head[n:]
		}
	}
	if len(head) == 0 || head[0] != lzma2 {
		return nil, errNotXZ
	}
	return block[length:], nil
}

// zstdReader is shared: it holds tables, and no goroutine when it unpacks whole blocks.
var zstdReader = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(8*maxBlock))
})

func unpackZstd(packed []byte, most int) ([]byte, error) {
	d, err := zstdReader()
	if err != nil {
		return nil, err
	}
	b, err := d.DecodeAll(packed, nil)
	if err == nil && len(b) > most {
		err = errTooLong
	}
	return b, err
}

func readUpTo(r io.Reader, most int) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(b) > most {
		err = errTooLong
	}
	return b, err
}
