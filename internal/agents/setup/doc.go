// Package setup adds an MCP server to the configuration of the programs that package agents lists, and takes it away
// again. A [Change] is made first and written then, so that it can be shown. What else is in the file stays as its
// author wrote it.
//
// The package must not know what the server does.
package setup
