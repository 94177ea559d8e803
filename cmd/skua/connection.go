package main

import "github.com/skua-browser/skua/session/wire"

// connection is the client's end of a connection to the host.
type connection struct {
	sock socket
	open bool
	sent bool // the host may have the whole request

	buf  []byte // received and unused data: buf[r:w]
	r, w int

	kind  wire.FrameKind // of the output frame that is being copied
	left  uint64         // the rest of its payload
	began bool           // a byte of a reply was received
	late  bool           // the Go runtime runs
}

// outcome is the result of reading a reply.
type outcome int

const (
	exited       outcome = iota // the reply is complete
	control                     // a complete frame other than output was received
	tooLarge                    // such a frame does not fit the buffer
	hungUp                      // the host closed the connection early
	malformed                   // the data is not a reply
	outputFailed                // the output cannot be written
	silent                      // nothing was received for quietLimit
)

// send writes the request. If it fails, the host did not receive the whole request and ran nothing.
func (l *connection) send(p []byte) bool {
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

// receive copies output as it arrives, until another frame arrives. That frame stays in the buffer: the next receive
// returns it again. payload is the frame's payload, a part of the buffer.
func (l *connection) receive() (how outcome, kind wire.FrameKind, payload []byte) {
	for {
		if l.left > 0 && l.r < l.w {
			n := l.w - l.r
			if uint64(n) > l.left {
				n = int(l.left)
			}
			if !writeOutput(l.kind, l.buf[l.r:l.r+n]) {
				return outputFailed, l.kind, nil
			}
			l.r += n
			l.left -= uint64(n)
			continue
		}
		if l.left == 0 {
			kind, size, n := wire.Header(l.buf[l.r:l.w])
			switch {
			case n < 0:
				return malformed, 0, nil
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
				return tooLarge, 0, nil
			}
			l.w = copy(l.buf, l.buf[l.r:l.w])
			l.r = 0
		}
		n, errno := l.sock.read(l.buf[l.w:], l.late)
		if errno == timedOut {
			return silent, 0, nil
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
