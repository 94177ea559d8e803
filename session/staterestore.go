package session

import (
	"context"
	"fmt"
	"time"

	"github.com/skua-browser/skua/actions/states"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/ledger"
	"github.com/skua-browser/skua/session/restore"
)

// stateRestore is the outcome of a session's restore options. Guarded by the session's mu.
type stateRestore struct {
	restore.Outcome
	lastSave       time.Time // the time of the last save, or the start
	timer          *time.Timer
	pendingStorage *storage.State // sessionStorage for the first tab
}

// restoreState loads the saved state into a new browser. Tabs get their sessionStorage from restoreSessionStorage.
func (s *Session) restoreState(ctx context.Context, l *lease, b *restore.InitialState) error {
	r, err := storage.Restore(ctx, l.context, &b.Storage, nil)
	if err != nil {
		return fmt.Errorf("restoring the saved state: %w", err)
	}
	if err := states.GivePasskeys(ctx, l.context, nil, b.Passkeys); err != nil {
		return fmt.Errorf("restoring the saved state: %w", err)
	}
	s.noteRestored(l.launch.Restore, b, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stateRestore.stopLocked()
	s.stateRestore = stateRestore{
		Outcome: restore.Outcome{
			Options: l.launch.Restore, Loaded: b.Path, Status: b.Status, Detail: b.Detail, Save: restore.SaveNotYet, Skipped: append(b.Skipped, r.Skipped...),
			Pending: b.Status == restore.StatusLoaded && !l.launch.Restore.Checks.None(),
		},
		lastSave: time.Now(), pendingStorage: &b.Storage,
	}
	return nil
}

// noteRestored reports what was restored and what was not.
func (s *Session) noteRestored(w *restore.Options, b *restore.InitialState, r *storage.Restored) {
	for _, note := range b.Notes {
		s.addNotice(note)
	}
	if len(b.Storage.Cookies)+len(b.Storage.Origins)+len(b.Passkeys) > 0 {
		s.addNotice("restored: " + states.RestoredText(r, len(b.Passkeys)) + " from " + w.From(b))
	}
	if skipped := append(b.Skipped, r.Skipped...); len(skipped) > 0 {
		s.notices.Lack(fault.New(fault.StateIncomplete, "not all was restored. Missing: %s", restore.SkippedText(skipped)))
	}
	for _, err := range b.Unread {
		s.notices.Lack(fault.New(fault.CodeOf(err), "not all was restored: %w", err))
	}
}

// restoreSessionStorage restores sessionStorage in the first tab, and closes the tab if that fails.
func (s *Session) restoreSessionStorage(ctx context.Context, l *lease, tab *engine.Page) error {
	s.mu.Lock()
	rest := s.stateRestore.pendingStorage
	s.stateRestore.pendingStorage = nil
	s.mu.Unlock()
	if rest == nil {
		return nil
	}
	r, err := storage.RestoreSessions(ctx, l.context, rest, tab)
	if err != nil {
		s.mu.Lock()
		if s.lease == l { // for the next tab of this browser
			s.stateRestore.pendingStorage = rest
		}
		s.mu.Unlock()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeContextLimit) // a hung browser closes nothing
		defer cancel()
		_ = tab.Close(limited)
		return fmt.Errorf("restoring the saved state: %w", err)
	}
	if len(r.Skipped) > 0 {
		s.notices.Lack(fault.New(fault.StateIncomplete, "not all was restored. Missing: %s", restore.SkippedText(r.Skipped)))
		s.mu.Lock()
		s.stateRestore.Skipped = append(s.stateRestore.Skipped, r.Skipped...)
		s.mu.Unlock()
	}
	return nil
}

// restoreReport describes the outcome of --restore.
func (s *Session) restoreReport() actions.RestoreReport {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stateRestore.Report()
}

// Restoring describes the outcome of --restore.
func (s *callSession) Restoring() actions.RestoreReport { return s.restoreReport() }

func (r *stateRestore) stopLocked() {
	if r.timer != nil {
		r.timer.Stop()
	}
}

// endLocked ends the saving when the session closes. The outcome stays readable for the close command.
func (r *stateRestore) endLocked() {
	r.stopLocked()
	r.timer, r.pendingStorage, r.Pending = nil, nil, false
}

// checkRestored checks a restored state once the first page is open.
func (s *Session) checkRestored(ctx context.Context) {
	s.mu.Lock()
	r := &s.stateRestore
	var page *engine.Page
	if r.Pending && s.active != nil {
		page = s.active.Page
	}
	var c restore.Checks
	if r.Options != nil {
		c = r.Options.Checks
	}
	s.mu.Unlock()
	if page == nil || page.Err() != nil || page.IsUnloaded() || page.URL() == "" || page.URL() == ledger.BlankPage {
		return
	}
	wrong := c.Run(ctx, page)
	s.mu.Lock()
	r.Pending = false
	if wrong != "" {
		r.Status, r.Detail = restore.StatusInvalid, wrong
	}
	keeps := r.Saves()
	s.mu.Unlock()
	if wrong != "" {
		note := wrong
		if !keeps {
			note += "; the state is not saved when the session ends, see --restore-save"
		}
		s.addNotice(note)
	}
}
