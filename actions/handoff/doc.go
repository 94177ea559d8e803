// Package handoff has the commands that hand a session to a person, who does what the caller cannot or may not do:
// enter a code, solve a check, pay.
package handoff
