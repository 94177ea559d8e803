// Terminalsvg draws a transcript of a terminal, read from standard input, as an SVG on standard output. Lines that
// begin with "$ " are commands. scripts/pictures uses it for the documentation. The same transcript gives the same
// bytes. It knows nothing of skua.
package main
