package skua

import (
	"errors"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// Code is the stable code of an error. It is an error by itself, for errors.Is.
type Code string

// Error returns the code.
func (c Code) Error() string { return string(c) }

// Error is a command that failed. Methods return no other errors.
type Error struct {
	Code    Code   // what kind of failure it is
	Message string // what happened, without the hint
	Hint    string // what to do next; may be empty
	Subject string // the ref, selector, address, path or flag that it is about; may be empty
	// Outcome says whether a command that changes something may be sent again: "none" was changed, or it is "unknown".
	// It is empty for others.
	Outcome string
	Notices []string // what the caller should know besides

	cause error
}

// Error returns what happened and what to do next.
func (e *Error) Error() string {
	return (&fault.Error{Code: fault.Code(e.Code), Message: e.Message, Hint: e.Hint}).Error()
}

// Is reports whether the target is the code of the error.
func (e *Error) Is(target error) bool {
	code, is := target.(Code)
	return is && code == e.Code
}

// Unwrap returns the cause, such as that of a context that ended.
func (e *Error) Unwrap() error { return e.cause }

// Fact returns a detail by its name, or nil if the error has none of that name.
func (e *Error) Fact(name string) any {
	if f, ok := errors.AsType[*fault.Error](e.cause); ok {
		return f.Facts[name]
	}
	return nil
}

// errorOf is an error of the product as one of the library.
func errorOf(err error) *Error {
	e := &Error{Code: Code(fault.CodeOf(err)), Message: fault.MessageOf(err), cause: err}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		e.Hint, e.Subject = strings.TrimSuffix(strings.TrimPrefix(f.Hint, "("), ")"), f.Subject
	}
	return e
}
