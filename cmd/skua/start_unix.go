//go:build unix

package main

import (
	"os"
	"strconv"
	"syscall"
)

const (
	refused  = syscall.ECONNREFUSED
	timedOut = syscall.EAGAIN // what a socket says whose patience is at its end
	// unread is what a Unix socket says when the other side is gone without having read all that was sent to it, or
	// without having accepted the connection at all. When it has read everything there is only the end of the stream.
	unread   = syscall.ECONNRESET
	noFollow = syscall.O_NOFOLLOW
)

// detached puts the host into a session of its own: it outlives the terminal, and Ctrl-C there is not for it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// keepFiles keeps from the host what the client was given beside the standard streams. Whoever gave it may be waiting until
// nobody has it any more.
func keepFiles() {
	dir, err := os.Open("/dev/fd")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

func hostWorkDir() string { return "/" }
