//go:build unix

package procgroup

import (
	"os/exec"
	"syscall"
)

// handle is a process group, by its id.
type handle struct{ pgid int }

// separate has cmd run in a group of its own, which also keeps a terminal's Ctrl-C from it.
func separate(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

func newHandle(cmd *exec.Cmd) (*handle, error) { return &handle{pgid: cmd.Process.Pid}, nil }

func (h *handle) kill() { _ = syscall.Kill(-h.pgid, syscall.SIGKILL) }

func (h *handle) terminate() { _ = syscall.Kill(-h.pgid, syscall.SIGTERM) }

func (h *handle) release() {}

func (h *handle) members() []int { return Members(h.pgid) }

// endGroupOf ends the process group that a process leads, if it leads one.
func endGroupOf(pid int, kill bool) {
	if group, err := syscall.Getpgid(pid); err == nil && group == pid {
		_ = syscall.Kill(-pid, endSignal(kill))
	}
}

func endSignal(kill bool) syscall.Signal {
	if kill {
		return syscall.SIGKILL
	}
	return syscall.SIGTERM
}
