//go:build unix && !(linux && (amd64 || arm64))

package hostdir

import "syscall"

// mayUse is writable and searchable, as access(2) has them.
const mayUse = 2 | 1

// look returns what is at a path, which ends with a NUL.
func look(path []byte) kind {
	var st syscall.Stat_t
	err := syscall.Stat(string(path[:len(path)-1]), &st)
	errno, _ := err.(syscall.Errno)
	return kindOf(&st, errno)
}

// mayWrite reports whether files can be made in the folder at a path, which ends with a NUL.
func mayWrite(path []byte) bool { return syscall.Access(string(path[:len(path)-1]), mayUse) == nil }
