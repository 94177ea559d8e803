package chrome

import "golang.org/x/sys/unix"

// smallSharedMemory is below what Chromium needs for a few large pages; containers get 64 MB unless told otherwise.
const smallSharedMemory = 512 << 20

// SharedMemorySwitches makes Chromium use the temporary directory where /dev/shm is missing or small: it crashes when
// that is full.
func SharedMemorySwitches() []string {
	var s unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &s); err == nil && s.Bavail*uint64(s.Bsize) >= smallSharedMemory {
		return nil
	}
	return []string{"--disable-dev-shm-usage"}
}
