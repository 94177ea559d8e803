//go:build !linux

package chrome

// SharedMemorySwitches: /dev/shm is a matter of Linux only.
func SharedMemorySwitches() []string { return nil }
