// Package agents is the table of the programs that skua can be given to: editors, assistants and agents for the
// terminal. A [Program] says where it looks for guides (Agent Skills, rules), and where it keeps the MCP servers that
// it starts, in which form.
//
// The package must not know what skua writes there, and reads and writes none of their files.
package agents
