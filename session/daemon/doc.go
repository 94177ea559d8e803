// Package daemon is how a host lets its clients in: it claims a namespace, listens on a socket that is private to the user, reads requests, has a
// [Handler] answer them, streams what that writes, and ends when it is idle, replaced or told to. [Serve] runs one; [FindHost], [StopHost] and
// [Consult] talk to one that runs.
//
// The package must not know what a command is, nor that there are sessions and browsers: a request is an argument list for its Handler.
package daemon
