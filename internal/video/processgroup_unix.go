//go:build unix

package video

import (
	"os/exec"
	"syscall"
)

// ownProcessGroup keeps signals of the terminal, which are meant for this process, from ending ffmpeg before its video
// is finished.
func ownProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
