package main

import (
	"os"
	"strconv"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// maxLog is the size at which the host's log begins anew with the next host.
const maxLog = 1 << 20

// startHost starts the host in a session of its own, so that it outlives the terminal, and waits until it listens. The
// host tells that through a pipe which is its standard output; nothing is tried again and again. Two clients that do this
// at once are sorted out by the hosts. It returns a sentence if it fails.
func (t *trip) startHost() string {
	if len(t.skuad) == 0 {
		return t.missing()
	}
	dir := string(t.dir)
	if sentence := t.makeDir(dir); sentence != "" {
		return sentence
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDONLY, 0)
	if err != nil {
		return "The null device cannot be opened: " + reason(err) + "."
	}
	defer null.Close()
	logPath := hostdir.Join(dir, hostdir.Log)
	mode := os.O_WRONLY | os.O_CREATE | os.O_APPEND | noFollow
	if info, err := os.Lstat(logPath); err == nil && info.Size() > maxLog {
		mode |= os.O_TRUNC
	}
	log, err := os.OpenFile(logPath, mode, 0o600)
	if err != nil {
		return "The host's log " + logPath + " cannot be written: " + reason(err) + "."
	}
	defer log.Close()
	ready, tell, err := os.Pipe()
	if err != nil {
		return "No pipe can be made: " + err.Error() + "."
	}
	defer ready.Close()
	program := text(t.skuad[:len(t.skuad)-1])
	argv := []string{hostProgram, "daemon", "--socket-dir", string(t.base)}
	if t.namespace != "" {
		argv = append(argv, "--namespace", t.namespace)
	}
	keepFiles()
	host, err := os.StartProcess(program, argv, &os.ProcAttr{
		Dir:   hostWorkDir(), // no directory of the user's is kept from being removed
		Env:   t.hostEnv(),
		Files: []*os.File{null, tell, log},
		Sys:   detached(),
	})
	_ = tell.Close()
	if err != nil {
		return "The host " + program + " cannot be started: " + reason(err) + "."
	}
	_ = host.Release()
	return awaitReady(ready, program, logPath)
}

// awaitReady waits until the host says that it can be connected to, or why not.
func awaitReady(ready *os.File, program, logPath string) string {
	var said []byte
	buf := make([]byte, 4<<10)
	for len(said) < 64<<10 {
		n, err := ready.Read(buf)
		said = append(said, buf[:n]...)
		if string(said) == wire.Ready {
			return ""
		}
		if err != nil {
			break
		}
	}
	if len(said) == 0 {
		return "The host " + program + " ended while it was starting. See its log " + logPath + "."
	}
	return trimNewlines(string(said))
}

func trimNewlines(s string) string {
	for len(s) > 0 && s[len(s)-1] == '\n' {
		s = s[:len(s)-1]
	}
	return s
}

// makeDir creates the host's directory and refuses one of another user, in which nothing must be written.
func (t *trip) makeDir(dir string) string {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "The socket directory " + dir + " cannot be created: " + reason(err) +
			". Set SKUA_SOCKET_DIR to a directory of your own."
	}
	f, errno := look(append([]byte(dir), 0))
	switch {
	case errno != 0:
		return "The socket directory " + dir + " cannot be looked at: " + errno.Error() + "."
	case f.uid != t.uid:
		return "The socket directory " + dir + " belongs to another user (uid " + strconv.Itoa(f.uid) +
			"). Set SKUA_SOCKET_DIR to a directory of your own."
	}
	return ""
}

// hostEnv is the whole environment, since browsers need it, and which build this client takes the host for.
func (t *trip) hostEnv() []string {
	env := make([]string, 0, len(t.environ)+1)
	for _, e := range t.environ {
		if !hasPrefix(e, hostdir.HostStampVar+"=") {
			env = append(env, e)
		}
	}
	return append(env, hostdir.HostStampVar+"="+strconv.FormatInt(t.stamp.MTime, 10)+":"+strconv.FormatInt(t.stamp.Size, 10))
}
