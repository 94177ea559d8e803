package backend

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// apart keeps the console's Ctrl-C from the process.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// ask does nothing: Windows has no signal that asks.
func ask(*exec.Cmd) {}

func end(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// executable returns the path of the program, whose ending may be left out.
func executable(path string) string {
	endings := []string{".exe", ".cmd", ".bat"}
	if filepath.Ext(path) != "" {
		endings = []string{""}
	}
	for _, ending := range endings {
		if info, err := os.Stat(path + ending); err == nil && info.Mode().IsRegular() {
			return path + ending
		}
	}
	return ""
}
