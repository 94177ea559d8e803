package restore

import (
	"errors"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
)

// NotSaved is the error of a session whose state was left unsaved at its end against its options; nil means that it was
// not.
func (o *Outcome) NotSaved() *fault.Error {
	w := o.Options
	if o.SaveErr == nil || o.Save == SaveRicher && w.Policy != actions.SaveAlways {
		return nil
	}
	e := fault.New(fault.CodeOf(o.SaveErr), "the state could not be saved under %s: %s", w.Key,
		fault.MessageOf(o.SaveErr)).About(w.File).
		With("restoreStatus", o.Status).With("saveStatus", o.Save).With("path", w.File)
	if e.Code == fault.StateIncomplete {
		e.Message = "the state was saved under " + w.Key + ", but " + fault.MessageOf(o.SaveErr)
	}
	e.Err = o.SaveErr
	return e
}

// Incomplete returns the error of a state that was saved without parts of it, or nil if it is complete. Storage of
// third parties does not belong to a state.
func Incomplete(skipped []storage.Skipped) error {
	missing := slices.DeleteFunc(slices.Clone(skipped), func(s storage.Skipped) bool { return s.ThirdParty })
	if len(missing) == 0 {
		return nil
	}
	return fault.New(fault.StateIncomplete, "not all of it. Missing: %s", SkippedText(missing))
}

// ClosedWithout returns the error of `close` after which the session is closed without its state or downloads, or nil
// if nothing is lost.
func ClosedWithout(unsaved, lost *fault.Error) error {
	e := unsaved
	switch {
	case unsaved == nil && lost == nil:
		return nil
	case unsaved == nil:
		e = lost
	default:
		if e.Code != fault.StateIncomplete {
			e.WithHint(
				"What was saved under the key before, if anything, is unchanged. `state save <path>` before `close` saves the " +
					"state elsewhere.")
		}
		if lost != nil {
			e.Message = strings.TrimSuffix(e.Message, ".") + "; " + lost.Message
		}
	}
	e.Message = "the browser was closed, but " + e.Message
	return e.With(actions.FactClosed, true)
}

// AlsoClosedWithout adds to the result of a close what else is lost with the session.
func AlsoClosedWithout(err error, lost []*fault.Error) error {
	for _, e := range lost {
		before, is := errors.AsType[*fault.Error](err)
		switch {
		case err == nil:
			err = ClosedWithout(nil, e)
		case is:
			more := *before
			more.Message = strings.TrimSuffix(more.Message, ".") + "; " + e.Message
			more.Hint = strings.TrimSpace(more.Hint + " " + e.Hint)
			err = &more
		}
	}
	return err
}

// ReplaceRefused is the error of a command that asked for another browser while the state of this one cannot be saved.
func ReplaceRefused(e *fault.Error) error {
	e.Message += "; the session keeps its browser"
	return e.WithHint("`state save <path>` saves the state elsewhere, and `close` ends the browser without it.")
}
