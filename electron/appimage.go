package electron

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skua-browser/skua/electron/appfiles"
)

const noFUSE = "This system has no FUSE to mount the AppImage, so it unpacks itself at each start, which takes a while."

// errISO says that an AppImage is of the type that no tool makes any longer.
var errISO = errors.New(
	"an AppImage of type 1, whose file system (ISO 9660) is not read; unpack it and give its executable by executablePath")

// takeAppImage adds what an AppImage says of itself, without running it, and nothing when there is no Electron app in
// it.
func (s *scan) takeAppImage(a *App, path string, kind int) error {
	if kind == 1 {
		return errISO
	}
	image, err := appfiles.OpenAppImage(path)
	if err != nil {
		return err
	}
	defer image.Close()
	for _, dir := range appfiles.Folders(image) {
		folder, err := fs.Sub(image, dir)
		if err != nil {
			continue
		}
		i := appfiles.InspectFolder(folder, "")
		if !i.Electron() || i.Runtime() {
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
		if d, ok := appfiles.DesktopFileIn(image); ok {
			// What its own menu entry starts it with, as a rule --no-sandbox: the sandbox in it cannot get the rights that it
			// needs.
			if len(a.how.args) == 0 {
				a.how.args = withoutOwned(appfiles.CommandOf(d.Exec).Args)
			}
			if a.Name == "" {
				a.Name = d.Name
			}
			if a.Icon == "" {
				a.Icon = d.Icon
			}
			if a.DesktopID == "" {
				a.DesktopID = d.ID
			}
		}
		a.how.args = append(args, a.how.args...)
		a.describe(s.found.Platform, i)
		return nil
	}
	return nil
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
