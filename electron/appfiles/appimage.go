package appfiles

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/skua-browser/skua/internal/squashfs"
	"github.com/skua-browser/skua/internal/userfile"
)

// An AppImage is one file with an app in it (https://github.com/AppImage/AppImageSpec): of type 2 a program with a
// SquashFS image behind it, of type 1 an ISO 9660 image that is a program too.

// AppImageType returns 1 or 2 when a file is an AppImage, else 0.
func AppImageType(path string) int {
	f, err := userfile.Open(context.Background(), path)
	if err != nil {
		return 0
	}
	defer f.Close()
	var head [11]byte
	if _, err := f.ReadAt(head[:], 0); err != nil || string(head[:4]) != "\x7fELF" || head[8] != 'A' || head[9] != 'I' ||
		head[10] > 2 {
		return 0
	}
	return int(head[10])
}

// AppImage is what an AppImage of type 2 has in it.
type AppImage struct {
	fs.FS
	file *os.File
}

// OpenAppImage opens an AppImage of type 2, without running it. The caller closes it.
func OpenAppImage(path string) (_ *AppImage, err error) {
	f, err := userfile.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	end, err := elfEnd(f)
	if err != nil {
		return nil, err
	}
	image, err := squashfs.New(f, end, info.Size())
	if err != nil {
		return nil, fmt.Errorf("the AppImage has contents that cannot be read: %w", err)
	}
	return &AppImage{FS: image, file: f}, nil
}

// Close closes the file.
func (a *AppImage) Close() error { return a.file.Close() }

// DesktopFileIn returns the desktop file at the top of an AppImage.
func DesktopFileIn(image fs.FS) (DesktopFile, bool) {
	names, _ := fs.Glob(image, "*.desktop")
	for _, name := range names {
		if text, err := readSmall(image, name, maxDesktopFile); err == nil {
			d := parseDesktopFile(string(text))
			d.ID = strings.TrimSuffix(name, ".desktop")
			return d, true
		}
	}
	return DesktopFile{}, false
}

// elfEnd returns where a program ends that something follows: behind its table of sections, or its last section.
func elfEnd(r io.ReaderAt) (int64, error) {
	var head [64]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return 0, errNotELF
	}
	const wide, bigEndian = 2, 2
	var order binary.ByteOrder = binary.LittleEndian
	if head[5] == bigEndian {
		order = binary.BigEndian
	}
	var table, entry, count int64
	if head[4] == wide {
		table, entry, count = int64(order.Uint64(head[0x28:])), int64(order.Uint16(head[0x3a:])),
			int64(order.Uint16(head[0x3c:]))
	} else {
		table, entry, count = int64(order.Uint32(head[0x20:])), int64(order.Uint16(head[0x2e:])),
			int64(order.Uint16(head[0x30:]))
	}
	if table <= 0 || count == 0 || table > 1<<40 {
		return 0, errNotELF
	}
	end := table + entry*count
	var section [40]byte
	if _, err := r.ReadAt(section[:], table+entry*(count-1)); err != nil {
		return 0, errNotELF
	}
	if head[4] == wide {
		return max(end, int64(order.Uint64(section[0x18:])+order.Uint64(section[0x20:]))), nil
	}
	return max(end, int64(order.Uint32(section[0x10:])+order.Uint32(section[0x14:]))), nil
}

var errNotELF = errors.New("an AppImage whose program cannot be read")
