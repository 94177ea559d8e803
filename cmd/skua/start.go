package main

import (
	"io"
	"os"
	"strconv"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// maxLog is the size at which the next host truncates the host's log.
const maxLog = 1 << 20

// startHost starts the host in its own session, so that it outlives the terminal, and waits until it listens. The host
// reports that through a pipe, its standard output, so nothing is polled. If two clients do this at once, the hosts
// sort it out. It returns a sentence if it fails.
func (t *call) startHost() string {
	if len(t.skuad) == 0 {
		return t.hostMissing()
	}
	dir := string(t.dir)
	if sentence := t.makeDir(dir); sentence != "" {
		return sentence
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDONLY, 0)
	if err != nil {
		return withLimits("The null device cannot be opened: " + reason(err) + ".")
	}
	defer null.Close()
	logPath := hostdir.Join(dir, hostdir.Log)
	mode := os.O_WRONLY | os.O_CREATE | os.O_APPEND | noFollow
	if info, err := os.Lstat(logPath); err == nil && info.Size() > maxLog {
		mode |= os.O_TRUNC
	}
	log, err := os.OpenFile(logPath, mode, 0o600)
	if err != nil {
		return withLimits("The host's log " + logPath + " cannot be written: " + reason(err) + ".")
	}
	defer log.Close()
	logged, _ := log.Seek(0, io.SeekEnd)
	ready, tell, err := os.Pipe()
	if err != nil {
		return withLimits("No pipe can be created: " + err.Error() + ".")
	}
	defer ready.Close()
	program := text(t.skuad[:len(t.skuad)-1])
	argv := []string{hostProgram, "daemon", "--socket-dir", string(t.base)}
	if t.namespace != "" {
		argv = append(argv, "--namespace", t.namespace)
	}
	keepFiles()
	host, err := os.StartProcess(program, argv, &os.ProcAttr{
		Dir:   hostWorkDir(), // the host must not keep a user's directory from being removed
		Env:   t.hostEnv(),
		Files: []*os.File{null, tell, log},
		Sys:   detached(),
	})
	_ = tell.Close()
	if err != nil {
		return withLimits("The host " + program + " cannot be started: " + reason(err) + ".")
	}
	_ = host.Release()
	return awaitReady(ready, program, logPath, logged)
}

// awaitReady waits until the host accepts connections. It returns a sentence if the start fails. logged is how long the
// log was before.
func awaitReady(ready *os.File, program, logPath string, logged int64) string {
	var output []byte
	buf := make([]byte, 4<<10)
	for len(output) < 64<<10 {
		n, err := ready.Read(buf)
		output = append(output, buf[:n]...)
		if string(output) == wire.Ready {
			return ""
		}
		if err != nil {
			break
		}
	}
	if len(output) == 0 {
		return withLimits("The host " + program + " ended while it was starting" + lastWords(logPath, logged) +
			". See its log " + logPath + ".")
	}
	return trimNewlines(string(output))
}

// mostWords bounds how much of a log goes into a message.
const mostWords = 400

// lastWords returns what was added to a log behind the given length, up to the first empty line, as ": words": why the
// Go runtime of a host did not start is there, with the state of its threads behind it.
func lastWords(logPath string, logged int64) string {
	log, err := os.Open(logPath)
	if err != nil {
		return ""
	}
	defer log.Close()
	words := make([]byte, mostWords)
	n, _ := log.ReadAt(words, logged)
	var output []byte
	for i, c := range words[:n] {
		switch {
		case c != '\n':
			output = append(output, c)
		case i+1 == n || words[i+1] == '\n':
			return ": " + string(output)
		default:
			output = append(output, "; "...)
		}
	}
	if len(output) == 0 {
		return ""
	}
	return ": " + string(output)
}

func trimNewlines(s string) string {
	for len(s) > 0 && s[len(s)-1] == '\n' {
		s = s[:len(s)-1]
	}
	return s
}

// makeDir creates the host's directory and refuses one of another user.
func (t *call) makeDir(dir string) string {
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

// hostEnv returns the whole environment, which browsers need, and the build that this client expects of the host.
func (t *call) hostEnv() []string {
	env := make([]string, 0, len(t.environ)+1)
	for _, e := range t.environ {
		if !hasPrefix(e, hostdir.HostStampVar+"=") {
			env = append(env, e)
		}
	}
	return append(env,
		hostdir.HostStampVar+"="+strconv.FormatInt(t.stamp.MTime, 10)+":"+strconv.FormatInt(t.stamp.Size, 10))
}
