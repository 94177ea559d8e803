// Package mcp serves the tool to MCP clients, over standard input and output or over streamable HTTP. A [Server] has
// one connection for each client; each gets a tool of its own from an [Opener], and it ends with the connection. Beside
// agent_browser there may be the family of browser_* tools, which are other words for the same calls.
//
// The package must not know commands, sessions or results better than package tool does.
package mcp
