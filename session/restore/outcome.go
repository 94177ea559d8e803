package restore

import (
	"cmp"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/state"
)

// Outcome is what a session's restore options led to.
type Outcome struct {
	Options *Options
	Loaded  string // path
	Saved   string // path
	Status  string
	Detail  string
	Save    string
	Pending bool // the checks run when a page is open
	Skipped []storage.Skipped

	SaveNotice string // the last notice about a failed or skipped save
	SaveErr    error  // why the last save failed or was skipped
}

// Saves reports whether the current state should be saved.
func (o *Outcome) Saves() bool {
	w := o.Options
	return w != nil && w.Key != "" && w.Policy != actions.SaveNever &&
		(w.Policy == actions.SaveAlways || o.Status != StatusInvalid)
}

// Configured reports whether the session has a restore key.
func (o *Outcome) Configured() bool { return o.Options != nil && o.Options.Key != "" }

// SavesLast notes what is known before the last save of a session whose browser may have ended with an error.
func (o *Outcome) SavesLast(ended error) {
	o.SaveErr = nil
	switch {
	case o.Options.Policy == actions.SaveNever:
		o.Save = SaveDisabled
	case !o.Saves():
		o.Save = SaveSkipped
	case ended != nil:
		o.Save, o.SaveErr = SaveFailed, ended
	}
	o.Pending = false // no page was checked: the loaded state is still the saved one
}

// Saving notes how a save ended, and returns a notice about it that is new, or "".
func (o *Outcome) Saving(err error) (note string) {
	w := o.Options
	o.SaveErr = err
	switch {
	case err == nil:
		o.Save, o.Saved, o.SaveNotice = SaveDone, w.File, ""
	case fault.Is(err, fault.StateIncomplete):
		o.Save, o.Saved = SaveDone, w.File
		note = "the state was saved under " + w.Key + ", but " + fault.MessageOf(err)
	case fault.Is(err, fault.StatePoorer):
		o.Save = SaveRicher
		note = "the state saved under " + w.Key + " was not replaced: " + fault.MessageOf(err) + " `state save " +
			state.NameOf(w.File) + " --force` replaces it"
	default:
		o.Save = SaveFailed
		note = "the state could not be saved under " + w.Key + ": " + fault.MessageOf(err)
	}
	if note == o.SaveNotice {
		return ""
	}
	o.SaveNotice = cmp.Or(note, o.SaveNotice)
	return note
}

// Report describes the outcome.
func (o *Outcome) Report() actions.RestoreReport {
	w := o.Options
	if !o.Configured() {
		return actions.RestoreReport{Restore: StatusNone, Save: SaveNotYet}
	}
	report := actions.RestoreReport{
		Key:       w.Key,
		Restore:   o.Status,
		Detail:    o.Detail,
		Save:      o.Save,
		Loaded:    o.Loaded,
		Saved:     o.Saved,
		Pending:   o.Pending,
		File:      w.File,
		Policy:    w.Policy,
		CheckURL:  w.Checks.URL,
		CheckText: w.Checks.Text,
		CheckFn:   w.Checks.Fn,
		Skipped:   []string{},
	}
	switch o.Save {
	case SaveRicher:
		report.SaveNote = o.SaveNotice
	case SaveSkipped:
		report.SaveNote = "the state was not saved under " + w.Key + ": " + o.Detail
	}
	for _, k := range o.Skipped {
		report.Skipped = append(report.Skipped, k.String())
	}
	return report
}
