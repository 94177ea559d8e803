//go:build !linux

package chrome

// sharedMemorySwitches: /dev/shm is a matter of Linux only.
func sharedMemorySwitches() []string { return nil }
