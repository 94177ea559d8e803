//go:build !linux

package chrome

import "os/exec"

// dieWithOwner does nothing: the closing pipe (and on Windows the job object) ends the browser.
func dieWithOwner(*exec.Cmd) {}

// reap waits for the end of cmd and calls killGroup.
func reap(cmd *exec.Cmd, killGroup func()) error {
	err := cmd.Wait()
	killGroup()
	return err
}
