package mcp_test

import "io"

// end is one end of a pair of streams.
type end struct {
	in  io.ReadCloser
	out io.WriteCloser
}

// pipes returns the ends of two streams in opposite directions.
func pipes() (near, far end) {
	a, b := io.Pipe()
	c, d := io.Pipe()
	return end{in: a, out: d}, end{in: c, out: b}
}
