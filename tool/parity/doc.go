// Package parity runs the scenarios of testdata/parity on both backends and compares what comes out: the real agent-browser as a
// subprocess, and skua in this process. Scenario is one of them, Suite runs them, Judgement is what came of one, and Table writes the page
// that shows all.
//
// A scenario that says nothing has to be the same on both. One that says that skua does better, that it is nothing for skua, or that it is
// to come, tells why, and is checked to be different still.
//
// The package knows backends only by their interface. It must not know how calls of the tool are planned, judged or shown.
package parity
