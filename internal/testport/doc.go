// Package testport finds ports for tests of programs that have to be told one. It must not know what listens there.
package testport
