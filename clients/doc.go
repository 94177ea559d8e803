// Package clients generates the parts of the client libraries that the command registry determines. `scripts/clients`
// writes them beside what is written by hand in the folders typescript and python: sockets, starting a host, errors,
// values. They are not committed.
//
// [New] reads definitions, the types of results, and the protocol of the host. [Model.TypeScript] and [Model.Python]
// express them in the two languages, with texts of the help that speak of methods and options. [Model.Write] writes the
// files. The package must know no command by its name.
package clients
