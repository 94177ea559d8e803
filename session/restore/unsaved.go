package restore

import (
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

// NotSaved is the error of a session whose state was left unsaved at its end against its options; nil means that it was not.
func (o *Outcome) NotSaved() *fault.Error {
	w := o.Options
	if o.SaveErr == nil || o.Save == SaveRicher && w.Policy != actions.SaveAlways {
		return nil
	}
	e := fault.New(fault.CodeOf(o.SaveErr), "the state could not be saved under %s: %s", w.Key, fault.MessageOf(o.SaveErr)).About(w.File).
		With("restoreStatus", o.Status).With("saveStatus", o.Save).With("path", w.File)
	e.Err = o.SaveErr
	return e
}

// ClosedWithout is the error of `close` after which the session is closed without its state or without downloads; nil means that nothing is lost.
func ClosedWithout(unsaved, lost *fault.Error) error {
	e := unsaved
	switch {
	case unsaved == nil && lost == nil:
		return nil
	case unsaved == nil:
		e = lost
	default:
		e.WithHint("What was saved under the key before, if anything, is unchanged. `state save <path>` before `close` saves the state elsewhere.")
		if lost != nil {
			e.Message = strings.TrimSuffix(e.Message, ".") + "; " + lost.Message
		}
	}
	e.Message = "the browser was closed, but " + e.Message
	return e.With(actions.FactClosed, true)
}

// ReplaceRefused is the error of a command that asked for another browser while the state of this one cannot be saved.
func ReplaceRefused(e *fault.Error) error {
	e.Message += "; the session keeps its browser"
	return e.WithHint("`state save <path>` saves the state elsewhere, and `close` ends the browser without it.")
}
