// Package apps serves web applications of npm packages on loopback, as they are: an [App] is one that runs, with what
// its users would ask of its own interface.
//
// It knows how each application starts, which data it begins with, and how that is read back. It must not know a
// browser, nor what is done in it.
package apps
