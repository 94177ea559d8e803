// Package model talks to language models over HTTP. A [Model] answers a [Request] with text and with calls of tools;
// there are two kinds of endpoints, those that understand OpenAI's chat completions and those that understand
// Anthropic's messages, see [Open]. A [Chat] is a conversation whose tools are done by the caller, and a [Planner] is a
// planner of tasks that asks a model.
//
// What a page says reaches a model as the result of a tool, between marks that the page cannot know, and is data to it.
// Nothing here trusts the model to treat it so: whether an action is allowed is decided where it is carried out.
//
// The package knows no browser and runs no command. Errors and logs never contain keys.
package model
