//go:build unix

package cdp

import (
	"errors"
	"os"
	"syscall"
)

// nonblocker writes to a file in non-blocking mode and leaves what does not fit, so that a caller's own goroutine can
// write its command and still keep its deadline when the browser has stopped reading.
type nonblocker struct {
	raw     syscall.RawConn
	attempt func(fd uintptr) bool

	// Of the write under way.
	b   []byte
	n   int
	err error
}

// newNonblocker returns nil when f blocks.
func newNonblocker(f *os.File) *nonblocker {
	// A file knows write deadlines exactly when the runtime polls it, and then it is in non-blocking mode.
	if f.SetWriteDeadline(noDeadline) != nil {
		return nil
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	w := &nonblocker{raw: raw}
	w.attempt = func(fd uintptr) bool {
		for w.n < len(w.b) {
			n, err := syscall.Write(int(fd), w.b[w.n:])
			if n > 0 {
				w.n += n
			}
			switch {
			case errors.Is(err, syscall.EINTR):
			case errors.Is(err, syscall.EAGAIN):
				return true
			case err != nil:
				w.err = os.NewSyscallError("write", err)
				return true
			}
		}
		return true
	}
	return w
}

// write writes as much of b as is possible at once. One goroutine at a time.
func (w *nonblocker) write(b []byte) (int, error) {
	w.b, w.n, w.err = b, 0, nil
	err := w.raw.Write(w.attempt)
	w.b = nil
	if w.err != nil {
		err = w.err
	}
	return w.n, err
}
