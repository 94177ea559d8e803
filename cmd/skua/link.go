package main

import "github.com/skua-browser/skua/session/wire"

// link is the client's end of a connection.
type link struct {
	sock socket
	open bool
	sent bool // the host may have the whole request

	buf  []byte // what came and is not used up: buf[r:w]
	r, w int

	kind  wire.FrameKind // the output frame that is being passed on
	left  uint64         // what of its payload has not come yet
	began bool           // a byte of a reply came
	late  bool           // the Go runtime runs
}

// outcome is how reading a reply went.
type outcome int

const (
	exited  outcome = iota // the reply is complete
	control                // another frame than output came, complete
	crowded                // such a frame does not fit the buffer
	hungUp                 // the host closed the connection in between
	garbled                // that was no reply
	unheard                // the output cannot be written
	quiet                  // nothing came for quietLimit
)

// send writes the request. When the host goes away in between it has not got the whole of it, and ran nothing.
func (l *link) send(p []byte) bool {
	for len(p) > 0 {
		n, ok := l.sock.write(p)
		if !ok {
			return false
		}
		p = p[n:]
	}
	l.sent = true
	return true
}

// receive passes output on as it comes, until something else comes. That is not used up: called again, receive returns the
// same. The payload is the control frame's, a part of the buffer.
func (l *link) receive() (how outcome, kind wire.FrameKind, payload []byte) {
	for {
		if l.left > 0 && l.r < l.w {
			n := l.w - l.r
			if uint64(n) > l.left {
				n = int(l.left)
			}
			if !writeOutput(l.kind, l.buf[l.r:l.r+n]) {
				return unheard, l.kind, nil
			}
			l.r += n
			l.left -= uint64(n)
			continue
		}
		if l.left == 0 {
			kind, size, n := wire.Header(l.buf[l.r:l.w])
			switch {
			case n < 0:
				return garbled, 0, nil
			case n > 0 && (kind == wire.Stdout || kind == wire.Stderr):
				l.r += n
				l.kind, l.left = kind, size
				continue
			case n > 0 && uint64(l.w-l.r-n) >= size:
				payload = l.buf[l.r+n : l.r+n+int(size)]
				if kind == wire.Exit {
					return exited, kind, payload
				}
				return control, kind, payload
			}
		}
		switch {
		case l.r == l.w:
			l.r, l.w = 0, 0
		case l.w == len(l.buf):
			if l.r == 0 {
				return crowded, 0, nil
			}
			l.w = copy(l.buf, l.buf[l.r:l.w])
			l.r = 0
		}
		n, errno := l.sock.read(l.buf[l.w:], l.late)
		if errno == timedOut {
			return quiet, 0, nil
		}
		if errno != 0 || n == 0 {
			if errno != 0 && errno == unread && !l.began {
				l.sent = false
			}
			return hungUp, 0, nil
		}
		l.began = true
		l.w += n
	}
}
