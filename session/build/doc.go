// Package build identifies the program that runs: its version, its commit and the protocol that client and host speak.
// It is what --version says.
package build
