// Package testbackend has a stand-in for a backend, for tests of the stages of a tool's call that no browser needs to
// take part in. A [StandIn] answers as it is told to, and keeps what it was asked. The package must not know the
// stages.
package testbackend
