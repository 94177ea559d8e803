// Package pagewords makes what a page says of its tools fit for a client's list of tools: quoted, bounded, and without what could speak to a model
// unmarked. Quote does it for a text, Schema for the schema of a tool's parameters.
//
// It must not know MCP, and how a page's tools are listed.
package pagewords
