package cdp

// Transport carries whole CDP messages, each of them one JSON object without a NUL byte. Read and Write may run at the
// same time.
type Transport interface {
	// Read returns the next message, and blocks until there is one. The slice belongs to the caller. Close unblocks it.
	Read() ([]byte, error)
	// Write sends one message. There is one writer at a time, and msg is not kept. Close unblocks it.
	Write(msg []byte) error
	// Close ends the connection. It may be called several times.
	Close() error
}

// streamTransport is a Transport whose wire form is a byte stream of NUL-terminated messages, so that several can be
// written at once.
type streamTransport interface {
	Transport
	// writeStream writes terminated messages, or the rest of some, and blocks until they are written.
	writeStream(b []byte) error
	// tryWrite writes what is possible without blocking.
	tryWrite(b []byte) (int, error)
	// triesWrite reports whether tryWrite works on this transport.
	triesWrite() bool
}

// chunkSize is the size of one read buffer. Linux hands out at most 64 KiB a read from a pipe of default size, and more
// from a larger one.
const chunkSize = 256 << 10

// spareChunks limits the read buffers that are kept for the next large message.
const spareChunks = 8

// assembler gathers a message of unknown length in chunks, so that it is copied once, into a slice of the right size.
type assembler struct {
	full  [][]byte // filled chunks of the message under way
	spare [][]byte
}

// chunk returns an empty chunk.
func (a *assembler) chunk() []byte {
	if n := len(a.spare); n > 0 {
		c := a.spare[n-1]
		a.spare = a.spare[:n-1]
		return c
	}
	return make([]byte, chunkSize)
}

// push adds a filled chunk.
func (a *assembler) push(chunk []byte) { a.full = append(a.full, chunk) }

// join returns the message that ends with tail, and starts over.
func (a *assembler) join(tail []byte) []byte {
	n := len(tail)
	for _, c := range a.full {
		n += len(c)
	}
	msg := make([]byte, 0, n)
	for i, c := range a.full {
		msg = append(msg, c...)
		if len(a.spare) < spareChunks {
			a.spare = append(a.spare, c)
		}
		a.full[i] = nil
	}
	a.full = a.full[:0]
	return append(msg, tail...)
}
