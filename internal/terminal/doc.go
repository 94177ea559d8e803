// Package terminal asks the person at the terminal that a process was started from, whatever its standard streams are:
// they may be pipes that belong to a command.
//
// It needs next to nothing of the standard library, since the client links it.
package terminal
