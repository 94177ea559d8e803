package session

import (
	"context"
	"fmt"
	"time"

	"github.com/skua-browser/skua/actions/states"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/session/ledger"
	"github.com/skua-browser/skua/session/restore"
)

// restoring is what became of a session's wish. Guarded by the session's mu.
type restoring struct {
	wish    *restore.Wish
	loaded  string // path
	saved   string // path
	status  string
	detail  string
	save    string
	pending bool // a check is to be done when a page is there
	skipped []storage.Skipped
	begun   time.Time // the last save, or the start
	timer   *time.Timer
	rest    *storage.State // sessionStorage that waits for the first tab
	noted   string         // why a richer state was kept, when that was said
}

// begin puts what the wish's files hold into a browser that has just come. Tabs that come get sessionStorage from putSessions.
func (s *Session) begin(ctx context.Context, l *lease, b *restore.Beginning) error {
	r, err := storage.Restore(ctx, l.context, &b.Storage, nil)
	if err != nil {
		return fmt.Errorf("putting back the saved state: %w", err)
	}
	s.tellRestored(l.launch.Wish, b, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restoring.stopLocked()
	s.restoring = restoring{
		wish: l.launch.Wish, loaded: b.Path, status: b.Status, detail: b.Detail, save: restore.SaveNotYet, skipped: append(b.Skipped, r.Skipped...),
		pending: b.Status == restore.StatusLoaded && !l.launch.Wish.Checks.None(), begun: time.Now(), rest: &b.Storage,
	}
	return nil
}

// tellRestored says what did not come back, and what did.
func (s *Session) tellRestored(w *restore.Wish, b *restore.Beginning, r *storage.Restored) {
	for _, note := range b.Notes {
		s.tell(note)
	}
	if len(b.Storage.Cookies)+len(b.Storage.Origins) > 0 {
		s.tell("restored: " + states.RestoredText(r) + " from " + w.From(b))
	}
	if skipped := append(b.Skipped, r.Skipped...); len(skipped) > 0 {
		s.tell("not restored: " + restore.SkippedText(skipped))
	}
}

// putSessions puts the restored sessionStorage into the first tab, and closes that when it fails.
func (s *Session) putSessions(ctx context.Context, l *lease, tab *engine.Page) error {
	s.mu.Lock()
	rest := s.restoring.rest
	s.restoring.rest = nil
	s.mu.Unlock()
	if rest == nil {
		return nil
	}
	r, err := storage.RestoreSessions(ctx, l.context, rest, tab)
	if err != nil {
		s.mu.Lock()
		if s.holds == l { // the next tab of this browser gets it
			s.restoring.rest = rest
		}
		s.mu.Unlock()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeContextLimit) // a browser that hangs closes nothing
		defer cancel()
		_ = tab.Close(limited)
		return fmt.Errorf("putting back the saved state: %w", err)
	}
	if len(r.Skipped) > 0 {
		s.tell("not restored: " + restore.SkippedText(r.Skipped))
		s.mu.Lock()
		s.restoring.skipped = append(s.restoring.skipped, r.Skipped...)
		s.mu.Unlock()
	}
	return nil
}

// restoreReport tells what became of the wish.
func (s *Session) restoreReport() actions.RestoreReport {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.restoring.reportLocked()
}

func (r *restoring) reportLocked() actions.RestoreReport {
	report := actions.RestoreReport{Restore: restore.StatusNone, Save: restore.SaveNotYet}
	if r.wish == nil || r.wish.Key == "" {
		return report
	}
	report = actions.RestoreReport{
		Key: r.wish.Key, Restore: r.status, Detail: r.detail, Save: r.save, Loaded: r.loaded, Saved: r.saved, Pending: r.pending,
		Policy: r.wish.Policy, CheckURL: r.wish.Checks.URL, CheckText: r.wish.Checks.Text, CheckFn: r.wish.Checks.Fn, Skipped: []string{},
	}
	for _, k := range r.skipped {
		report.Skipped = append(report.Skipped, k.String())
	}
	return report
}

// Restoring tells what became of --restore.
func (s *inCall) Restoring() actions.RestoreReport { return s.restoreReport() }

func (r *restoring) stopLocked() {
	if r.timer != nil {
		r.timer.Stop()
	}
}

// endLocked forgets what a session that is closed wished for, and keeps what became of it, for whoever closed it.
func (r *restoring) endLocked() {
	r.stopLocked()
	r.timer, r.rest, r.pending = nil, nil, false
}

// checkRestored does the checks of a restored state when a page is there for the first time.
func (s *Session) checkRestored(ctx context.Context) {
	s.mu.Lock()
	r := &s.restoring
	var page *engine.Page
	if r.pending && s.active != nil {
		page = s.active.Page
	}
	var c restore.Checks
	if r.wish != nil {
		c = r.wish.Checks
	}
	s.mu.Unlock()
	if page == nil || page.Err() != nil || page.IsUnloaded() || page.URL() == "" || page.URL() == ledger.BlankPage {
		return
	}
	wrong := c.Run(ctx, page)
	s.mu.Lock()
	r.pending = false
	if wrong != "" {
		r.status, r.detail = restore.StatusInvalid, wrong
	}
	keeps := r.savesLocked()
	s.mu.Unlock()
	if wrong != "" {
		note := wrong
		if !keeps {
			note += "; the state is not kept when the session ends, see --restore-save"
		}
		s.tell(note)
	}
}
