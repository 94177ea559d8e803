//go:build !linux

package procgroup

import "os/exec"

// dieWithOwner does nothing: macOS knows no such thing, and on Windows the job object does it.
func dieWithOwner(*exec.Cmd) {}

// reap waits for the end of cmd and calls killGroup.
func reap(cmd *exec.Cmd, killGroup func()) error {
	err := cmd.Wait()
	killGroup()
	return err
}
