// Package manifests writes what says to other programs what skua is: the plugin and the marketplace of Claude Code with
// the guides, the server.json of the MCP registry, and MCP bundles (.mcpb). All are made from the product's name and
// version and from the guides.
//
// The package must not know how the programs are built and where files are published.
package manifests
