package backend

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
)

// outputInMemory is how much of a program's output is kept in memory; more goes to a private file.
const outputInMemory = 512 << 10

// output takes what a program prints. Its zero value is ready; discard ends it.
type output struct {
	memory bytes.Buffer
	file   *os.File // what came when memory was full; then memory is empty
	length int64
	err    error // of the file
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	o.length += int64(len(p))
	if o.file == nil && o.memory.Len()+len(p) <= outputInMemory {
		return o.memory.Write(p)
	}
	if o.file == nil {
		o.spill()
	}
	if o.err == nil {
		_, o.err = o.file.Write(p)
	}
	if o.err != nil {
		return 0, o.err
	}
	return len(p), nil
}

// spill moves what is in memory to a file that only this user can read.
func (o *output) spill() {
	if o.file, o.err = os.CreateTemp("", "piab-output-*"); o.err != nil {
		o.err = fmt.Errorf("keeping long output: %w", o.err)
		return
	}
	if runtime.GOOS != "windows" {
		_ = os.Remove(o.file.Name()) // without a name it ends with this process, however that ends
	}
	_, o.err = o.file.Write(o.memory.Bytes())
	o.memory = bytes.Buffer{}
}

func (o *output) size() int64 { return o.length }

// reader returns all that was printed, from its beginning.
func (o *output) reader() (io.Reader, error) {
	if o.file == nil {
		return bytes.NewReader(o.memory.Bytes()), o.err
	}
	if o.err != nil {
		return nil, o.err
	}
	_, err := o.file.Seek(0, io.SeekStart)
	return o.file, err
}

// text returns all that was printed.
func (o *output) text() (string, error) {
	if o.file == nil {
		return o.memory.String(), o.err
	}
	r, err := o.reader()
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r)
	return string(b), err
}

func (o *output) discard() {
	if o.file == nil {
		return
	}
	_ = o.file.Close()
	_ = os.Remove(o.file.Name())
	o.file = nil
}

// tailSize is how much of stderr's end is kept.
const tailSize = 32_000

// tail keeps the end of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*tailSize {
		t.kept = append(t.kept[:0], t.bytes()...)
	}
	return len(p), nil
}

func (t *tail) note(err error) { _, _ = t.Write([]byte(err.Error() + "\n")) }

// bytes returns the end: whole characters, at most tailSize bytes.
func (t *tail) bytes() []byte {
	if len(t.kept) <= tailSize {
		return t.kept
	}
	end := t.kept[len(t.kept)-tailSize:]
	for len(end) > 0 && end[0]&0xC0 == 0x80 { // in the middle of a character
		end = end[1:]
	}
	return end
}
