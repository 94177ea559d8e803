// Package installer writes guides into the folders where other programs look for them, updates them, and takes them
// away again. A [Folder] remembers in a record of its own, with a SHA-256 for each file, what was written: a file that
// a person changed or made is never touched. A [Section] does the same for a part of a file that belongs to others,
// such as AGENTS.md.
//
// The package must not know which programs there are, and what guides say.
package installer
