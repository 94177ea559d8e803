// Package guide is what an agent is told about the tool. All of it is one text, guide.md, of which the tool's
// description, the instructions and prompts of the MCP server, the guide "core" and docs/playbook.md are renderings: a
// [Reader] each. A test fails when one of the files that are rendered from it differs.
//
// The package must not know how a host shows what it renders.
package guide
