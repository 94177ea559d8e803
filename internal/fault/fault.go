package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Error is a failure that a person or an agent can act on.
type Error struct {
	Code    Code
	Subject string         // the ref, selector, URL, path or flag that it is about; may be empty
	Message string         // one sentence: what happened, naming the subject
	Hint    string         // one sentence: what to do next; may be empty
	Facts   map[string]any // details for programs; keys are lower camel case
	Err     error          // the cause, if there is another error
}

// Error returns the message followed by the hint, as a sentence each.
func (e *Error) Error() string {
	s := e.Message
	if s == "" && e.Err != nil {
		s = e.Err.Error()
	}
	if s == "" {
		s = string(e.Code)
	}
	if e.Hint == "" {
		return s
	}
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "\n") && !strings.HasPrefix(e.Hint, "(") {
		s += "."
	}
	return s + " " + e.Hint
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New returns an error with a formatted message. A %w verb sets the cause.
func New(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// About sets the subject and returns e.
func (e *Error) About(subject string) *Error { e.Subject = subject; return e }

// WithHint sets the hint and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// With adds a fact and returns e.
func (e *Error) With(key string, value any) *Error {
	if e.Facts == nil {
		e.Facts = map[string]any{}
	}
	e.Facts[key] = value
	return e
}

// CodeOf returns the code of the first *Error in err's chain, Timeout or Canceled for the context errors, and Internal
// for everything else. It returns "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	case errors.Is(err, context.Canceled):
		return Canceled
	}
	return Internal
}

// Is reports whether err carries the code.
func Is(err error, code Code) bool { return CodeOf(err) == code }

// Has reports whether err carries a fact that is true.
func Has(err error, fact string) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Facts[fact] == true
}

// IsPageLost reports whether there is nothing left to ask, because the page was closed or crashed, or its browser is
// gone.
func IsPageLost(err error) bool { return Is(err, PageGone) || Is(err, BrowserGone) }

// MessageOf is the sentence of an error, without its hint.
func MessageOf(err error) string {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Message
	}
	return err.Error()
}

// WithoutHint is what an error says without its hint.
func WithoutHint(err error) error {
	if f, ok := errors.AsType[*Error](err); ok && f.Hint != "" {
		return errors.New(f.Message)
	}
	return err
}

// WaitEnded is the error of a wait that ctx ended: what it waited for, unless ctx was ended with a cause of its own.
func WaitEnded(ctx context.Context, what string) error {
	cause := context.Cause(ctx)
	if CodeOf(cause) != Timeout ||
		cause != context.DeadlineExceeded { //nolint:errorlint // one that wraps it has words of its own
		return cause
	}
	return &Error{Code: Timeout, Message: "timed out while " + what, Err: cause}
}
