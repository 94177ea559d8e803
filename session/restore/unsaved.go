package restore

import (
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/session/state"
)

// Outcome returns the status of a save that ended with err, and a note for the session's next reply if nothing was saved.
func (w *Options) Outcome(err error) (status, note string) {
	switch {
	case err == nil:
		return SaveDone, ""
	case fault.Is(err, fault.StatePoorer):
		return SaveRicher, "the state saved under " + w.Key + " was not replaced: " + fault.MessageOf(err) + " `state save " + state.NameOf(w.File) + " --force` replaces it"
	}
	return SaveFailed, "the state could not be saved under " + w.Key + ": " + fault.MessageOf(err)
}

// NotSaved is the error of a session whose state could not be saved under its key, for a cause.
func (w *Options) NotSaved(cause error, status, save string) *fault.Error {
	e := fault.New(fault.CodeOf(cause), "the state could not be saved under %s: %s", w.Key, fault.MessageOf(cause)).About(w.File).
		With("restoreStatus", status).With("saveStatus", save).With("path", w.File)
	e.Err = cause
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
