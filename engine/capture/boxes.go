package capture

import "encoding/binary"

// boxes follows the top-level boxes of an MP4 file that is written to it in pieces (ISO/IEC 14496-12, 4.2: a size of
// four bytes, a type of four, and a size of eight more where the first says 1).
type boxes struct {
	head []byte // of the box that has begun
	left uint64 // bytes of it that are still to come
	last string // type of the last whole box
}

func (b *boxes) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 {
		if b.left > 0 {
			n := min(b.left, uint64(len(p)))
			b.left -= n
			p = p[n:]
		} else {
			b.head, p = append(b.head, p[0]), p[1:]
			size, known := b.size()
			if !known {
				continue
			}
			b.left = size - min(size, uint64(len(b.head)))
		}
		if b.left == 0 {
			b.last, b.head = string(b.head[4:8]), b.head[:0]
		}
	}
	return written, nil
}

// size returns the size of the box that has begun, if its head is whole.
func (b *boxes) size() (size uint64, known bool) {
	if len(b.head) < 8 {
		return 0, false
	}
	if size = uint64(binary.BigEndian.Uint32(b.head)); size != 1 {
		return size, true
	}
	if len(b.head) < 16 {
		return 0, false
	}
	return binary.BigEndian.Uint64(b.head[8:]), true
}

// isEnd reports whether the last box is one that only the end of a video in fragments has.
func (b *boxes) isEnd() bool { return b.last == "mfra" && b.isWhole() }

// isVideo reports whether what was written could be a whole video: it has pictures, and ends with a box.
func (b *boxes) isVideo() bool {
	return (b.last == "mdat" || b.last == "moov") && b.isWhole()
}

func (b *boxes) isWhole() bool { return len(b.head) == 0 && b.left == 0 }
