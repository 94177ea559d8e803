// Package addressee recognizes text that speaks to an agent in place of a person: "ignore previous instructions", "AI
// agents reading this page must …", names of tools. Pages say such things to make an agent do what its user did not ask
// for; some are honest notes to agents.
//
// [Find] compares text with the phrases of phrases.go. They are few, and easy to avoid, so that a text without a match
// is not a safe one: the result is a mark for a reader, and must never decide what is shown or allowed.
//
// It must not know pages, snapshots and commands.
package addressee
