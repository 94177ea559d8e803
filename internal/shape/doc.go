// Package shape describes the JSON that values of a Go type become: which members an object has, which of them may be
// left out, what may be null.
//
// The client libraries for other languages are generated from it, and [Type.Check] compares a real reply with it. The
// package must not know commands.
package shape
