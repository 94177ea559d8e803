package procgroup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Process is a running process.
type Process struct {
	PID  int
	Args []string // its command line
}

// FindByPath returns the running processes of this user whose command line names a path, or something in that folder.
// This process is not among them.
func FindByPath(path string) []Process {
	var named []Process
	self := os.Getpid()
	for _, pid := range pids() {
		if pid == self {
			continue
		}
		if args, ok := Args(pid); ok && ArgsContainPath(args, path) {
			named = append(named, Process{pid, args})
		}
	}
	return named
}

// ArgsContainPath reports whether a command line names a path, or something in that folder.
func ArgsContainPath(args []string, path string) bool {
	return path != "" && slices.ContainsFunc(args, func(arg string) bool {
		_, rest, found := strings.Cut(arg, path)
		return found && (rest == "" || rest[0] == filepath.Separator || rest[0] == '"' || rest[0] == '\'' || rest[0] == ' ')
	})
}

// EndByPath ends the processes that FindByPath finds, by SIGTERM where the system has it, or kills them. If a process
// leads a group, the whole group ends. It returns the processes that it found.
func EndByPath(path string, kill bool) []Process {
	named := FindByPath(path)
	for _, p := range named {
		if args, ok := Args(p.PID); ok && ArgsContainPath(args, path) {
			endGroupOf(p.PID, kill)
		}
		_, _ = Signal(p.PID, path, endSignal(kill)) // who looks again sees whether it helped
	}
	return named
}

// Signal sends a signal to a process if its command line names path, and reports whether it did. The id cannot come to
// mean another process in between, where the system knows handles for processes.
func Signal(pid int, path string, signal os.Signal) (bool, error) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false, nil // there is none
	}
	defer p.Release() //nolint:errcheck // it only gives the handle back
	if args, ok := Args(pid); !ok || !ArgsContainPath(args, path) {
		return false, nil
	}
	if err := p.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return false, err
	}
	return true, nil
}
