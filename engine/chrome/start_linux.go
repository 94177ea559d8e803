package chrome

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithOwner has the kernel kill the browser when the thread that starts it ends. The closing pipe ends a browser that works;
// this ends one that hangs. The starting goroutine must keep its thread until the browser ended.
func dieWithOwner(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }

// reap waits for the end of cmd. killGroup is called while the ended process still holds its id, so that the group's id cannot have
// gone to somebody else.
func reap(cmd *exec.Cmd, killGroup func()) error {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	killGroup()
	return cmd.Wait()
}
