// Package turn decides who may work in a session. A [Queue] runs commands one after another, a [Lock] reserves a session for one caller, and a
// [Takeover] makes commands wait while a person works in the session.
//
// The package must not know sessions, nor what a command does.
package turn
