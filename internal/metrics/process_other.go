//go:build !linux

package metrics

// ResidentMemory is the memory of this process; it is not known here.
func ResidentMemory() (float64, bool) { return 0, false }

// OpenFiles counts the descriptors of this process; they are not known here.
func OpenFiles() (float64, bool) { return 0, false }
