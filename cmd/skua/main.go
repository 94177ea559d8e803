package main

import (
	"os"
	"strconv"
	"syscall"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// maxStarts is how often one call starts a host. Twice is ordinary when one is replaced while another call goes on.
const maxStarts = 3

// maxTrips is how often one call sends its request. Each time but the last it was not run.
const maxTrips = 2 * maxStarts

// brokenPipe is what a shell sees of a program whose reader went away.
const brokenPipe = 128 + 13

func main() { os.Exit(run()) }

// run makes the trip, or goes on with the one that was begun before the runtime started. Standard input is read when the host says that the command
// wants it, and not before: whoever started the client may have left a pipe open there that never ends.
func run() int {
	t, l := begun()
	if t == nil {
		t = &trip{}
		l = &link{buf: make([]byte, 64<<10)}
		if code := t.pack(os.Args, os.Environ()); code != 0 {
			return code
		}
	}
	l.late = true
	starts, trips := 0, 0
	for {
		if !l.open {
			if trips++; trips > maxTrips {
				return t.complain(unreachable, "The host behind "+t.path()+" closes every connection. End its process and try again.")
			}
			if code := t.connect(l, &starts); code != 0 {
				return code
			}
			t.req.Token = l.sock.token()
			l.send(t.req.Append(make([]byte, 0, t.req.Size())))
			// When that failed the host may have said why: it is read like a reply.
		}
		how, kind, payload := l.receive()
		switch {
		case how == quiet && t.hostLives():
			continue
		case how == quiet:
			return t.complain(unreachable, t.frozen())
		case how == exited:
			if code, err := wire.ExitCode(payload); err == nil {
				return code
			}
			how = garbled
		case how == unheard:
			return brokenPipe
		case how == crowded:
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
			continue
		case how == control && kind == wire.Again:
			// The host ends and ran nothing. The next one is as new as this client wants it, whatever its file says.
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
			return t.complain(unreachable, string(payload))
		}
		if how == hungUp && !l.sent && !l.began {
			l.hangUp()
			continue
		}
		return t.complain(unreachable, t.broken(how, l.began))
	}
}

// broken says what is known of a request whose reply is not whole.
func (t *trip) broken(how outcome, began bool) string {
	switch {
	case how != hungUp:
		return "What listens on " + t.path() + " is no host of skua. Remove that file, or set SKUA_SOCKET_DIR to another directory."
	case began:
		return "The host ended before the command was done; its output is not complete. Look at the page before going on."
	}
	return "The host ended without an answer: the command may or may not have run. Look at the page before trying again."
}

// frozen says that the host gives no sign of life.
func (t *trip) frozen() string {
	return "The host behind " + t.path() + " takes connections and does not answer: its process is stopped, or hangs. The command may or may not " +
		"have run. Let the process go on, or end it (its log beside the socket has its id); the next command starts another host."
}

// path returns the path of the socket.
func (t *trip) path() string {
	if n := len(t.socket); n > 0 && t.socket[n-1] == 0 {
		return string(t.socket[:n-1])
	}
	return string(t.socket)
}

func (l *link) hangUp() {
	l.sock.close()
	*l = link{buf: l.buf, late: l.late}
}

// pack prepares the request. It returns an exit code if that fails.
func (t *trip) pack(args, environ []string) int {
	name := "skua"
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	b := room{
		socket: make([]byte, 0, 2*pathRoom),
		skuad:  make([]byte, 0, 2*pathRoom),
		cwd:    make([]byte, 0, pathRoom),
	}
	switch t.prepare(name, args, environ, b) {
	case badNamespace:
		return t.complain(usage, "'"+t.namespace+"' is no usable namespace. Use up to 64 letters, digits, hyphens and underscores.")
	case longPath:
		return t.complain(unreachable, "The socket path "+t.path()+" is too long ("+strconv.Itoa(len(t.path()))+
			" bytes, the systems take "+strconv.Itoa(hostdir.MaxSocketPath)+"). Set SKUA_SOCKET_DIR to a shorter directory.")
	case withoutSockets:
		return t.runAlone("")
	case ownProgram:
		return t.become(append([]string{hostProgram, "serving", "--"}, args...))
	}
	if t.readsStdin() {
		t.req.Kind = wire.Offer
	}
	return t.checkSize()
}

// readInput adds the standard input to the request. It returns an exit code if that fails.
func (t *trip) readInput() int {
	in, err := readInput()
	if err != nil {
		return t.complain(usage, "The standard input cannot be read: "+reason(err)+".")
	}
	t.req.Kind, t.req.HasStdin, t.req.Stdin = wire.Run, true, in
	return t.checkSize()
}

func (t *trip) checkSize() int {
	if t.req.TooLarge() {
		return t.complain(usage, "The command and its input are larger than 64 MiB. Pass large input as a file.")
	}
	return 0
}

// readsStdin reports whether the standard input may belong to the request: the host knows. A terminal does not: nobody could type there what
// the host asks for.
func (t *trip) readsStdin() bool { return t.stdin && t.req.TTY&wire.StdinTTY == 0 }

// readInput reads the standard input to its end, or to where it is too much in any case.
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

// connect connects to the host, and starts it when there is none. It returns an exit code if that fails.
func (t *trip) connect(l *link, starts *int) int {
	for {
		sock, uid, errno := dial(t.socket)
		switch {
		case errno == 0 && uid != t.uid:
			sock.close()
			return t.complain(unreachable, "The host behind "+t.path()+" belongs to another user (uid "+strconv.Itoa(uid)+
				"). Set SKUA_SOCKET_DIR to a directory of your own.")
		case errno == 0:
			l.sock, l.open = sock, true
			return 0
		case errno == syscall.ENOENT || errno == refused || errno == syscall.ENOTDIR:
		case forbidden(errno):
			return t.runAlone(errno.Error())
		default:
			return t.complain(unreachable, "The socket "+t.path()+" cannot be used: "+errno.Error()+
				". It may belong to another user; set SKUA_SOCKET_DIR to a directory of your own.")
		}
		if *starts == maxStarts {
			return t.complain(unreachable, "The host ended "+strconv.Itoa(maxStarts)+" times right after its start. "+
				"See its log "+hostdir.Join(string(t.dir), hostdir.Log)+".")
		}
		*starts++
		if sentence := t.startHost(); sentence != "" {
			return t.complain(unreachable, sentence)
		}
	}
}

// missing says that there is no host program and where it was looked for.
func (t *trip) missing() string {
	own := self(make([]byte, 0, pathRoom))
	for len(own) > 0 && !isSeparator(own[len(own)-1]) {
		own = own[:len(own)-1]
	}
	return "The engine host is not running, and its program " + hostProgram + " is neither beside this one in " + string(own) +
		" nor in PATH. Install both programs in one directory."
}
