package video

import (
	"encoding/binary"
	"io"
	"os"
)

// CountFrames returns how many frames an MP4 file has, by its tables.
func CountFrames(path string) (frames int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	err = boxes(f, 0, info.Size(), &frames)
	return frames, err
}

// boxes adds what the tables in a part of a file say: those of a video as a whole, and those of its pieces.
func boxes(f io.ReaderAt, from, to int64, frames *int) error {
	head := make([]byte, 16)
	for from+8 <= to {
		if _, err := f.ReadAt(head[:8], from); err != nil {
			return err
		}
		length, body := int64(binary.BigEndian.Uint32(head)), from+8
		switch length {
		case 0:
			length = to - from
		case 1:
			if _, err := f.ReadAt(head[8:], body); err != nil {
				return err
			}
			length, body = int64(binary.BigEndian.Uint64(head[8:])), body+8
		}
		if length < body-from || from+length > to {
			return nil // it is cut off here
		}
		count := int64(-1)
		switch string(head[4:8]) {
		case "moov", "trak", "mdia", "minf", "stbl", "moof", "traf":
			if err := boxes(f, body, from+length, frames); err != nil {
				return err
			}
		case "stsz":
			count = body + 8
		case "trun":
			count = body + 4
		}
		if count >= 0 && count+4 <= from+length {
			if _, err := f.ReadAt(head[:4], count); err != nil {
				return err
			}
			*frames += int(binary.BigEndian.Uint32(head))
		}
		from += length
	}
	return nil
}
