package terminal

import "syscall"

// Is reports whether a handle is one of a console.
func Is(handle uintptr) bool {
	var mode uint32
	return syscall.GetConsoleMode(syscall.Handle(handle), &mode) == nil
}
