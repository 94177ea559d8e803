// Package initscript adds scripts to a context that run in each new document before any script of the page does.
//
// It knows no other package on top of engine.
package initscript
