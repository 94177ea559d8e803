// Command skua is the client of the engine host: it finds the host of the user and namespace, starts it when there is none,
// hands over the command line, and prints what comes back. It knows no commands: the host parses and runs them, and the
// client reads of a command line only what it needs to find the host (args.go).
//
// An agent calls it a hundred times for one task, so that its own time is what there is to save: it imports the standard
// library only, on Unix neither net nor os/exec, fmt or encoding/json, and a test keeps it so. On Linux it goes further
// (early_linux.go): linked with -E main.entry it does the ordinary case before the Go runtime has started.
//
//	args.go      what the client reads of a command line and sends of the environment
//	request.go   one trip: where the host is, which program it is, what is sent
//	link.go      sending the request and passing the reply on
//	main.go      the trip with everything that can go wrong
//	start_*.go   starting the host
//	alone*.go    doing without a host, where there can be no sockets
//	complain.go  errors of the client itself
//	sys_*.go     the system calls
//	early_*      the trip before the Go runtime
package main
