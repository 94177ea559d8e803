package capture

import (
	"io"

	"github.com/skua-browser/skua/internal/fault"
)

// jsonShape passes JSON on and watches its shape: whether it is whole, and how many objects stand in the arrays of its
// outermost object. What the browser writes may be far too large to be parsed.
type jsonShape struct {
	w       io.Writer
	most    int64 // bytes; 0 means any
	size    int64
	objects int

	stack    []byte // of open brackets
	inString bool
	escaped  bool
	begun    bool
	broken   bool
	failed   bool // w took no more
}

// complete reports whether a whole value has passed.
func (j *jsonShape) complete() bool { return j.begun && len(j.stack) == 0 && !j.inString && !j.broken }

// Write implements io.Writer.
func (j *jsonShape) Write(b []byte) (int, error) {
	j.size += int64(len(b))
	if j.most > 0 && j.size > j.most {
		return 0, fault.New(fault.File, "it has more than %d bytes", j.most).With("bytes", j.most)
	}
	for _, c := range b {
		switch {
		case j.escaped:
			j.escaped = false
		case j.inString:
			j.escaped = c == '\\'
			j.inString = c != '"'
		case c == '"':
			j.inString = true
		case c == '{' || c == '[':
			if c == '{' && len(j.stack) == 2 && j.stack[1] == '[' {
				j.objects++
			}
			j.begun = true
			j.stack = append(j.stack, c)
		case c == '}' || c == ']':
			if n := len(j.stack); n == 0 || j.stack[n-1] != c-2 {
				j.broken = true
			} else {
				j.stack = j.stack[:n-1]
			}
		}
	}
	n, err := j.w.Write(b)
	j.failed = j.failed || err != nil
	return n, err
}
