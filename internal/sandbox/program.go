package sandbox

import (
	"context"
	"time"
)

// Failure is the kind of a script's failure.
type Failure string

// The failures. A function may end a script with one of its own.
const (
	Aborted         Failure = "aborted"          // the caller gave up
	ScriptError     Failure = "script-error"     // the script threw, or did what a script must not
	TimedOut        Failure = "timeout"          // its time is over
	ValidationError Failure = "validation-error" // it is too long, or makes too many calls
)

// Program is a script with what it runs on.
type Program struct {
	Source    string
	Timeout   time.Duration // 0 means DefaultTimeout
	Memory    uint64        // bytes that it may keep; 0 means HeapBytes
	Calls     int           // how often it may call functions, refused calls included; 0 means Calls
	Functions []Function
	Values    map[string]any // global constants, JSON-shaped
}

// Function is something outside of the sandbox that a script may call. Calls run one after the other, in the order in
// which they were made.
type Function struct {
	// Name is how the script calls it. A point in it makes it a method of a global object: "page.click".
	Name string
	// Call runs a call. Its arguments are JSON-shaped. ctx ends when the script's time does.
	Call func(ctx context.Context, args []any) Answer
	// Invalid is the answer to a call whose arguments are not JSON or too large; nil means the call fails with the
	// message.
	Invalid func(message string) Answer
	// TooLarge takes the place of an answer that is too large; nil means the call fails with the message.
	TooLarge func(message string) Answer
}

// Answer is what a call comes to.
type Answer struct {
	Value any    // what the script gets, which must have JSON
	Error *Error // what the call throws in place of a value

	// End ends the whole script with a failure and a message; empty means that it goes on.
	End     Failure
	Message string

	// TimedOut says that the call ran out of time, which may be the script's.
	TimedOut bool
}

// Error is what a call throws: an Error of the script with the fields as members.
type Error struct {
	Message string
	Fields  map[string]any
	Cause   error // for the caller of Run; may be nil
}

// Outcome is how a script ended.
type Outcome struct {
	Data    any // of emit, else what the script returned; JSON-shaped
	HasData bool

	Failure Failure // empty means that it ran to its end
	Message string  // of a failure
	Line    int     // of the call in the script that threw what nothing caught; 0 means that was not a call
	Thrown  *Error  // what that call threw

	Steps []Step
	Emits int
	Took  time.Duration
}

// Step is one call of a script.
type Step struct {
	Function string
	Args     []any
	Answer   Answer
	Took     time.Duration
}

// fail notes the first failure. An empty one does nothing.
func (o *Outcome) fail(kind Failure, message string) {
	if o.Failure == "" {
		o.Failure, o.Message = kind, message
	}
}
