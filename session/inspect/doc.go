// Package inspect lets DevTools and other CDP clients work on the pages of a session. A [Server] listens on a local
// port and relays CDP messages between a WebSocket and one page ([devtools.Relay]). Its URL contains a secret, and it
// rejects requests from web pages of other sites.
//
// The package must not know sessions: it gets a function that returns the pages.
package inspect
