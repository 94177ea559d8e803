package electron

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/internal/squashfs"
	"github.com/skua-browser/skua/internal/userfile"
)

// An AppImage is one file with an app in it (https://github.com/AppImage/AppImageSpec): of type 2 a program with a SquashFS image behind it,
// of type 1 an ISO 9660 image that is a program too.

const noFUSE = "This system has no FUSE to mount the AppImage, so it unpacks itself at each start, which takes a while."

// errISO says that an AppImage is of the type that no tool makes any more.
var errISO = errors.New("an AppImage of type 1, whose file system (ISO 9660) is not read; unpack it and give its executable by executablePath")

// appImageType returns 1 or 2 when a file is an AppImage, else 0.
func appImageType(path string) int {
	f, err := userfile.Open(context.Background(), path)
	if err != nil {
		return 0
	}
	defer f.Close()
	var head [11]byte
	if _, err := f.ReadAt(head[:], 0); err != nil || string(head[:4]) != "\x7fELF" || head[8] != 'A' || head[9] != 'I' || head[10] > 2 {
		return 0
	}
	return int(head[10])
}

// takeAppImage adds what an AppImage says of itself, without running it, and nothing when there is no Electron app in it.
func (s *scan) takeAppImage(a *App, path string, kind int) error {
	if kind == 1 {
		return errISO
	}
	f, err := userfile.Open(context.Background(), path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	end, err := elfEnd(f)
	if err != nil {
		return err
	}
	image, err := squashfs.New(f, end, info.Size())
	if err != nil {
		return fmt.Errorf("an AppImage with what cannot be read in it: %w", err)
	}
	for _, dir := range appFolders(image) {
		folder, err := fs.Sub(image, dir)
		if err != nil {
			continue
		}
		i := inspectFolder(folder, "")
		if !i.Electron() || i.runtime() {
			continue
		}
		a.AppPath, a.ExecutablePath, a.PackageSource = path, path, "appimage"
		var args []string
		if !s.places.mounts() {
			// Without FUSE it unpacks itself for as long as it runs.
			args = []string{"--appimage-extract-and-run"}
			a.how.ownTemp = true
			a.how.note = noFUSE
		}
		if d, ok := desktopFileIn(image); ok {
			// What its own menu entry starts it with, as a rule --no-sandbox: the sandbox in it cannot get the rights that it needs.
			if len(a.how.args) == 0 {
				a.how.args = withoutOwned(commandOf(d.exec).args)
			}
			if a.Name == "" {
				a.Name = d.name
			}
			if a.Icon == "" {
				a.Icon = d.icon
			}
			if a.DesktopID == "" {
				a.DesktopID = d.id
			}
		}
		a.how.args = append(args, a.how.args...)
		a.describe(s.found.Platform, i)
		return nil
	}
	return nil
}

// desktopFileIn returns the desktop file at the top of an AppImage.
func desktopFileIn(image fs.FS) (desktopFile, bool) {
	names, _ := fs.Glob(image, "*.desktop")
	for _, name := range names {
		if text, err := readSmall(image, name, maxDesktopFile); err == nil {
			d := parseDesktopFile(string(text))
			d.id = strings.TrimSuffix(name, ".desktop")
			return d, true
		}
	}
	return desktopFile{}, false
}

// mounts reports whether AppImages can mount themselves: they need the device and a program with the rights.
func (p Places) mounts() bool {
	f, err := os.OpenFile(filepath.Join(p.root, "dev/fuse"), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	_ = f.Close()
	return p.lookPath("fusermount3") != "" || p.lookPath("fusermount") != ""
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
		table, entry, count = int64(order.Uint64(head[0x28:])), int64(order.Uint16(head[0x3a:])), int64(order.Uint16(head[0x3c:]))
	} else {
		table, entry, count = int64(order.Uint32(head[0x20:])), int64(order.Uint16(head[0x2e:])), int64(order.Uint16(head[0x30:]))
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
