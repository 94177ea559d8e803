// Command skua is the client of the host: it finds the host of the user and namespace, starts it if needed, sends the
// command line, and prints the reply. It knows no commands: the host parses and runs them. The client reads only those
// parts of a command line that it needs to find the host (args.go).
//
// An agent calls it a hundred times for one task, so its own time matters: it imports only the standard library, and on
// Unix neither net nor os/exec, fmt or encoding/json, which a test checks. On Linux (early_linux.go), linked with -E
// main.entry, it handles the ordinary case before the Go runtime starts.
//
//	args.go      what the client reads of a command line and sends of the environment
//	request.go   one call: where the host is, which program it is, what is sent
//	connection.go sending the request and copying the reply
//	main.go      the call with everything that can go wrong
//	start_*.go   starting the host
//	standalone*.gorunning without a host, where sockets are not allowed
//	errors.go    errors of the client itself
//	sys_*.go     the system calls
//	early_*      the call before the Go runtime
package main
