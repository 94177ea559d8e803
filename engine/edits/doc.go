// Package edits tells which fields of a page input changes, by their names and never by their values: what a person did
// in a page that was handed to him.
//
// It knows no other package on top of engine.
package edits
