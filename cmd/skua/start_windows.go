package main

import (
	"os"
	"syscall"
)

const (
	refused  = syscall.Errno(10061) // WSAECONNREFUSED
	timedOut = syscall.Errno(10060) // WSAETIMEDOUT
	unread   = syscall.Errno(0)     // cannot be distinguished from a host that was killed later
	noFollow = 0
)

// detached gives the host no console: it outlives the terminal and ignores Ctrl-C there.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x8
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP}
}

// keepFiles does nothing: on Windows a process inherits only what its parent names.
func keepFiles() {}

func hostWorkDir() string { return os.Getenv("SYSTEMROOT") }
