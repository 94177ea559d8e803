// Package script runs the tool's script mode in a session of its own: a program of the sandbox that has one function,
// browser().
//
// The package must not know the tool, its sessions or its commands: it is handed a function that runs one call.
package script
