package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/session/restore"
	"github.com/skua-browser/skua/session/state"
)

const (
	autosaveLimit = 15 * time.Second
	lastSaveLimit = 4 * time.Second // of a session that is closed: nobody waits for a page that hangs
)

// everyKind is what is kept of a session. What service workers cache is large and can be had again.
var everyKind = storage.Kinds{Cookies: true, Local: true, Session: true, Databases: true, Workers: true}

// saveLater has the session's state saved behind its commands, at most once in the interval.
func (s *Session) saveLater() {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.restoring
	if s.holds == nil || !r.savesLocked() || r.wish.Interval <= 0 || r.timer != nil || s.manager.brief {
		return
	}
	r.timer = time.AfterFunc(max(0, time.Until(r.begun.Add(r.wish.Interval))), s.autosave)
}

// savesLocked reports whether the state is to be kept as it is now.
func (r *restoring) savesLocked() bool {
	return r.wish != nil && r.wish.Key != "" && r.wish.Policy != actions.SaveNever && (r.wish.Policy == actions.SaveAlways || r.status != restore.StatusInvalid)
}

// autosave saves the state while commands run. It ends with the session.
func (s *Session) autosave() {
	ctx, cancel := context.WithTimeout(context.Background(), autosaveLimit)
	defer cancel()
	ctx, stop := s.during(ctx)
	defer stop()
	s.mu.Lock()
	s.restoring.timer = nil
	s.mu.Unlock()
	s.saveState(ctx)
}

// saveState saves what the session keeps under its key, and remembers what came of that. One save runs at a time.
func (s *Session) saveState(ctx context.Context) {
	s.saving.Lock()
	defer s.saving.Unlock()
	s.mu.Lock()
	lease, wish, saves, pending := s.holds, s.restoring.wish, s.restoring.savesLocked(), s.restoring.pending
	var active *engine.Page
	if s.active != nil {
		active = s.active.Page
	}
	s.mu.Unlock()
	if lease == nil || !saves || pending && wish.Policy != actions.SaveAlways || lease.browser.Err() != nil {
		return
	}
	captured, err := storage.Capture(ctx, lease.context, storage.CaptureOptions{Kinds: everyKind, Active: active})
	if err == nil {
		_, err = wish.Store.Write(wish.File, state.Of(captured, time.Now()), false)
	}
	s.mu.Lock()
	r := &s.restoring
	if r.wish != wish {
		s.mu.Unlock()
		return
	}
	note := ""
	r.begun = time.Now()
	switch {
	case err == nil:
		r.save, r.saved, r.noted = restore.SaveDone, wish.File, ""
	case fault.Is(err, fault.StatePoorer):
		r.save = restore.SaveRicher
		note = "the state kept under " + wish.Key + " stays as it was: " + fault.MessageOf(err) + " `state save " + state.NameOf(wish.File) + " --force` replaces it"
	default:
		r.save = restore.SaveFailed
		note = "the state could not be kept under " + wish.Key + ": " + fault.MessageOf(err)
	}
	if note == r.noted {
		note = ""
	} else if note != "" {
		r.noted = note
	}
	s.mu.Unlock()
	if note != "" {
		s.tell(note)
		s.manager.log.Info("state not saved", "session", s.name, "why", fault.CodeOf(err))
	}
}

// saveLast saves the state of a session that is being closed, while its browser is there.
func (s *Session) saveLast(ctx context.Context) {
	s.mu.Lock()
	r := &s.restoring
	r.stopLocked()
	r.timer = nil
	configured := r.wish != nil && r.wish.Key != ""
	switch {
	case !configured || s.holds == nil:
		s.mu.Unlock()
		return
	case r.wish.Policy == actions.SaveNever:
		r.save = restore.SaveDisabled
	case !r.savesLocked():
		r.save = restore.SaveSkipped
	}
	if r.pending { // no page has come that could be checked: what was loaded is still what is kept
		r.pending = false
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lastSaveLimit)
	defer cancel()
	s.saveState(ctx)
}
