//go:build unix

package userfile

import "syscall"

// nonblocking opens a pipe without a writer at once.
const nonblocking = syscall.O_NONBLOCK
