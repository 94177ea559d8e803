package sandbox

import "time"

// The bounds of a script.
const (
	SourceBytes  = 64 << 10 // of the source, in UTF-8
	Calls        = 25       // of functions, those that are refused included, unless the program says otherwise
	OutputBytes  = 64 << 10 // of what comes out in the end, as JSON
	MessageBytes = 1 << 20  // of one call or one answer, as JSON
	TotalBytes   = 8 << 20  // of all calls and answers together
	messageChars = 1024     // of a failure's message
	HeapBytes    = 64 << 20 // that it may keep

	DefaultTimeout = 120 * time.Second
	MaxTimeout     = 300 * time.Second

	Elements   = 5_000_000       // of an array that a built-in function goes through
	Characters = 16 << 20        // of a text that a built-in function makes
	Depth      = 1000            // of calls, of JSON and of nested arrays
	SearchTime = 2 * time.Second // of a regular expression
	Grace      = time.Second     // for a script that is to end, before its process is killed
	pattern    = 32 << 10        // characters of a regular expression
	watchPause = 5 * time.Millisecond
)
