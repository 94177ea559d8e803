package main

import (
	"os"
	"syscall"
)

// noSocketsVar is set where programs may not use sockets, so that no host can be reached.
const noSocketsVar = "SKUA_NO_SOCKETS"

// forbidden reports whether an error of dial means that sockets are not allowed here.
func forbidden(errno syscall.Errno) bool {
	switch errno {
	case syscall.EPERM, syscall.EAFNOSUPPORT, syscall.EPROTONOSUPPORT, syscall.ENOSYS:
		return true
	}
	return false
}

// runStandalone replaces this program by the host program, which runs the command line by itself. It returns only if
// that fails.
func (t *call) runStandalone(why string) int {
	if !truthy(t.environ, noSocketsVar) {
		_, _ = os.Stderr.WriteString("⚠ The socket " + t.path() + " cannot be used here: " + why +
			". The command runs by itself, and its session ends " +
			"with it; use `batch` for several commands. " + noSocketsVar + "=1 says so from the start.\n")
	}
	if t.req.HasStdin {
		if err := giveStdin(t.req.Stdin); err != nil {
			return t.fail(unreachable, "The standard input cannot be passed on: "+reason(err)+".")
		}
	}
	argv := append([]string{hostProgram, "run", "--"}, t.req.Args...)
	return t.become(argv)
}

// become replaces this program by the host program.
func (t *call) become(argv []string) int {
	if len(t.skuad) == 0 {
		return t.fail(unreachable, t.hostMissing())
	}
	program := text(t.skuad[:len(t.skuad)-1])
	return t.fail(unreachable,
		"The program "+program+" cannot be started: "+reason(replaceBy(program, argv, t.environ))+".")
}

// holdStdin writes input that was already read to an unnamed file and returns it at its start.
func holdStdin(input []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "skua-stdin-")
	if err != nil {
		return nil, err
	}
	name := f.Name()
	if _, err = f.Write(input); err == nil {
		_, err = f.Seek(0, 0)
	}
	if gone := os.Remove(name); err == nil && removesOpenFiles {
		err = gone
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
