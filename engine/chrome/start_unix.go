//go:build unix

package chrome

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// attachPipe hands the browser its ends of the pipe: file descriptors 3 and 4 are where --remote-debugging-pipe looks
// for them.
func attachPipe(cmd *exec.Cmd, commands, replies *os.File) error {
	cmd.ExtraFiles = []*os.File{commands, replies}
	return nil
}

// isWrongFormat reports whether the system refused a file as no program of this machine. Only macOS knows the second
// error.
func isWrongFormat(err error) bool {
	errno, ok := errors.AsType[syscall.Errno](err)
	return ok && (errno == syscall.ENOEXEC || errno.Error() == "bad CPU type in executable")
}
