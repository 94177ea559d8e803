package fuses

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// sentinel precedes the fuses in an executable.
const sentinel = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX"

const (
	nodeInspect = 3   // the place of EnableNodeCliInspectArguments among the fuses of version 1
	disabled    = '0' // a fuse that is off
)

// Fuses are the fuses of an executable, a character each. The zero value is that of an Electron older than fuses, which
// permits everything.
type Fuses string

// Read returns the fuses of an executable, or none where it has none. Its error is that of reading the file.
func Read(executable string) (Fuses, error) {
	f, err := os.Open(wired(executable))
	if err != nil {
		return "", err
	}
	defer f.Close()
	return find(f)
}

// wired returns the file that has the fuses of an executable: on macOS the framework of the app, elsewhere itself.
func wired(executable string) string {
	if runtime.GOOS != "darwin" {
		return executable
	}
	contents := filepath.Dir(filepath.Dir(executable))
	framework := filepath.Join(contents, "Frameworks", "Electron Framework.framework", "Electron Framework")
	if _, err := os.Stat(framework); err != nil {
		return executable
	}
	return framework
}

// find looks for the sentinel, block by block: an executable has more than 100 MB.
func find(r io.Reader) (Fuses, error) {
	const most = 32 // fuses
	mark := []byte(sentinel)
	needed := len(mark) + 2 + most
	block := make([]byte, 1<<20)
	kept := 0
	for {
		n, err := io.ReadFull(r, block[kept:])
		text := block[:kept+n]
		ended := err != nil
		if at := bytes.Index(text, mark); at >= 0 && (ended || len(text)-at >= needed) {
			return parse(text[at+len(mark):]), nil
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return "", nil
		case err != nil:
			return "", err
		}
		kept = copy(block, text[len(text)-needed:])
	}
}

// parse reads the version, the count and the fuses behind a sentinel.
func parse(wire []byte) Fuses {
	if len(wire) < 2 || wire[0] != 1 {
		return "" // of a version that is not known
	}
	return Fuses(wire[2:min(len(wire), 2+int(wire[1]))])
}

// TakesInspect reports whether the executable takes --inspect, and opens its inspector at SIGUSR1. A fuse that is
// missing blocks nothing.
func (f Fuses) TakesInspect() bool { return len(f) <= nodeInspect || f[nodeInspect] != disabled }
