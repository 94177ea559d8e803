// Package storage is what a context keeps for the pages that it shows: cookies, and what each origin stores. It reads
// and sets cookies, captures everything into a [State], and puts that back into a context, from documents of the
// origins that no server is asked for.
//
// It knows no other package on top of engine, and no files.
package storage
