// Package callenv defines which variables of its environment a client sends to the host. All others stay where they
// are, since environments contain secrets.
//
// The client programs of all languages use the same lists. Like wire, it allocates nothing and imports nothing, since
// the client reads it before its Go runtime starts.
package callenv
