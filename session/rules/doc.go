// Package rules collects the rules that apply to a session: those of the process's owner ([ReadOwner], read once at the
// start) and those of the session's calls (a [Set], to which calls can only add). [Set.Judge] returns whether a command
// may run, needs confirmation, or is refused; the strictest rule counts. Package policy implements the rules
// themselves.
//
// The package must not know sessions: package session holds commands for confirmation and reports refusals.
package rules
