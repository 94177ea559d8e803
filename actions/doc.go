// Package actions is what an agent can do: the registry of commands. A [Command] is data plus a run function; the grammar of the
// command line, batch rows, the help texts, the tool's plans and the command reference are all read from the [Registry]. Parse
// turns words into an [Input] or into a usage error that names the word and the way out.
//
// The package must not know sockets, sessions, processes or the terminal, and never reads the environment itself.
package actions
