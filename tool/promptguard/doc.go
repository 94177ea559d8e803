// Package promptguard reads from what a user asked for which pictures and recordings have to be there before a browser
// may be closed, and whether a host's shell command goes around the tool. It reads few phrases, on purpose: a creation
// verb, a picture or a recording, and a destination directly before a path. What else a user wants or forbids is the
// model's business.
//
// All of it is pure. The package must not know sessions, nor how files are verified.
package promptguard
