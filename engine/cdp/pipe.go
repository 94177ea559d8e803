package cdp

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
)

// pipe is the transport of --remote-debugging-pipe: messages that end with NUL, in both directions.
type pipe struct {
	r io.ReadCloser
	w io.WriteCloser

	// Of the one reader.
	buf        []byte // bytes read; start and end bound the part that no message has taken
	start, end int
	asm        assembler

	// Of the one writer.
	out      []byte      // Write's copy of a message with its terminator
	nonblock *nonblocker // nil where w cannot be written without blocking

	closeOnce sync.Once
	closeErr  error
}

// NewPipe returns the transport over a pipe pair: r carries what the browser says, w what it reads. Close closes both.
func NewPipe(r io.ReadCloser, w io.WriteCloser) Transport {
	p := &pipe{r: r, w: w}
	if f, ok := w.(*os.File); ok {
		p.nonblock = newNonblocker(f)
	}
	p.buf = p.asm.chunk()
	return p
}

// Read implements Transport.
func (p *pipe) Read() ([]byte, error) {
	scanned := p.start
	for {
		if i := bytes.IndexByte(p.buf[scanned:p.end], 0); i >= 0 {
			tail := p.buf[p.start : scanned+i]
			p.start = scanned + i + 1
			scanned = p.start
			if len(tail) == 0 && len(p.asm.full) == 0 {
				continue
			}
			return p.asm.join(tail), nil
		}
		p.room()
		scanned = p.end
		n, err := p.r.Read(p.buf[p.end:])
		p.end += n
		if n == 0 && err != nil {
			if err == io.EOF && (p.end > p.start || len(p.asm.full) > 0) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

// room makes space for the next read, behind what was read already.
func (p *pipe) room() {
	switch {
	case p.start == p.end:
		p.start, p.end = 0, 0
	case p.end < len(p.buf):
	case p.start > 0:
		p.end = copy(p.buf, p.buf[p.start:p.end])
		p.start = 0
	default:
		p.asm.push(p.buf)
		p.buf = p.asm.chunk()
		p.end = 0
	}
}

// Write implements Transport.
func (p *pipe) Write(msg []byte) error {
	p.out = append(append(slices.Grow(p.out[:0], len(msg)+1), msg...), 0)
	err := p.writeStream(p.out)
	if cap(p.out) > keepBuffer {
		p.out = nil
	}
	return err
}

func (p *pipe) writeStream(b []byte) error {
	_, err := p.w.Write(b)
	return err
}

func (p *pipe) triesWrite() bool { return p.nonblock != nil }

func (p *pipe) tryWrite(b []byte) (int, error) { return p.nonblock.write(b) }

// Close implements Transport. The browser ends when it reads the end of its input.
func (p *pipe) Close() error {
	p.closeOnce.Do(func() {
		for _, c := range []io.Closer{p.w, p.r} {
			if err := c.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
				p.closeErr = errors.Join(p.closeErr, err)
			}
		}
	})
	return p.closeErr
}
