// Package clients writes the parts of the client libraries that the command registry determines: in typescript and python, the files that say that they
// are generated. They are written by `go test ./clients -update`.
//
// [New] reads definitions, the types of results, and the protocol of the host. [TypeScript] and [Python] write them down in the two languages. What
// does the work there (sockets, starting a host, errors) is written by hand beside the generated files. The package must know no command by its name.
package clients
