package world

import (
	"errors"
	"strings"

	"github.com/skua-browser/skua/engine/cdp"
)

// ErrNavigated reports that the document went away before or while a script ran in it.
var ErrNavigated = errors.New("the document was replaced")

// IsNavigated reports whether a script failed since its document went away under it.
func IsNavigated(err error) bool { return errors.Is(err, ErrNavigated) }

// ErrNotRun marks the errors for which the script certainly did not run.
var ErrNotRun = errors.New("not run")

// ContextError recognizes the ways in which Chromium tells that an execution context is gone.
func ContextError(err error) error {
	e, ok := errors.AsType[*cdp.Error](err)
	if !ok {
		return err
	}
	switch msg := e.Message; {
	case strings.HasPrefix(msg, "Cannot find context"),
		strings.HasPrefix(msg, "No frame for given id"),
		strings.HasPrefix(msg, "uniqueContextId not found"):
		return errors.Join(ErrNavigated, ErrNotRun)
	case strings.Contains(msg, "Execution context was destroyed"),
		strings.Contains(msg, "Inspected target navigated or closed"),
		strings.Contains(msg, "Promise was collected"):
		return ErrNavigated
	}
	return err
}
