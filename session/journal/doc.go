// Package journal keeps what was done in a session: each command with its words, with what its refs stood for, how long it took and what it
// led to. An [Entry] holds no element numbers that mean nothing to anybody else, so that a journal can be run again on another day, and written as a
// program in another language.
//
// It knows nothing of browsers and of the command registry: who runs a command begins and ends its entry, and translates it.
package journal
