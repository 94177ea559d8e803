// Package lease remembers, on the disk, browsers that a process has begun for a short time, so that the next one can
// end those that a killed process has left. While its owner lives, a lease is locked; the lock goes with the process.
// What is not exactly a lease of ours is left alone: the file must be private to the user, have the name of its
// session, and hold the one command line that closes it.
//
// The package must not know backends or tools: it is told what a session is called and how it is closed.
package lease
