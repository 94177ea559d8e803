// Package handoff hands a session to a person for a while: a [Desk] keeps the one handoff of a session, serves the live
// page at a secret address of its own, waits for the person's answer, and reports which fields changed.
//
// The package must not know sessions: what it needs of one is its [Host].
package handoff
