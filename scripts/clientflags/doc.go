// Clientflags writes what the client has to know of the command registry, as Go: which flags take a value, and which
// commands are programs.
//
//	go run ./scripts/clientflags cmd/skua/flags.go
//
// The client cannot import the registry, which would cost it more than all else that it does. The package must not know
// any flag by its name.
package main
