package doctor

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/skua-browser/skua/internal/wording"
)

// What a browser with some tabs needs.
const (
	enoughFiles     = 1024
	tooFewFiles     = 256
	enoughProcesses = 256
	enoughMemory    = 512 << 20
)

// limits looks at what this process may have of files and processes.
func (l *list) limits() {
	var files, processes unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err == nil {
		switch {
		case files.Max < tooFewFiles:
			l.add("env.limits", Fail, "Only %d files may be open at once", files.Max).todo("ulimit -n 4096")
		case files.Max < enoughFiles:
			l.add("env.limits", Warn, "Only %d files may be open at once", files.Max).todo("ulimit -n 4096")
		default:
			l.add("env.limits", Pass, "%d files may be open at once", files.Max)
		}
	}
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &processes); err == nil && processes.Cur < enoughProcesses {
		l.add("env.processes", Warn, "Only %d processes and threads are allowed", processes.Cur).todo("ulimit -u 4096")
	}
	if text, err := os.ReadFile("/sys/fs/cgroup/pids.max"); err == nil {
		if most, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && most < enoughProcesses {
			l.add("env.processes", Warn, "The container allows %d processes and threads only", most).todo("start it with more (docker run --pids-limit=1024)")
		}
	}
}

// memory looks at what is left of it, for the machine and for the container.
func (l *list) memory() {
	available := int64(-1)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
				if kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64); err == nil {
					available = kb << 10
				}
			}
		}
	}
	most, err := readNumber("/sys/fs/cgroup/memory.max")
	used, uerr := readNumber("/sys/fs/cgroup/memory.current")
	of := "on this machine"
	if err == nil && uerr == nil && (available < 0 || most-used < available) {
		available, of = most-used, "within the limit of the container"
	}
	switch {
	case available < 0:
	case available < enoughMemory:
		l.add("env.memory", Warn, "Only %s of memory left %s", wording.Bytes(available), of).todo("end other programs, or give the container more memory; " +
			"a page needs about 100 MB")
	default:
		l.add("env.memory", Pass, "%s of memory left %s", wording.Bytes(available), of)
	}
}

func readNumber(path string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}
