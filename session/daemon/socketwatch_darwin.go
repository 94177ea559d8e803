package daemon

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// watchSocket calls gone once, when path no longer leads to file: the file or its folder was removed or replaced. stop
// waits for a running call of gone.
func watchSocket(path string, file os.FileInfo, gone func()) (stop func(), err error) {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	queue, err := unix.Kqueue()
	if err != nil {
		_ = dir.Close()
		return nil, os.NewSyscallError("kqueue", err)
	}
	unix.CloseOnExec(queue)
	var folder, end unix.Kevent_t
	unix.SetKevent(&folder, int(dir.Fd()), unix.EVFILT_VNODE, unix.EV_ADD|unix.EV_CLEAR)
	folder.Fflags = unix.NOTE_WRITE | unix.NOTE_DELETE | unix.NOTE_RENAME
	unix.SetKevent(&end, 1, unix.EVFILT_USER, unix.EV_ADD|unix.EV_CLEAR)
	if _, err := unix.Kevent(queue, []unix.Kevent_t{folder, end}, nil, nil); err != nil {
		_ = unix.Close(queue)
		_ = dir.Close()
		return nil, os.NewSyscallError("kevent", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		events := make([]unix.Kevent_t, 2)
		for {
			if info, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(info, file) {
				gone()
				return
			}
			n, err := unix.Kevent(queue, nil, events, nil)
			if err != nil && !errors.Is(err, unix.EINTR) {
				return
			}
			for _, e := range events[:max(n, 0)] {
				if e.Filter == unix.EVFILT_USER {
					return
				}
			}
		}
	}()
	return func() {
		wake := end
		wake.Flags, wake.Fflags = 0, unix.NOTE_TRIGGER
		_, _ = unix.Kevent(queue, []unix.Kevent_t{wake}, nil, nil)
		<-done
		_ = unix.Close(queue)
		_ = dir.Close()
	}, nil
}
