// Package dashboard serves one web page of this machine that shows all sessions of a host live, with what was run in them, and lets a person take
// a session over and hand it back. A [Server] belongs to one host, which it sees as a [Host]. Whoever wants in needs its token, which stands in
// its address.
//
// The package must not know how sessions are kept, nor how commands run.
package dashboard
