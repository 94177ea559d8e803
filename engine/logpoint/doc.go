// Package logpoint reads values at lines of a page's scripts as they run, without stopping the page.
//
// A [Set] has a session of its own with a page, in which domain Debugger is enabled while there are logpoints. Each of
// them is a breakpoint whose condition hands the value to skua and is never true. Its main types are [Set], [Point] and
// [Value]. It knows no other package on top of engine.
package logpoint
