// Package testmodel is a test double of the endpoints of language models: it answers as the documentation of OpenAI's
// chat completions and of Anthropic's messages says, at once and in pieces, with what a test's script says, and checks
// that each conversation is one that the real endpoints would take. Only tests import it.
package testmodel
