package procgroup

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithOwner has the kernel kill the process when the thread that starts it ends.
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

// Members returns the processes of a process group that still run. Ended ones that nobody has waited for yet do not count.
func Members(pgid int) []int {
	var members []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		if err != nil {
			continue // it ended meanwhile
		}
		// "pid (name) state ppid pgrp ..."; the name may hold anything.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if fields[0] == "Z" || fields[0] == "X" || fields[2] != strconv.Itoa(pgid) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
		members = append(members, pid)
	}
	return members
}
