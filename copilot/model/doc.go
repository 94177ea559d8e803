// Package model talks to language models over HTTP. A [Model] answers a [Request] with text and with calls of tools; there are two kinds of
// endpoints, those that understand OpenAI's chat completions and those that understand Anthropic's messages, see [Open]. A [Chat] is a
// conversation whose tools are done by the caller, and a [Planner] is a planner of tasks that asks a model.
//
// What a page says reaches a model as the result of a tool, between marks that the page cannot know, and is data to it. Nothing here trusts that
// the model heeds that: what may be done is decided where it is done.
//
// The package knows no browser and runs no command. Keys stand in no error and in no log.
package model
