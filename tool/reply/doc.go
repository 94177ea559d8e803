// Package reply makes the result of a call: [Of] takes a [Case], which is a plan, its answer and its verdict, and
// returns a [Draft] with the text, the details, the pictures and what went to files. What single commands look like is
// in tool/showing.
//
// Secrets leave the data before anything is made of it, and what is advised is put into the words of who called. The
// package must not run anything.
package reply
