// Package handoff hands a session to a person for a while: a [Desk] keeps the one handoff of a session, serves the live
// page at a secret address of its own, waits for what the person says, and reports which fields he changed.
//
// The package must not know sessions: what it needs of one is its [Host].
package handoff
