// Package redact keeps secrets out of what callers, logs and files on disk see. A Redactor knows the secrets that one
// call was given (in its command line, its rows, its standard input) and how secrets look that pages and programs hand
// back. It is put to use at one place, over a whole result, so that no step of a call has to remember it; what goes to
// a file or to a listener before that goes through it, too. Data of a Go type is redacted by the names that its fields
// have in JSON, and stays of that type.
//
// The package must not know sessions, backends or how results are worded.
package redact
