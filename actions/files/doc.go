// Package files opens what a command reads and writes for its caller: each path passes the owner's rules first.
//
// [Readable] and [Writable] return the paths that have to be opened. An [Artifact] is a file that a command is to
// write, a [Place] is where a file of the browser's goes.
package files
