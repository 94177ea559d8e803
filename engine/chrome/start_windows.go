package chrome

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// attachPipe lets the browser inherit its ends of the pipe. Windows has no numbered descriptors, so a switch tells the
// handles.
func attachPipe(cmd *exec.Cmd, commands, replies *os.File) error {
	handles := []syscall.Handle{syscall.Handle(commands.Fd()), syscall.Handle(replies.Fd())}
	for _, h := range handles {
		if err := windows.SetHandleInformation(windows.Handle(h), windows.HANDLE_FLAG_INHERIT,
			windows.HANDLE_FLAG_INHERIT); err != nil {
			return fmt.Errorf("making the debugging pipe inheritable: %w", err)
		}
	}
	cmd.Args = append(cmd.Args, fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", handles[0], handles[1]))
	// Only these handles are inherited: other pipes of this process stay closed to the browser.
	cmd.SysProcAttr = &syscall.SysProcAttr{AdditionalInheritedHandles: handles}
	return nil
}

// isWrongFormat reports whether Windows refused a file as no program of this machine.
func isWrongFormat(err error) bool {
	return errors.Is(err, windows.ERROR_BAD_EXE_FORMAT) || errors.Is(err, windows.ERROR_EXE_MACHINE_TYPE_MISMATCH)
}
