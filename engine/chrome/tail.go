package chrome

import (
	"cmp"
	"sync"
)

// Tail keeps the last bytes that were written to it: what a program said before it ended.
type Tail struct {
	Size int // how much is kept, in bytes; 0 means tailSize

	mu  sync.Mutex
	buf []byte
	cut bool // something before buf was dropped
}

// tailSize bounds a Tail that does not say its size. Chromium's fatal messages with their stack trace take about 3 KB.
const tailSize = 8 << 10

// Write keeps the end of p; it never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - cmp.Or(t.Size, tailSize); over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
		t.cut = true
	}
	return len(p), nil
}

// String returns what was kept, beginning with a whole line.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.buf
	if t.cut {
		for i, c := range b {
			if c == '\n' {
				b = b[i+1:]
				break
			}
		}
	}
	return string(b)
}
