package metrics

import (
	"fmt"
	"os"
)

// ResidentMemory is the resident set size of this process, in bytes.
func ResidentMemory() (float64, bool) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	var total, resident int64
	if _, err := fmt.Sscan(string(text), &total, &resident); err != nil {
		return 0, false
	}
	return float64(resident) * float64(os.Getpagesize()), true
}

// OpenFiles counts the descriptors of this process.
func OpenFiles() (float64, bool) {
	list, err := os.ReadDir("/proc/self/fd")
	return float64(len(list)), err == nil
}
