//go:build linux || darwin

package terminal

import (
	"syscall"
	"unsafe"
)

// Is reports whether a file descriptor is one of a terminal.
func Is(fd uintptr) bool {
	var settings syscall.Termios
	return control(int(fd), getSettings, unsafe.Pointer(&settings))
}
