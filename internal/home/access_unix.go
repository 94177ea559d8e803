//go:build unix

package home

import "syscall"

// mayWrite reports whether this user can make files in a folder.
func mayWrite(dir string) bool {
	const writableAndSearchable = 2 | 1
	return syscall.Access(dir, writableAndSearchable) == nil
}
