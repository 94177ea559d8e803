// Package parity runs the scenarios of testdata/parity on both backends and compares the results: the real
// agent-browser as a subprocess, and skua in this process. Scenario is one scenario, Suite runs them, Judgement is the
// result of one, and Table writes the page that shows all.
//
// By default both backends must give the same result. A scenario can state that skua does better, that it does not
// apply to skua, or that it is planned. It must give the reason, and is checked to differ still.
//
// The package knows backends only by their interface. It must not know how calls of the tool are planned, judged or
// shown.
package parity
