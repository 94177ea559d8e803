package daemon

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// watch calls gone once, when the port's file is no longer this host's. stop waits for a running call of gone.
func (l *hostListener) watch(gone func()) (stop func(), err error) {
	none := func() {}
	end, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return none, os.NewSyscallError("CreateEvent", err)
	}
	changes, err := windows.FindFirstChangeNotification(filepath.Dir(l.path), false,
		windows.FILE_NOTIFY_CHANGE_FILE_NAME|windows.FILE_NOTIFY_CHANGE_LAST_WRITE)
	if err != nil {
		_ = windows.CloseHandle(end)
		return none, os.NewSyscallError("FindFirstChangeNotification", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			if b, err := os.ReadFile(l.path); os.IsNotExist(err) || err == nil && string(b) != l.content {
				gone()
				return
			}
			which, err := windows.WaitForMultipleObjects([]windows.Handle{end, changes}, false, windows.INFINITE)
			if err != nil || which == windows.WAIT_OBJECT_0 || windows.FindNextChangeNotification(changes) != nil {
				return
			}
		}
	}()
	return func() {
		_ = windows.SetEvent(end)
		<-done
		_ = windows.FindCloseChangeNotification(changes)
		_ = windows.CloseHandle(end)
	}, nil
}
