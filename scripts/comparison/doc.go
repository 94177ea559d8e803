// Comparison runs the scenarios of testdata/parity on skua and on the real agent-browser, over pages on loopback, and
// writes the results of each as a table: docs/parity.md. Package tool/parity does the work.
package main
