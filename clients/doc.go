// Package clients generates the parts of the client libraries that the command registry determines. `scripts/clients`
// writes them beside what is written by hand in the folders typescript and python: sockets, starting a host, errors,
// values. They are not committed. Those of the Go library, which works without a host, are: a Go module is its sources.
//
// [New] reads definitions, the types of results, and the protocol of the host. [Model.TypeScript], [Model.Python]
// and [Go] express them in the languages, with texts of the help that speak of methods and options. [Model.Write] and
// [WriteGo] write the files. The package must know no command by its name.
package clients
