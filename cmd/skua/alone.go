package main

import (
	"os"
	"syscall"
)

// noSocketsVar is set where programs may have no sockets, so that a host cannot be reached.
const noSocketsVar = "SKUA_NO_SOCKETS"

// forbidden reports whether an error of dial means that there can be no sockets at all.
func forbidden(errno syscall.Errno) bool {
	switch errno {
	case syscall.EPERM, syscall.EAFNOSUPPORT, syscall.EPROTONOSUPPORT, syscall.ENOSYS:
		return true
	}
	return false
}

// runAlone has the host program run the command line by itself, in place of this program. It returns only when that fails.
func (t *trip) runAlone(why string) int {
	if !truthy(t.environ, noSocketsVar) {
		_, _ = os.Stderr.WriteString("⚠ The socket " + t.path() + " cannot be used here: " + why + ". The command runs by itself, and its session ends " +
			"with it; use `batch` for several commands. " + noSocketsVar + "=1 says so from the start.\n")
	}
	if t.req.HasStdin {
		if err := giveStdin(t.req.Stdin); err != nil {
			return t.complain(unreachable, "The standard input cannot be passed on: "+reason(err)+".")
		}
	}
	argv := append([]string{hostProgram, "run", "--"}, t.req.Args...)
	return t.become(argv)
}

// become has the host program take the place of this one.
func (t *trip) become(argv []string) int {
	if len(t.skuad) == 0 {
		return t.complain(unreachable, t.missing())
	}
	program := text(t.skuad[:len(t.skuad)-1])
	return t.complain(unreachable, "The program "+program+" cannot be started: "+reason(replaceBy(program, argv, t.environ))+".")
}

// holdStdin writes input that was read already to a file without a name, and returns it at its beginning.
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
