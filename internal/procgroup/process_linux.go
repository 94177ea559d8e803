package procgroup

import (
	"os"
	"strconv"
	"strings"
)

// pids returns the ids of all processes.
func pids() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	all := make([]int, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// Alive reports whether a process runs. A zombie does not.
func Alive(pid int) bool {
	_, ok := statOf(pid)
	return ok
}

// Args returns the command line of a running process; not ok when there is none, or it is not to be seen.
func Args(pid int) (args []string, ok bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil || len(text) == 0 {
		return nil, false
	}
	// A program that writes its title over its arguments, as Chromium's zygote does, leaves no zeros between them.
	return strings.Split(strings.TrimRight(string(text), "\x00"), "\x00"), true
}
