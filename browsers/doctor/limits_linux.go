package doctor

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/limits"
	"github.com/skua-browser/skua/internal/wording"
)

// What a browser with some tabs needs.
const (
	enoughFiles  = 1024
	enoughMemory = 512 << 20
)

// limits looks at what this process may have, and so its host and browsers.
func (l *list) limits() {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		l.add("env.proc", Fail, "This system has no /proc, without which Chromium does not run").
			todo("mount -t proc proc /proc")
	}
	files, limited := limits.Of(limits.Files)
	low := limits.Low()
	switch tooFew := slices.ContainsFunc(low, func(one limits.Limit) bool { return one.Kind == limits.Files }); {
	case !limited:
		l.add("env.limits", Pass, "Any number of files may be open at once")
	case tooFew:
		l.add("env.limits", Fail, "Only %d files may be open at once", files.Value).todo("ulimit -n 4096")
	case files.Value < enoughFiles:
		l.add("env.limits", Warn, "Only %d files may be open at once", files.Value).todo("ulimit -n 4096")
	default:
		l.add("env.limits", Pass, "%d files may be open at once", files.Value)
	}
	for _, one := range low {
		if one.Kind == limits.Files {
			continue
		}
		id := "env.limits"
		if one.Kind == limits.Processes {
			id = "env.processes"
		}
		c := l.add(id, Warn, "A browser may fail: only %s are allowed", one)
		if option := one.Option(); option != "" {
			c.todo("ulimit %s unlimited", option)
		} else {
			c.todo("start the container with more (docker run --pids-limit=1024)")
		}
	}
	if limit, killed := limits.OutOfMemory(); killed {
		l.add("env.memory", Warn, "The system has ended processes here for want of memory; the container has %s",
			wording.Bytes(int64(limit))).
			todo("give the container more memory; a page needs about 100 MB")
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
		l.add("env.memory", Warn, "Only %s of memory left %s", wording.Bytes(available), of).
			todo("end other programs, or give the container more memory; a page needs about 100 MB")
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
