// Comparison runs the same command lines on skua and on the real agent-browser, over pages on loopback, and writes what became of each as a
// table: docs/parity.md. rows.txt lists them, one for each command and flag that agent-browser has.
//
// A row without a verdict has to be the same: the exit code, the text and every member of the JSON data. One that says that skua does better,
// or that the row is nothing for skua, says why; when the two are the same all the same, that is an error too, so that the table stays true.
package main
