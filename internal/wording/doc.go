// Package wording has the few ways in which texts for people are cut, quoted, counted and compared, so that all of them
// look the same.
//
// It knows nothing of browsers.
package wording
