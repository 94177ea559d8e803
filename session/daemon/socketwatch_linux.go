package daemon

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// watchSocket calls gone once, when path no longer leads to file: the file or its folder was removed or replaced, or a
// folder above was moved. stop waits for a running call of gone.
func watchSocket(path string, file os.FileInfo, gone func()) (stop func(), err error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	dir := filepath.Dir(path)
	const self = unix.IN_MOVE_SELF | unix.IN_DELETE_SELF
	if _, err := unix.InotifyAddWatch(fd, dir,
		self|unix.IN_DELETE|unix.IN_MOVED_FROM|unix.IN_MOVED_TO|unix.IN_ONLYDIR); err != nil {
		_ = events.Close()
		return nil, os.NewSyscallError("inotify_add_watch", err)
	}
	for above := filepath.Dir(dir); above != filepath.Dir(above); above = filepath.Dir(above) {
		_, _ = unix.InotifyAddWatch(fd, above, self) // a folder that cannot be watched cannot be moved by this user either
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 4<<10)
		for {
			if info, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(info, file) {
				gone()
				return
			}
			if _, err := events.Read(buf); err != nil { // the loop looks at the folder itself
				return
			}
		}
	}()
	return func() {
		_ = events.Close()
		<-done
	}, nil
}
