package limits

import (
	"os"
	"strconv"
)

// processes is RLIMIT_NPROC, which package syscall lacks here.
const processes = 6

// container returns the limit of a kind that the container has.
func container(kind Kind) (uint64, bool) {
	if kind != Processes {
		return 0, false
	}
	for _, path := range []string{"/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"} {
		if most, ok := readNumber(path); ok {
			return most, true
		}
	}
	return 0, false
}

func readNumber(path string) (uint64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	for len(text) > 0 && text[len(text)-1] == '\n' {
		text = text[:len(text)-1]
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	return n, err == nil
}
