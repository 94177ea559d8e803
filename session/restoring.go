package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/state"
)

// What restoring and saving came to, in agent-browser's words.
const (
	restoreNone    = "not_configured"
	restoreMissing = "missing"
	restoreLoaded  = "loaded"
	restoreInvalid = "loaded_but_invalid"
	restoreExpired = "expired" // of ours: it was there, and too old to be used

	saveNone     = "not_configured"
	saveNotYet   = "not_attempted"
	saveDone     = "saved"
	saveSkipped  = "skipped_restore_failed"
	saveDisabled = "disabled"
	saveRicher   = "kept_richer" // of ours: what is on the disk holds more
	saveFailed   = "failed"
)

// wish is what a call says of saved states: with what its browser begins, and what is kept of it.
type wish struct {
	store    *state.Store
	path     string // --state: a file
	key      string // --restore; empty: none
	file     string // of the key
	policy   string
	checks   checks
	maxAge   time.Duration
	interval time.Duration // between saves that nobody asks for; 0: none
}

// readWish reads what a call says of saved states; nil: nothing.
func (m *Manager) readWish(in *actions.Input, session string, getenv func(string) string, path func(string) string) (*wish, error) {
	given := in.String("state")
	restores := in.Has("restore") || in.Has("session-name")
	if given == "" && !restores {
		return nil, nil
	}
	namespace := m.namespace
	if namespace == "" {
		namespace = in.String("namespace") // of a command that runs without a host
	}
	store, err := state.Open(getenv, namespace, in.StatePlace())
	if err != nil {
		return nil, err
	}
	w := &wish{store: store, maxAge: state.MaxAge(getenv), policy: in.String("restore-save"), interval: in.AutosaveInterval(getenv)}
	if given != "" {
		w.path = store.Find(given, path)
	}
	if restores {
		w.key = in.String("restore")
		if w.key == "" {
			w.key = in.String("session-name")
		}
		if w.key == "" {
			w.key = session
		}
		if err := checkName(w.key, in.Source("restore")); err != nil {
			return nil, err
		}
		w.file = store.Restore(w.key, session)
		w.checks = checks{url: in.String("restore-check-url"), text: in.String("restore-check-text"), fn: in.String("restore-check-fn")}
	}
	return w, nil
}

// beginning is what a browser begins with: what the wish's files hold.
type beginning struct {
	storage engine.StorageState
	status  string
	detail  string
	path    string   // of what was loaded for the key
	notes   []string // for the reply
	skipped []engine.SkippedStorage
}

// read reads what a browser begins with. A file that was named has to be there; under a key there may be nothing yet.
func (w *wish) read() (*beginning, error) {
	b := &beginning{status: restoreNone}
	if w.path != "" {
		if err := w.add(b, w.path); err != nil {
			return nil, err
		}
	}
	if w.key == "" {
		return b, nil
	}
	b.status = restoreLoaded
	path := w.store.Find(state.NameOf(w.file), func(string) string { return w.file })
	switch err := w.add(b, path); {
	case err == nil:
		b.path = path
	case fault.Is(err, fault.File) && !w.store.Has(path):
		b.status = restoreMissing
		b.notes = append(b.notes, "nothing is kept under "+w.key+" yet")
	case fault.Is(err, fault.StateExpired):
		b.status, b.detail = restoreExpired, err.Error()
		b.notes = append(b.notes, "not restored: "+err.Error())
	default:
		return nil, err
	}
	return b, nil
}

func (w *wish) add(b *beginning, path string) error {
	st, info, err := w.store.Read(path)
	if err != nil {
		return err
	}
	if err := w.store.Usable(st, info, w.maxAge, time.Now()); err != nil {
		return err
	}
	b.storage.Cookies = append(b.storage.Cookies, st.Cookies...)
	b.storage.Origins = append(b.storage.Origins, st.Origins...)
	b.skipped = append(b.skipped, st.Foreign...)
	if len(st.Dropped) > 0 {
		b.notes = append(b.notes, "not restored from "+path+", since their time is over: "+strings.Join(someOf(st.Dropped), ", "))
	}
	return nil
}

// restoring is what became of a session's wish. Guarded by the session's mu.
type restoring struct {
	wish    *wish
	loaded  string // path
	saved   string // path
	status  string
	detail  string
	save    string
	pending bool // a check is to be done when a page is there
	skipped []engine.SkippedStorage
	begun   time.Time // the last save, or the start
	timer   *time.Timer
	rest    *engine.StorageState // sessionStorage that waits for the first tab
	noted   string               // why a richer state was kept, when that was said
}

// begin puts what the wish's files hold into a browser that has just come. Tabs that come get sessionStorage from putSessions.
func (s *Session) begin(ctx context.Context, l *lease, b *beginning) error {
	r, err := l.context.RestoreStorage(ctx, &b.storage, nil)
	if err != nil {
		return fmt.Errorf("putting back the saved state: %w", err)
	}
	s.tellRestored(l.launch.wish, b, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restoring.stopLocked()
	s.restoring = restoring{
		wish: l.launch.wish, loaded: b.path, status: b.status, detail: b.detail, save: saveNotYet, skipped: append(b.skipped, r.Skipped...),
		pending: b.status == restoreLoaded && !l.launch.wish.checks.none(), begun: time.Now(), rest: &b.storage,
	}
	return nil
}

// tellRestored says what did not come back, and what did.
func (s *Session) tellRestored(w *wish, b *beginning, r *engine.Restored) {
	for _, note := range b.notes {
		s.tell(note)
	}
	if len(b.storage.Cookies)+len(b.storage.Origins) > 0 {
		s.tell("restored: " + actions.RestoredText(r) + " from " + w.from(b))
	}
	if skipped := append(b.skipped, r.Skipped...); len(skipped) > 0 {
		s.tell("not restored: " + skippedText(skipped))
	}
}

// from names the files that were read.
func (w *wish) from(b *beginning) string {
	var files []string
	for _, f := range []string{w.path, b.path} {
		if f != "" {
			files = append(files, f)
		}
	}
	return strings.Join(files, " and ")
}

func skippedText(skipped []engine.SkippedStorage) string {
	all := make([]string, len(skipped))
	for i, s := range skipped {
		all[i] = s.String()
	}
	return strings.Join(someOf(all), ", ")
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
	r, err := l.context.RestoreSessions(ctx, rest, tab)
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
		s.tell("not restored: " + skippedText(r.Skipped))
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
	report := actions.RestoreReport{Restore: restoreNone, Save: saveNotYet}
	if r.wish == nil || r.wish.key == "" {
		return report
	}
	report = actions.RestoreReport{
		Key: r.wish.key, Restore: r.status, Detail: r.detail, Save: r.save, Loaded: r.loaded, Saved: r.saved, Pending: r.pending,
		Policy: r.wish.policy, CheckURL: r.wish.checks.url, CheckText: r.wish.checks.text, CheckFn: r.wish.checks.fn, Skipped: []string{},
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
