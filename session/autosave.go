package session

import (
	"cmp"
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/session/restore"
	"github.com/skua-browser/skua/session/state"
)

const (
	autosaveLimit = 15 * time.Second
	lastSaveLimit = 4 * time.Second // of a session that closes: a hung page must not delay it
)

// savedKinds are the kinds of storage that are saved. Caches of service workers are left out: they are large and can be fetched again.
var savedKinds = storage.Kinds{Cookies: true, Local: true, Session: true, Databases: true, Workers: true}

// saveLater schedules a save of the session's state, at most once per interval.
func (s *Session) saveLater() {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.stateRestore
	if s.lease == nil || !r.savesLocked() || r.options.Interval <= 0 || r.timer != nil || s.manager.brief {
		return
	}
	r.timer = time.AfterFunc(max(0, time.Until(r.lastSave.Add(r.options.Interval))), s.autosave)
}

// savesLocked reports whether the current state should be saved.
func (r *stateRestore) savesLocked() bool {
	return r.options != nil && r.options.Key != "" && r.options.Policy != actions.SaveNever && (r.options.Policy == actions.SaveAlways || r.status != restore.StatusInvalid)
}

// autosave saves the state while commands run. It ends with the session.
func (s *Session) autosave() {
	ctx, cancel := context.WithTimeout(context.Background(), autosaveLimit)
	defer cancel()
	ctx, stop := s.untilClosed(ctx)
	defer stop()
	s.mu.Lock()
	s.stateRestore.timer = nil
	s.mu.Unlock()
	s.saveState(ctx)
}

// saveState saves the session's state under its key and records the result. Only one save runs at a time.
func (s *Session) saveState(ctx context.Context) {
	s.saving.Lock()
	defer s.saving.Unlock()
	s.mu.Lock()
	lease, wish, saves, pending := s.lease, s.stateRestore.options, s.stateRestore.savesLocked(), s.stateRestore.pending
	before := cmp.Or(s.stateRestore.saved, s.stateRestore.loaded)
	var active *engine.Page
	if s.active != nil {
		active = s.active.Page
	}
	s.mu.Unlock()
	if lease == nil || !saves || pending && wish.Policy != actions.SaveAlways || lease.browser.Err() != nil {
		return
	}
	captured, err := storage.Capture(ctx, lease.context, storage.CaptureOptions{Kinds: savedKinds, Active: active})
	if err == nil {
		saved := state.FromStorage(captured, time.Now())
		saved.SetPasskeys(webauthn.List(lease.context))
		saved.SetKey(wish.Key)
		_, err = wish.Store.WriteAfter(ctx, cmp.Or(before, wish.File), wish.File, saved)
	}
	s.noteSave(wish, err)
}

// noteSave records the outcome of a save, and notifies of a failure once.
func (s *Session) noteSave(wish *restore.Options, err error) {
	s.mu.Lock()
	r := &s.stateRestore
	if r.options != wish {
		s.mu.Unlock()
		return
	}
	r.lastSave, r.saveErr = time.Now(), err
	save, note := wish.Outcome(err)
	if r.save = save; err == nil {
		r.saved, r.saveNotice = wish.File, ""
	}
	if note == r.saveNotice {
		note = ""
	}
	r.saveNotice = cmp.Or(note, r.saveNotice)
	s.mu.Unlock()
	if note != "" {
		s.addNotice(note)
		s.manager.log.Info("state not saved", "session", s.name, "why", fault.CodeOf(err))
	}
}

// saveLast saves the state of a session before its browser goes. It fails if the browser ended, and also for a state with less content than the saved
// one if --restore-save is always. Otherwise such a state is left out, as [actions.SaveAuto] says.
func (s *Session) saveLast(ctx context.Context) *fault.Error {
	s.mu.Lock()
	r := &s.stateRestore
	r.stopLocked()
	r.timer = nil
	configured := r.options != nil && r.options.Key != ""
	if !configured || s.lease == nil {
		s.mu.Unlock()
		return nil
	}
	wish, ended := r.options, s.lease.browser.Err()
	r.saveErr = nil
	switch {
	case wish.Policy == actions.SaveNever:
		r.save = restore.SaveDisabled
	case !r.savesLocked():
		r.save = restore.SaveSkipped
	case ended != nil:
		r.save, r.saveErr = restore.SaveFailed, ended
	}
	r.pending = false // no page was checked: the loaded state is still the saved one
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lastSaveLimit)
	defer cancel()
	s.saveState(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.saveErr == nil || r.save == restore.SaveRicher && wish.Policy != actions.SaveAlways {
		return nil
	}
	return wish.NotSaved(r.saveErr, r.status, r.save)
}
