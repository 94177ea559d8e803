// Package ledger keeps word of what the sessions of a host have open in a file, so that the next host knows what was lost when this one was
// killed. A [Ledger] is that file, a [Session] what it has of one.
//
// The package must not know how a session gets its tabs back.
package ledger
