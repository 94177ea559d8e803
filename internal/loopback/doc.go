// Package loopback serves HTTP to programs of this machine: a [Server] is the life cycle of a listener, its connections
// and its handlers, and a [Guard] accepts requests that have a secret, name this machine, and were not sent by another
// site's page. Every HTTP server of skua is made here, so that all of them keep the same limits.
//
// The package must not know what is served, nor of sessions and browsers.
package loopback
