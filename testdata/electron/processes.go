package electronapp

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Processes returns the ids of the living processes that belong to the app: its own, and the browser in which it shows its windows. It sees
// them on Linux only. The browser's own children are not among them; they end with it.
func (a App) Processes() []int {
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var pids []int
	for _, name := range commands {
		text, err := os.ReadFile(name)
		if err != nil || !a.owns(strings.Split(string(bytes.TrimRight(text, "\x00")), "\x00")) {
			continue // ended, or somebody else's
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (a App) owns(argv []string) bool {
	mark := "--app-path=" + filepath.Join(a.Dir, "resources", "app.asar")
	for i, arg := range argv {
		if i == 0 && arg == a.Executable || arg == mark {
			return true
		}
	}
	return false
}

// Kill ends all processes of the app at once. Tests call it when they end, for apps that outlive what they test.
func (a App) Kill() {
	for _, pid := range a.Processes() {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill() // it may have ended meanwhile
		}
	}
}
