//go:build unix

package main

import (
	"os"
	"strconv"
	"syscall"
)

const (
	refused  = syscall.ECONNREFUSED
	timedOut = syscall.EAGAIN // returned when the socket's timeout is over
	// unread is returned by a Unix socket if the other side closed without reading everything, or without accepting the
	// connection. If it read everything, there is only the end of the stream.
	unread   = syscall.ECONNRESET
	noFollow = syscall.O_NOFOLLOW
)

// detached puts the host into its own session: it outlives the terminal and ignores Ctrl-C there.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// keepFiles keeps the host from inheriting the client's other open files. Their creator may be waiting until all copies
// are closed.
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
