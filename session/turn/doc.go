// Package turn says who may work in a session now. A [Queue] lets one command after another in, a [Lock] keeps a session for one of several callers,
// and a [Takeover] has commands wait while a person works in it.
//
// The package must not know a session, nor what a command does.
package turn
