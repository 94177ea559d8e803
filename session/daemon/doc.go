// Package daemon connects a host to its clients. [Serve] claims a namespace, listens on a socket that is private to the
// user, reads requests, passes them to a [Handler], streams the output, and ends when the host is idle, replaced or
// stopped. [FindHost], [StopHost] and [RunOnHost] talk to a running host.
//
// The package must not know commands, sessions and browsers: a request is a list of arguments for its Handler.
package daemon
