// Package input checks the parameters of a call and turns its input mode into a command line. Every object is closed:
// an unknown field is an error that names it and the known ones. Compile does all of it in the contract's order, and
// Schema describes it for hosts.
//
// The package runs nothing and knows no session: what the page has to say to a call is found out by the tool.
package input
