package script

import "github.com/skua-browser/skua/internal/sandbox"

// The bounds of a script, beside those of the sandbox.
const (
	SourceBytes  = sandbox.SourceBytes
	MessageBytes = sandbox.MessageBytes
	summaryChars = 1024 // of an answer's summary
	textChars    = 8192 // of an answer's text

	DefaultTimeout = sandbox.DefaultTimeout
	maxTimeout     = sandbox.MaxTimeout
)
