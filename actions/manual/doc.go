// Package manual writes what people and programs read about commands, all of it from their definitions: help, the
// reference of the documentation, pages of the manual, and what may follow the words of a line that is being typed
// ([Complete]).
//
// The package must not know what single commands do.
package manual
