package daemon

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// The bounds of a host's log. What is over the first is cut to the second, so that a host that runs for weeks, or is
// asked nonsense without end, does not fill the disk.
const (
	maxLog  = 4 << 20
	keepLog = 1 << 20
)

// BoundedLog is where a host logs to: the file that is its standard error, which does not grow without bound. The
// newest lines stay. It is used by one goroutine at a time, as loggers do.
type BoundedLog struct {
	to   *os.File
	path string // of the file
	size int64
	full bool // it could not be cut, and takes no more
}

// NewBoundedLog returns the log that writes to a file. What is not a file, such as a terminal, is written to without a
// bound.
func NewBoundedLog(to *os.File, path string) io.Writer {
	opened, err := to.Stat()
	if err != nil || !opened.Mode().IsRegular() {
		return to
	}
	if there, err := os.Stat(path); err != nil || !os.SameFile(opened, there) {
		return to
	}
	return &BoundedLog{to: to, path: path, size: opened.Size()}
}

// Write implements [io.Writer].
func (l *BoundedLog) Write(p []byte) (int, error) {
	if l.full {
		return len(p), nil
	}
	if l.size+int64(len(p)) > maxLog {
		if err := l.cut(); err != nil {
			l.full = true
			_, _ = fmt.Fprintf(l.to, "the log is full, and cannot be cut: %v\n", err)
			return len(p), nil
		}
	}
	n, err := l.to.Write(p)
	l.size += int64(n)
	return n, err
}

// cut leaves the newest lines in the file. What the runtime writes there meanwhile, for a crash, may be lost.
func (l *BoundedLog) cut() error {
	there, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer func() { _ = there.Close() }()
	info, err := there.Stat()
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.NewSectionReader(there, max(0, info.Size()-keepLog), keepLog))
	if err != nil {
		return err
	}
	if at := bytes.IndexByte(text, '\n'); at >= 0 && info.Size() > keepLog {
		text = text[at+1:]
	}
	if err := l.to.Truncate(0); err != nil {
		return err
	}
	text = append([]byte("older lines were removed\n"), text...)
	n, err := l.to.Write(text)
	l.size = int64(n)
	return err
}
