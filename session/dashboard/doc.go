// Package dashboard serves a local web page that shows all sessions of a host live, with their commands, and lets a
// person take over a session and hand it back. A [Server] belongs to one [Host]. Its URL contains a token, which every
// request needs.
//
// The package must not know how sessions work, nor how commands run.
package dashboard
