//go:build amd64 || arm64

package hostdir

import (
	"syscall"
	"unsafe"
)

// The client calls these before its Go runtime starts: raw system calls and no heap.

// writable and searchable, as access(2) has them.
const mayUse = 2 | 1

const atWorkDir = ^uintptr(99) // AT_FDCWD

// look returns what is at a path, which ends with a NUL.
func look(path []byte) kind {
	var st syscall.Stat_t
	_, _, errno := syscall.RawSyscall6(sysFstatat, atWorkDir, uintptr(unsafe.Pointer(unsafe.SliceData(path))),
		uintptr(unsafe.Pointer(&st)), 0, 0, 0)
	return kindOf(&st, errno)
}

// mayWrite reports whether files can be made in the folder at a path, which ends with a NUL.
func mayWrite(path []byte) bool {
	_, _, errno := syscall.RawSyscall(syscall.SYS_FACCESSAT, atWorkDir, uintptr(unsafe.Pointer(unsafe.SliceData(path))),
		mayUse)
	return errno == 0
}
