package main

import (
	"unsafe"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// call is one call of the client. Its creator provides the buffers: fixed ones before the Go runtime starts, else as
// large as needed.
type call struct {
	cmdline
	program string   // the client, as it was called
	environ []string // the whole environment
	uid     int

	base   []byte // the base directory of hosts, absolute; a part of socket
	dir    []byte // the host's directory, a part of socket
	socket []byte // the path of the host's socket, with a NUL
	skuad  []byte // the path of the host program, with a NUL; empty if there is none
	stamp  wire.Stamp

	req wire.Request
}

// buffers are the buffers of a call. Their capacities are its limits.
type buffers struct {
	socket, skuad, cwd []byte
	env                []string
}

// problem is why a call cannot be made.
type problem int

const (
	noProblem problem = iota
	badNamespace
	longPath
	withoutSockets
	ownProgram
)

// maxPath is enough for every path.
const maxPath = 4096

// prepare sets everything that does not need the host. args excludes the program name. It allocates nothing as long as
// the buffers suffice.
func (t *call) prepare(name string, args, environ []string, b buffers) problem {
	t.cmdline = scan(args)
	t.program, t.environ = name, environ
	t.uid = userID()
	if !t.hasNamespace {
		t.namespace = hostdir.Namespace(environ)
	}
	if t.namespace != "" && !hostdir.ValidNamespace(t.namespace) {
		return badNamespace
	}
	t.req = wire.Request{
		Kind: wire.Run,
		Name: baseName(name),
		Args: args,
		Cwd:  text(cwd(b.cwd[:0])),
		Env:  b.env[:0],
	}
	for _, e := range environ {
		t.provider = t.provider || asksProvider(e)
	}
	for _, e := range environ {
		if isForwarded(e) || t.provider && isProviderVariable(e) || t.model && (isModelVariable(e) || granted(args, e)) {
			t.req.Env = append(t.req.Env, e)
		}
	}
	for fd, bit := range [...]wire.TTY{wire.StdinTTY, wire.StdoutTTY, wire.StderrTTY} {
		if isTerminal(fd) {
			t.req.TTY |= bit
		}
	}
	if p := t.findSocket(b.socket[:0]); p != noProblem {
		return p
	}
	t.findHost(b.skuad[:0])
	if t.standalone {
		return ownProgram
	}
	t.req.Stamp = t.stamp
	if truthy(environ, noSocketsVar) {
		return withoutSockets
	}
	return noProblem
}

// findSocket sets the host's directory and socket.
func (t *call) findSocket(b []byte) problem {
	b = hostdir.AppendBase(b, t.environ, t.uid)
	if !isAbsolute(text(b)) {
		// Only a path from the user can be relative; it is relative to the working directory.
		given := len(b)
		b = append(b, t.req.Cwd...)
		b = append(b, separator)
		b = append(b, b[:given]...)
		b = b[given:]
	}
	t.base = b
	b = hostdir.AppendNamespace(b, t.namespace)
	t.dir = b
	b = append(b, separator)
	b = append(b, hostdir.Socket...)
	if len(b) > hostdir.MaxSocketPath && socketsHavePaths {
		t.socket = b
		return longPath
	}
	t.socket = append(b, 0)
	return noProblem
}

// findHost finds the host program: beside the client's own file, after symbolic links, or else in PATH.
func (t *call) findHost(b []byte) {
	if b = self(b); len(b) == 0 {
		b = t.calledAs(b)
	}
	for len(b) > 0 && !isSeparator(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	if len(b) > 0 && t.isHost(b) {
		return
	}
	path, ok := wire.Lookup(t.environ, "PATH")
	if !ok {
		path, _ = wire.Lookup(t.environ, "Path") // the spelling on Windows
	}
	for len(path) > 0 {
		n := 0
		for n < len(path) && path[n] != listSeparator {
			n++
		}
		// An empty or relative element means the working directory, from which no program must be started.
		if dir := path[:n]; n > 0 && n < maxPath && isAbsolute(dir) {
			b = append(append(b[:0], dir...), separator)
			if t.isHost(b) {
				return
			}
		}
		path = path[min(n+1, len(path)):]
	}
}

// calledAs appends the absolute path by which the client was called, for a system without /proc; nothing if the caller
// only gave its name, since PATH is searched anyway.
func (t *call) calledAs(b []byte) []byte {
	found := false
	for i := range len(t.program) {
		found = found || isSeparator(t.program[i])
	}
	if !found || len(t.req.Cwd)+1+len(t.program) > maxPath {
		return b
	}
	if !isAbsolute(t.program) {
		b = append(append(b, t.req.Cwd...), separator)
	}
	return append(b, t.program...)
}

const hostProgram = "skuad" + programSuffix

// isHost uses the host program in a directory, given with its final separator, if there is one.
func (t *call) isHost(dir []byte) bool {
	path := append(append(dir, hostProgram...), 0)
	f, errno := look(path)
	if errno != 0 || !f.runs {
		return false
	}
	t.skuad, t.stamp = path, f.stamp
	return true
}

// text returns b as a string without a copy: b must not change any longer.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
