package downloads

import (
	"errors"
	"io/fs"
	"os"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/diskspace"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/private"
	"github.com/skua-browser/skua/internal/wording"
)

// Dir returns the folder that the browser saves in, which make makes when there is none yet; empty means that it could
// not.
func (l *List) Dir(make func() (string, error)) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dir == "" {
		dir, err := make()
		if err != nil {
			return "", err
		}
		l.dir = dir
	}
	return l.dir, l.readyLocked()
}

// Folder returns the folder that the browser saves in; empty if there is none.
func (l *List) Folder() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dir
}

// Ready returns an error if the browser has no folder to save in. It makes one again that is gone, as after a cleaner
// of temporary files: the browser itself makes none, and cancels the download.
func (l *List) Ready() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.readyLocked()
}

func (l *List) readyLocked() error {
	dir := l.dir
	if dir == "" {
		return fault.New(fault.File, "there is no folder for downloads: none can be made in %s", os.TempDir()).
			WithHint("Free space there, or start the browser with TMPDIR on another disk.")
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := private.MakeAgain(dir); err != nil {
		return fault.New(fault.File, "the folder for downloads, %s, is gone and cannot be made again: %w", dir,
			atomicfile.Reason(err)).About(dir).
			WithHint("`close` and open the page again: the next browser gets another folder.")
	}
	l.owner.Log.Info("folder for downloads made again", "dir", dir)
	return nil
}

// spareRoom is how much more room than what a download has received tells a full disk from one that is not.
const spareRoom = 1 << 20

// troubleOf returns why the browser cannot have saved a download in its folder; nil means that the folder is not the
// reason. The room is that after the browser removed what it had written.
func troubleOf(dir string, d *Item) error {
	if dir == "" {
		return nil
	}
	if _, err := os.Stat(dir); err != nil {
		return fault.New(fault.File, "the browser's folder for downloads, %s, cannot be used: %w", dir,
			atomicfile.Reason(err)).About(dir)
	}
	free, files, err := diskspace.Free(dir)
	if err != nil || files != 0 && free >= max(d.Total, d.Received+spareRoom) {
		return nil
	}
	if files == 0 {
		return fault.New(fault.File, "the disk of %s, the browser's folder for downloads, takes no more files", dir).
			About(dir)
	}
	return fault.New(fault.File, "the disk of %s, the browser's folder for downloads, is full (%s free)", dir,
		wording.Bytes(free)).About(dir).
		With("free", free)
}
