// Package replydata says what the data of a reply may be: what a command returns by its definition, what all commands
// of its kind add, and what the session adds, the [Lifecycle] of its browser among it. It knows no session; tests and
// the client libraries read it, too.
package replydata
