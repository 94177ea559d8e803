// Package actions defines what a command is, and the registry of all commands. A [Command] is data plus a run function;
// the grammar of the command line, batch rows, the help texts, the tool's plans and the command reference are all read
// from the [Registry]. Its Parse turns words into an [Input] by package grammar.
//
// Families of commands are packages below this one, each of which exports its commands and knows no other family;
// package catalog puts them together.
//
// Package manual writes help, reference and completion. What a host has for one family, such as the launcher of desktop
// apps, the family asks for by an interface of its own ([Service]).
//
// The package must not know sockets, sessions, processes or the terminal, and never reads the environment itself.
package actions
