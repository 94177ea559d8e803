package wire

// FrameKind says what a frame of a reply carries.
type FrameKind byte

const (
	Stdout  FrameKind = 1 // bytes for the client's standard output
	Stderr  FrameKind = 2 // bytes for the client's standard error
	Exit    FrameKind = 3 // the exit code; the reply is complete
	Pong    FrameKind = 4 // who the host is
	Retry   FrameKind = 5 // nothing was run, and this host is ending: start another host and send the request there
	Refused FrameKind = 6 // nothing was run; the payload is a sentence
	// a question to the person at the client's terminal, which the client answers with an Answer; the reply goes on
	Ask   FrameKind = 7
	Input FrameKind = 8 // nothing was run: send the request again with standard input
)

// MaxControl is the largest payload of a frame other than Stdout and Stderr, which are passed on as they come.
const MaxControl = 1 << 20

// AppendFrame adds a frame to b.
func AppendFrame(b []byte, kind FrameKind, payload []byte) []byte {
	b = append(b, byte(kind))
	b = appendUvarint(b, uint64(len(payload)))
	return append(b, payload...)
}

// AppendExit adds an Exit frame to b. Exit codes are 0 to 255, as the systems have them.
func AppendExit(b []byte, code int) []byte { return append(b, byte(Exit), 1, byte(code)) }

// ExitCode decodes the payload of Exit.
func ExitCode(payload []byte) (int, error) {
	if len(payload) != 1 {
		return 0, ErrMalformed
	}
	return int(payload[0]), nil
}

// Identity is the payload of Pong.
type Identity struct {
	PID   int
	Stamp Stamp
}

// AppendPong adds a Pong frame to b.
func AppendPong(b []byte, id Identity) []byte {
	pid, mtime, size := uint64(id.PID), uint64(id.Stamp.MTime), uint64(id.Stamp.Size)
	b = append(b, byte(Pong))
	b = appendUvarint(b, uint64(sizeUvarint(pid)+sizeUvarint(mtime)+sizeUvarint(size)))
	return appendUvarint(appendUvarint(appendUvarint(b, pid), mtime), size)
}

// ParsePong decodes the payload of Pong.
func ParsePong(payload []byte) (Identity, error) {
	d := decoder{rest: payload}
	id := Identity{PID: int(d.uint()), Stamp: Stamp{MTime: int64(d.uint()), Size: int64(d.uint())}}
	if d.bad || len(d.rest) > 0 {
		return Identity{}, ErrMalformed
	}
	return id, nil
}

// Header decodes the start of a frame: its kind, the length of its payload and the length of the header. That is 0 if b
// is incomplete, and negative for an unknown kind or a control frame larger than MaxControl.
func Header(b []byte) (kind FrameKind, size uint64, n int) {
	if len(b) == 0 {
		return 0, 0, 0
	}
	kind = FrameKind(b[0])
	if kind < Stdout || kind > Input {
		return 0, 0, -1
	}
	size, n = uvarint(b[1:])
	switch {
	case n < 0, kind > Stderr && size > MaxControl:
		return 0, 0, -1
	case n == 0:
		return 0, 0, 0
	}
	return kind, size, n + 1
}
