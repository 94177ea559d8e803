package script

import "github.com/skua-browser/skua/internal/sandbox"

// The bounds of a script, beside those of the sandbox.
const (
	SourceBytes  = sandbox.SourceBytes
	Calls        = sandbox.Calls // of browser, those that are refused included
	MessageBytes = sandbox.MessageBytes
	SummaryChars = 1024 // of an answer's summary
	TextChars    = 8192 // of an answer's text

	DefaultTimeout = sandbox.DefaultTimeout
	MaxTimeout     = sandbox.MaxTimeout
)
