//go:build unix

package chrome

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// group is everything that a browser started: its process group.
type group struct{ pgid int }

// attachPipe hands the browser its ends of the pipe: file descriptors 3 and 4 are where --remote-debugging-pipe looks for them.
func attachPipe(cmd *exec.Cmd, commands, replies *os.File) error {
	cmd.ExtraFiles = []*os.File{commands, replies}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return nil
}

// newGroup returns the group of the started cmd. A group of its own also keeps a terminal's Ctrl-C from the browser.
func newGroup(cmd *exec.Cmd) (*group, error) {
	return &group{pgid: cmd.Process.Pid}, nil
}

// kill ends every process of the group.
func (g *group) kill() { _ = syscall.Kill(-g.pgid, syscall.SIGKILL) }

func (g *group) release() {}

// isWrongFormat reports whether the system refused a file as no program of this machine. Only macOS knows the second error.
func isWrongFormat(err error) bool {
	errno, ok := errors.AsType[syscall.Errno](err)
	return ok && (errno == syscall.ENOEXEC || errno.Error() == "bad CPU type in executable")
}
