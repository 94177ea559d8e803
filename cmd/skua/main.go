package main

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// maxStarts is how often one call starts a host. Two starts are normal when a host is replaced while another call runs.
const maxStarts = 3

// maxRequests is how often one call sends its request. Each one but the last was not run.
const maxRequests = 2 * maxStarts

// outputErrno is why the last output could not be written.
var outputErrno syscall.Errno

// outputLost reports that the output of a command that has run cannot be written, and returns the exit code. A reader
// that has read enough is not a failure to report: shells expect the code alone. It may run before the runtime.
func outputLost() int {
	switch outputErrno {
	case syscall.EPIPE:
		return brokenPipe
	case syscall.ENOSPC:
		complain("✗ The command has run, but its output cannot be written: the disk of the standard output is full.\n")
	case syscall.EBADF:
		complain("✗ The command has run, but its output cannot be written: the standard output is closed.\n")
	default:
		complain("✗ The command has run, but its output cannot be written.\n")
	}
	return 1
}

func complain(text string) {
	writeOutput(wire.Stderr, unsafe.Slice(unsafe.StringData(text), len(text)))
}

// brokenPipe is the exit code that a shell reports for a broken pipe.
const brokenPipe = 128 + 13

func main() { os.Exit(run()) }

// run makes the call, or continues one that started before the runtime. It reads standard input only if the host says
// that the command needs it: the client's parent may have left it an open pipe that never ends.
func run() int {
	t, l := resume()
	if t == nil {
		t = &call{}
		l = &connection{buf: make([]byte, 64<<10)}
		if code := t.prepareRequest(os.Args, os.Environ()); code != 0 {
			return code
		}
	}
	l.late = true
	starts, trips := 0, 0
	for {
		if !l.open {
			if trips++; trips > maxRequests {
				return t.fail(unreachable, "The host behind "+t.path()+" closes every connection. End its process and try again.")
			}
			if code := t.connect(l, &starts); code != 0 {
				return code
			}
			t.req.Token = l.sock.token()
			l.send(t.req.Append(make([]byte, 0, t.req.Size())))
			// If that failed, the host may have sent the reason: read it like a reply.
		}
		how, kind, payload := l.receive()
		switch {
		case how == silent && t.hostAlive():
			continue
		case how == silent:
			return t.failAfter(unreachable, t.hostHangs())
		case how == exited:
			if code, err := wire.ExitCode(payload); err == nil {
				return code
			}
			how = malformed
		case how == outputFailed:
			return outputLost()
		case how == tooLarge:
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
			continue
		case how == control && kind == wire.Retry:
			// The host is ending and ran nothing. Any next host will do, whatever its file says.
			t.req.Stamp = wire.Stamp{}
			l.hangUp()
			continue
		case how == control && kind == wire.Input && t.req.Kind == wire.Offer:
			if code := t.readInput(); code != 0 {
				return code
			}
			l.hangUp()
			continue
		case how == control && kind == wire.Ask:
			l.answer(payload)
			continue
		case how == control && kind == wire.Refused:
			return t.fail(unreachable, string(payload))
		}
		if how == hungUp && !l.sent && !l.began {
			l.hangUp()
			continue
		}
		return t.failAfter(unreachable, t.incompleteReply(how, l.began))
	}
}

// incompleteReply says what is known about a request whose reply is incomplete.
func (t *call) incompleteReply(how outcome, began bool) string {
	switch {
	case how != hungUp:
		return "What listens on " + t.path() +
			" is not a skua host. Remove that file, or set SKUA_SOCKET_DIR to another directory."
	case began:
		return "The host ended before the command was done; its output is not complete. Look at the page before going on."
	}
	return "The host ended without an answer: the command may or may not have run. Look at the page before trying again."
}

// hostHangs says that the host does not respond.
func (t *call) hostHangs() string {
	return "The host behind " + t.path() +
		" takes connections and does not answer: its process is stopped or hangs. The command may or may not have run. " +
		"Resume the process, or end it (the log beside the socket has its id); the next command starts another host."
}

// path returns the path of the socket.
func (t *call) path() string {
	if n := len(t.socket); n > 0 && t.socket[n-1] == 0 {
		return string(t.socket[:n-1])
	}
	return string(t.socket)
}

func (l *connection) hangUp() {
	l.sock.close()
	*l = connection{buf: l.buf, late: l.late}
}

