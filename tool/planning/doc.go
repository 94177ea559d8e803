// Package planning decides in which session a call runs and as which command line: the line with the session in it, calls that need none,
// options that a running browser cannot take, and which addresses and files a session may show.
//
// The package must not know how command lines are run, nor what their answers say.
package planning
