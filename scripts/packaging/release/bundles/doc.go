// Package bundles makes the MCP bundles of a release, which hosts such as Claude Desktop install with one click, and
// what the registry of MCP servers has to know of it.
package bundles
