//go:build !linux

package limits

// OutOfMemory returns the memory that a container has, on Linux.
func OutOfMemory() (limit uint64, found bool) { return 0, false }
