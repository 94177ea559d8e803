//go:build unix

package main

import "syscall"

const (
	refused  = syscall.ECONNREFUSED
	noFollow = syscall.O_NOFOLLOW
)

// detached puts the host into a session of its own: it outlives the terminal, and Ctrl-C there is not for it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func hostWorkDir() string { return "/" }
