// Package search is the companion tool agent_browser_web_search: it asks Exa or Brave Search and returns titles,
// addresses and excerpts.
//
// [Open] gives a Search if a key is configured, and [Search.Run] makes one search. The configuration is read again for
// each, so that a key that was added or a search that was turned off counts at once. Keys are never in a result nor in
// an error.
//
// The package must not know browsers, sessions, nor how its host registers a tool.
package search
