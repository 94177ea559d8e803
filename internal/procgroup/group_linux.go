package procgroup

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithOwner has the kernel kill the process when the thread that starts it ends.
func dieWithOwner(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }

// reap waits for the end of cmd. killGroup is called while the ended process still holds its id, so that the group's id
// cannot have been reused.
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

// Members returns the processes of a process group that still run. Zombies do not count.
func Members(pgid int) []int {
	var members []int
	for _, pid := range pids() {
		if s, ok := statOf(pid); ok && s.group == pgid {
			members = append(members, pid)
		}
	}
	return members
}

// stat is what the kernel says of a process.
type stat struct{ group int }

// statOf reports on a process that runs.
func statOf(pid int) (stat, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}, false // it ended meanwhile
	}
	// "pid (name) state ppid pgrp ..."; the name may hold anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 3 || fields[0] == "Z" || fields[0] == "X" {
		return stat{}, false
	}
	group, err := strconv.Atoi(fields[2])
	return stat{group}, err == nil
}
