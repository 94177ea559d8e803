// Package testterminal makes terminals for tests of programs that are used at one. It must not know which program that
// is.
package testterminal
