// Package webmcp lists and calls the tools that pages offer to agents by WebMCP
// (https://webmachinelearning.github.io/webmcp/). The browser is asked for them from the first use on.
//
// Its functions take an [engine.Page] or [engine.Context]. It knows no other package on top of engine.
package webmcp
