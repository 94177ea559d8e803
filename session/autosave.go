package session

import (
	"cmp"
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/internal/fault"
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
	if s.lease == nil || !r.Saves() || r.Options.Interval <= 0 || r.timer != nil || s.manager.brief {
		return
	}
	r.timer = time.AfterFunc(max(0, time.Until(r.lastSave.Add(r.Options.Interval))), s.autosave)
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
	lease, wish, saves, pending := s.lease, s.stateRestore.Options, s.stateRestore.Saves(), s.stateRestore.Pending
	before := cmp.Or(s.stateRestore.Saved, s.stateRestore.Loaded)
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
	if r.Options != wish {
		s.mu.Unlock()
		return
	}
	r.lastSave = time.Now()
	note := r.Saving(err)
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
	if !r.Configured() || s.lease == nil {
		s.mu.Unlock()
		return nil
	}
	r.SavesLast(s.lease.browser.Err())
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lastSaveLimit)
	defer cancel()
	s.saveState(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.NotSaved()
}
