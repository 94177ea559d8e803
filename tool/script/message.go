package script

import (
	"context"
	"time"

	"github.com/skua-browser/skua/tool/contract"
)

// Call is what a script asks of the browser.
type Call struct {
	Args    []string
	Stdin   *string
	Timeout time.Duration // never more than what the script has left
}

// Reply is what a script gets for a call.
type Reply struct {
	OK              bool                     `json:"ok"`
	Data            any                      `json:"data"`
	Details         any                      `json:"details,omitempty"`
	Error           string                   `json:"error,omitempty"`
	FailureCategory contract.FailureCategory `json:"failureCategory,omitempty"`
	NextActions     []contract.NextAction    `json:"nextActions,omitempty"`
	ResultCategory  contract.ResultCategory  `json:"resultCategory"`
	SuccessCategory contract.SuccessCategory `json:"successCategory,omitempty"`
	Summary         string                   `json:"summary"`
	Text            string                   `json:"text"`

	Refused bool `json:"-"` // nothing was run: the call as such is not allowed, which fails the whole script

	clamped bool // it had all the time that the script had left
}

// Refusal returns the reply to a call that was not run.
func Refusal(category contract.FailureCategory, message string) Reply {
	return Reply{
		Error:           message,
		FailureCategory: category,
		ResultCategory:  contract.Failure,
		Summary:         message,
		Text:            message,
		Refused:         true,
	}
}

// Browser runs one call. Calls come one after the other.
type Browser func(ctx context.Context, c Call) Reply

// Program is a script with what it runs on.
type Program struct {
	Source  string
	Timeout time.Duration // 0 means DefaultTimeout
	Memory  uint64        // bytes that it may keep; 0 means HeapBytes
	Browser Browser
}

// Outcome is how a script ended.
type Outcome struct {
	Data    any // of emit, else what the script returned; JSON-shaped
	HasData bool

	Failure contract.FailureCategory // empty means that it ran to its end
	Message string                   // of a failure

	Steps []Step
	Emits int
	Took  time.Duration
}

// Step is one call of a script.
type Step struct {
	Call  Call
	Reply Reply
	Took  time.Duration
}
