// Package lazyregexp holds regular expressions that are compiled when they are first used: the host starts with the
// command that waits for it, and most of its expressions are for commands that it will not get. Test programs compile
// them at once, so that a wrong one fails there.
//
// It must not know what the expressions are for.
package lazyregexp
