package limits

import (
	"os"
	"strconv"
)

// OutOfMemory returns the memory in bytes that the container or control group of this process has, if the system has
// ended a process there for want of memory. That leaves no other sign than a killed process.
func OutOfMemory() (limit uint64, found bool) {
	for _, dir := range memoryGroups() {
		if oomKills(dir+"/memory.events")+oomKills(dir+"/memory.oom_control") == 0 {
			continue
		}
		for _, file := range []string{"/memory.max", "/memory.limit_in_bytes"} {
			if limit, found = readNumber(dir + file); found {
				return limit, true
			}
		}
	}
	return 0, false
}

// memoryGroups returns the folders of the control groups that this process may be in: those that /proc names, in lines
// such as "4:memory:/a", and those that a container sees as the root.
func memoryGroups() []string {
	const root, old = "/sys/fs/cgroup", "/sys/fs/cgroup/memory"
	dirs := []string{root, old}
	text, err := os.ReadFile("/proc/self/cgroup")
	for rest := string(text); err == nil && rest != ""; {
		var line string
		line, rest = cut(rest, '\n')
		_, line = cut(line, ':')
		switch controllers, path := cut(line, ':'); {
		case path == "/" || path == "":
		case controllers == "":
			dirs = append(dirs, root+path)
		case controllers == "memory":
			dirs = append(dirs, old+path)
		}
	}
	return dirs
}

// oomKills returns how many processes were ended, by a file with lines such as "oom_kill 2".
func oomKills(path string) int {
	text, err := os.ReadFile(path)
	for rest := string(text); err == nil && rest != ""; {
		var line string
		line, rest = cut(rest, '\n')
		if name, n := cut(line, ' '); name == "oom_kill" {
			kills, _ := strconv.Atoi(n)
			return kills
		}
	}
	return 0
}

// cut is strings.Cut for one byte: the client links this package, and not that one.
func cut(s string, sep byte) (before, after string) {
	for i := range len(s) {
		if s[i] == sep {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
