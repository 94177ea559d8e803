// Package fault holds the one error type of the project. Every layer reports what went wrong as an *Error with a stable
// [Code], so that the codes cross the host's socket, the JSON envelope and the tool contract unchanged. It lies below
// every other package and knows none of them.
package fault
