// Package journal records the commands of a session: a [Log] has an [Entry] per command with its words, the elements
// that its refs meant, its duration and its effect. An Entry identifies elements by role and name instead of refs, so
// that a journal can be replayed on another day and exported as a shell script, a Go test or a Playwright test
// ([Export]).
//
// The package must not know browsers and the command registry: package session begins and ends each entry.
package journal