// prepareRequest prepares the request. It returns an exit code if that fails.
func (t *call) prepareRequest(args, environ []string) int {
	name := "skua"
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	b := buffers{
		socket: make([]byte, 0, 2*maxPath),
		skuad:  make([]byte, 0, 2*maxPath),
		cwd:    make([]byte, 0, maxPath),
	}
	switch t.prepare(name, args, environ, b) {
	case badNamespace:
		return t.fail(usage, "namespace \""+t.namespace+"\": only letters, digits, - and _ are allowed, at most 64")
	case longPath:
		return t.fail(unreachable, "The socket path "+t.path()+" is too long ("+strconv.Itoa(len(t.path()))+
			" bytes, the systems take "+strconv.Itoa(hostdir.MaxSocketPath)+"). Set SKUA_SOCKET_DIR to a shorter directory.")
	case withoutSockets:
		return t.runStandalone("")
	case ownProgram:
		return t.become(append([]string{hostProgram, "serving", "--"}, args...))
	}
	if t.readsStdin() {
		t.req.Kind = wire.Offer
	}
	return t.checkSize()
}

// readInput adds the standard input to the request. It returns an exit code if that fails.
func (t *call) readInput() int {
	in, err := readInput()
	if err != nil {
		return t.fail(usage, "The standard input cannot be read: "+reason(err)+".")
	}
	t.req.Kind, t.req.HasStdin, t.req.Stdin = wire.Run, true, in
	return t.checkSize()
}

func (t *call) checkSize() int {
	if t.req.TooLarge() {
		return t.fail(usage, "The command and its input are larger than 64 MiB. Pass large input as a file.")
	}
	return 0
}

// readsStdin reports whether standard input may belong to the request: the host decides. A terminal does not: nothing
// tells a person there to type.
func (t *call) readsStdin() bool { return t.stdin && t.req.TTY&wire.StdinTTY == 0 }

// readInput reads standard input to its end, or until it is too large.
func readInput() ([]byte, error) {
	b := make([]byte, 0, 64<<10)
	for len(b) <= wire.MaxRequest {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, 2*cap(b)), b...)
		}
		n, err := readStdin(b[len(b):cap(b)])
		if err != nil {
			return nil, err
		}
		if n == 0 {
			break
		}
		b = b[:len(b)+n]
	}
	return b, nil
}

// connect connects to the host and starts it if needed. It returns an exit code if that fails.
func (t *call) connect(l *connection, starts *int) int {
	for {
		sock, uid, errno := dial(t.socket)
		switch {
		case errno == 0 && uid != t.uid:
			sock.close()
			return t.fail(unreachable, "The host behind "+t.path()+" belongs to another user (uid "+strconv.Itoa(uid)+
				"). Set SKUA_SOCKET_DIR to a directory of your own.")
		case errno == 0:
			l.sock, l.open = sock, true
			return 0
		case errno == syscall.ENOENT || errno == refused || errno == syscall.ENOTDIR:
		case forbidden(errno):
			return t.runStandalone(errno.Error())
		case errno == syscall.EMFILE || errno == syscall.ENFILE || errno == syscall.ENOMEM:
			return t.fail(unreachable, withLimits("The socket "+t.path()+" cannot be used: "+errno.Error()+"."))
		default:
			return t.fail(unreachable, "The socket "+t.path()+" cannot be used: "+errno.Error()+
				". It may belong to another user; set SKUA_SOCKET_DIR to a directory of your own.")
		}
		if *starts == maxStarts {
			return t.fail(unreachable, "The host ended "+strconv.Itoa(maxStarts)+" times right after its start. "+
				"See its log "+hostdir.Join(string(t.dir), hostdir.Log)+".")
		}
		*starts++
		if sentence := t.startHost(); sentence != "" {
			return t.fail(unreachable, sentence)
		}
	}
}

// hostMissing says that the host program was not found, and where it was searched.
func (t *call) hostMissing() string {
	own := self(make([]byte, 0, maxPath))
	for len(own) > 0 && !isSeparator(own[len(own)-1]) {
		own = own[:len(own)-1]
	}
	if len(own) == 0 {
		return "The engine host is not running, and its program " + hostProgram +
			" is not in PATH. Where this one is cannot be found out, since this " +
			"system has no /proc: mount it, or call this program by its path."
	}
	return "The engine host is not running, and its program " + hostProgram + " is neither beside this one in " +
		string(own) +
		" nor in PATH. Install both programs in one directory."
}
