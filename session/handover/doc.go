// Package handover moves the sessions of a host to the host of a newer build, while commands of some of them are still
// under way. A [Departure] is the account of the host that makes way, and [Arrivals] that of its successor: what they
// say to each other are lines of JSON.
//
// The package must not know how a session is closed or restored, nor how hosts find each other.
package handover
