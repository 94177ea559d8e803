// Package ledger saves what the sessions of a host have open, so that the next host can restore it if this one was
// killed. A [Ledger] is the file, and a [Session] is its entry for one session.
//
// The package must not know how a session restores its tabs.
package ledger
