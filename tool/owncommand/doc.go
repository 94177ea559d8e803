// Package owncommand holds a test alone: a command that is defined in it, and nowhere else, works everywhere that
// commands do.
//
// It has no code of its own, and must get none: what the test needs to be told about its command belongs in the
// definition.
package owncommand
