package wire

import (
	"errors"
	"io"
)

// Version is the version of the protocol that this package speaks.
const Version = 1

// MaxRequest is the largest body of a request in bytes. Standard input is most of a large one.
const MaxRequest = 64 << 20

const magic = "skua"

// Kind says what a request asks for.
type Kind uint64

const (
	Run      Kind = 1 // run Args as a command line
	Ping     Kind = 2 // answer with Pong
	Shutdown Kind = 3 // end the host in order
	// Run, unless the command line reads the standard input, which the client has and has not read: that is answered with
	// Input
	Offer Kind = 4
	// from the host's successor: hand the sessions over, those named in Args without waiting for their commands
	TakeOver Kind = 5
)

// TTY reports which of the client's standard streams are terminals.
type TTY uint64

const (
	StdinTTY TTY = 1 << iota
	StdoutTTY
	StderrTTY
)

// Request is what a client asks of the host.
type Request struct {
	Version uint64 // filled in by decoding; encoding writes Version
	Kind    Kind
	Stamp   Stamp    // the host program that the client would start
	Token   string   // proof of identity where the socket has no owner (Windows)
	Name    string   // the name that the client was called by, for help and usage texts
	Cwd     string   // what relative paths of Args are relative to
	TTY     TTY      // the client's terminals
	Args    []string // the command line without the program name
	Env     []string // NAME=value, only the names that the host may honor
	// HasStdin tells an empty standard input from none: the client reads it only for command lines that ask for it.
	HasStdin bool
	Stdin    []byte
}

// Getenv returns the value of name in the client's environment, "" when it is not set.
func (r *Request) Getenv(name string) string {
	v, _ := Lookup(r.Env, name)
	return v
}

// LookupEnv returns the value of name in the client's environment and whether it is set.
func (r *Request) LookupEnv(name string) (string, bool) { return Lookup(r.Env, name) }

// Size returns the number of bytes that Append adds.
func (r *Request) Size() int {
	n := r.bodySize()
	return len(magic) + sizeUvarint(uint64(n)) + n
}

func (r *Request) bodySize() int {
	return sizeUvarint(Version) + sizeUvarint(uint64(r.Kind)) +
		sizeUvarint(uint64(r.Stamp.MTime)) + sizeUvarint(uint64(r.Stamp.Size)) +
		sizeString(r.Token) + sizeString(r.Name) + sizeString(r.Cwd) + sizeUvarint(uint64(r.TTY)) +
		sizeStrings(r.Args) + sizeStrings(r.Env) +
		1 + sizeUvarint(uint64(len(r.Stdin))) + len(r.Stdin)
}

// TooLarge reports whether a host would refuse r for its size.
func (r *Request) TooLarge() bool { return r.bodySize() > MaxRequest }

// Append adds the encoded request to b. It allocates only when b has less than Size bytes to spare.
func (r *Request) Append(b []byte) []byte {
	b = append(b, magic...)
	b = appendUvarint(b, uint64(r.bodySize()))
	b = appendUvarint(b, Version)
	b = appendUvarint(b, uint64(r.Kind))
	b = appendUvarint(b, uint64(r.Stamp.MTime))
	b = appendUvarint(b, uint64(r.Stamp.Size))
	b = appendString(b, r.Token)
	b = appendString(b, r.Name)
	b = appendString(b, r.Cwd)
	b = appendUvarint(b, uint64(r.TTY))
	b = appendStrings(b, r.Args)
	b = appendStrings(b, r.Env)
	if r.HasStdin {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = appendUvarint(b, uint64(len(r.Stdin)))
	return append(b, r.Stdin...)
}

// FirstRead is a size of buffers that hold an ordinary request whole, so that it is taken with one read.
const FirstRead = 4 << 10

// ReadRequest reads one request, of which buf holds what has been read already. It returns io.EOF when the connection
// ended before the first byte, ErrVersion with the leading fields of a request of another version, ErrTooLarge, or
// ErrMalformed.
func ReadRequest(from io.Reader, buf []byte) (*Request, error) {
	for {
		body, start, err := bodyRange(buf)
		if err != nil {
			return nil, err
		}
		if start > 0 && len(buf) >= start+body {
			if len(buf) > start+body {
				return nil, ErrMalformed
			}
			return parseRequest(buf[start:])
		}
		if len(buf) == cap(buf) {
			// Doubling instead of trusting the announced length: memory follows what was really sent.
			want := max(FirstRead, 2*cap(buf))
			if start > 0 {
				want = min(want, start+body)
			}
			buf = append(make([]byte, 0, want), buf...)
		}
		n, err := from.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if n == 0 && err != nil {
			if errors.Is(err, io.EOF) && len(buf) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

// bodyRange returns the length of the body and where it starts, or 0 for start while the header is incomplete.
func bodyRange(buf []byte) (body, start int, err error) {
	for i := range min(len(buf), len(magic)) {
		if buf[i] != magic[i] {
			return 0, 0, ErrMalformed
		}
	}
	if len(buf) <= len(magic) {
		return 0, 0, nil
	}
	size, n := uvarint(buf[len(magic):])
	switch {
	case n < 0:
		return 0, 0, ErrMalformed
	case n == 0:
		return 0, 0, nil
	case size > MaxRequest:
		return 0, 0, ErrTooLarge
	}
	return int(size), len(magic) + n, nil
}

// parseRequest decodes a body. The request's Stdin is a part of body.
func parseRequest(body []byte) (*Request, error) {
	d := decoder{rest: body}
	r := &Request{Version: d.uint(), Kind: Kind(d.uint()), Stamp: Stamp{MTime: int64(d.uint()), Size: int64(d.uint())}}
	if d.bad {
		return nil, ErrMalformed
	}
	if r.Version != Version {
		return r, ErrVersion
	}
	r.Token, r.Name, r.Cwd = d.string(), d.string(), d.string()
	r.TTY = TTY(d.uint())
	r.Args, r.Env = d.strings(), d.strings()
	has := d.uint()
	r.HasStdin = has == 1
	if p := d.bytes(); len(p) > 0 {
		r.Stdin = p
	}
	if d.bad || has > 1 || !r.HasStdin && r.Stdin != nil || len(d.rest) > 0 {
		return nil, ErrMalformed
	}
	return r, nil
}
