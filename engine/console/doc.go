// Package console records what the pages of a context log and which errors they have: from the first question on, and
// what the browser itself kept of the current documents before that.
//
// It knows no other package on top of engine.
package console
