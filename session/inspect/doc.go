// Package inspect lets DevTools, and whoever else speaks the browser's protocol, work on the pages of a session: a [Server] listens on a port of
// this machine and carries the protocol between a WebSocket and one page, by way of [devtools.Relay]. An address is good for who knows its
// secret, and not for pages of other sites.
//
// The package must not know how sessions are kept: it is told which pages there are.
package inspect
