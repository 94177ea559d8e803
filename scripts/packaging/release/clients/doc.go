// Package clients makes the packages of the libraries for TypeScript and Python.
package clients
