//go:build linux

// Benchmark measures skua and the real agent-browser side by side: the same operations on the same generated pages, in
// one run, in turn, as wall time of the whole process that a caller starts. It serves the pages itself, on the loopback
// interface, and asks the page, not the program, whether an operation happened.
//
// It knows the programs only by their command lines and imports nothing of the product. It finds processes and their
// memory in /proc, so it needs Linux. scripts/bench builds what it needs and starts it.
package main
