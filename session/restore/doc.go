// Package restore implements --state and --restore: a call's [Options] for saved states, what their files contain
// ([InitialState]), and the [Checks] that tell whether a restored login is still valid. Package state has the files.
//
// The package must not know sessions: package session decides when to load, check and save.
package restore
