package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Code names a kind of failure. Codes are API: they are matched on by callers and never renamed.
type Code string

// The codes, by the part of the product that reports them most.
const (
	// Usage: the command line or the request itself is wrong; nothing was done.
	Usage Code = "usage"

	// Targets of actions.
	RefUnknown        Code = "ref-unknown"        // no snapshot of this session handed out this ref
	RefStale          Code = "ref-stale"          // the ref's element is gone and nothing equal replaced it
	SelectorInvalid   Code = "selector-invalid"   // not valid CSS, XPath or locator syntax
	SelectorNotFound  Code = "selector-not-found" // nothing matches
	SelectorAmbiguous Code = "selector-ambiguous" // several match where one is needed
	TargetHidden      Code = "target-hidden"      // no box, or visibility hides it
	TargetDisabled    Code = "target-disabled"    // a disabled control
	TargetReadonly    Code = "target-readonly"    // a control that refuses edits
	TargetCovered     Code = "target-covered"     // another element receives the input at its point
	TargetOutside     Code = "target-outside"     // cannot be scrolled into the viewport
	TargetUnstable    Code = "target-unstable"    // it keeps moving
	TargetUnsuitable  Code = "target-unsuitable"  // the wrong kind of element for the command
	TargetMissed      Code = "target-missed"      // the input was sent, and the element did not receive it
	DropRefused       Code = "drop-refused"       // what was dragged onto it is not taken there
	OptionNotFound    Code = "option-not-found"   // a select has no such option
	ValueNotKept      Code = "value-not-kept"     // the page changed or refused the value
	FrameGone         Code = "frame-gone"         // the frame was removed or cannot be reached
	DownloadFailed    Code = "download-failed"    // nothing was downloaded, or not all of it

	// Pages and browsers.
	Timeout          Code = "timeout"           // the deadline passed; the message says where it hung
	NavigationFailed Code = "navigation-failed" // the browser could not load the address
	EvalFailed       Code = "eval-failed"       // the page's script threw
	DialogOpen       Code = "dialog-open"       // a JavaScript dialog blocks the page
	NoDialog         Code = "no-dialog"         // there is no dialog to answer
	TabGone          Code = "tab-gone"          // the tab that the command is meant for was closed
	TabNotFound      Code = "tab-not-found"     // no such tab, or its label is not usable
	PageGone         Code = "page-gone"         // the tab was closed
	PageCrashed      Code = "page-crashed"      // the tab's renderer crashed
	BrowserGone      Code = "browser-gone"      // the browser or the connection to it ended
	BrowserMissing   Code = "browser-missing"   // no browser could be found
	BrowserLaunch    Code = "browser-launch"    // a browser was found and did not start
	ConnectFailed    Code = "connect-failed"    // nothing that speaks CDP answered at the address
	Protocol         Code = "protocol"          // the browser refused a CDP command

	// Host, session and files.
	HostUnreachable Code = "host-unreachable" // the host's socket cannot be used
	SessionInvalid  Code = "session-invalid"  // not a usable session name
	File            Code = "file"             // a file could not be read or written
	Canceled        Code = "canceled"         // the caller gave up
	Internal        Code = "internal"         // a bug of ours
)

// Error is a failure that a person or an agent can act on.
type Error struct {
	Code    Code
	Subject string         // the ref, selector, URL, path or flag that it is about; may be empty
	Message string         // one sentence: what happened, naming the subject
	Hint    string         // one sentence: what to do next; may be empty
	Facts   map[string]any // details for programs; keys are lower camel case
	Err     error          // the cause, if another error is behind it
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

// CodeOf returns the code of the first *Error in err's chain, Timeout or Canceled for the context errors, and Internal for
// everything else. It returns "" for nil.
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
