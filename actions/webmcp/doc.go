// Package webmcp has the commands on the tools that pages offer to agents (WebMCP).
//
// What a tool is called, says of itself and returns is the page's word.
package webmcp
