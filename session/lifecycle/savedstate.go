package lifecycle

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/states"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/lease"
	"github.com/skua-browser/skua/session/ledger"
	"github.com/skua-browser/skua/session/notices"
	"github.com/skua-browser/skua/session/restore"
	"github.com/skua-browser/skua/session/state"
)

const (
	autosaveLimit = 15 * time.Second
	lastSaveLimit = 4 * time.Second // of a session that closes: a hung page must not delay it
)

// savedKinds are the kinds of storage that are saved. Caches of service workers are left out: they are large and can be
// fetched again.
var savedKinds = storage.Kinds{
	Cookies:   true,
	Local:     true,
	Session:   true,
	Databases: true,
	Workers:   true,
}

// keeper loads and saves the state of a session's browser, as its restore options say.
type keeper struct {
	session string
	notices *notices.Queue
	log     *slog.Logger

	saving sync.Mutex // held while the state is saved

	mu       sync.Mutex
	outcome  restore.Outcome
	lastSave time.Time // the time of the last save, or the start
	timer    *time.Timer
	pending  *storage.State // sessionStorage for the first tab
}

// reset is for a browser without restore options.
func (k *keeper) reset() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stopLocked()
	k.outcome, k.lastSave, k.pending = restore.Outcome{}, time.Time{}, nil
}

func (k *keeper) stopLocked() {
	if k.timer != nil {
		k.timer.Stop()
	}
	k.timer = nil
}

// load loads a saved state into a new browser. Tabs get their sessionStorage from loadSessions.
func (k *keeper) load(ctx context.Context, l *lease.Lease, b *restore.InitialState) error {
	r, err := storage.Restore(ctx, l.Context, &b.Storage, nil)
	if err != nil {
		return fmt.Errorf("restoring the saved state: %w", err)
	}
	if err := states.GivePasskeys(ctx, l.Context, nil, b.Passkeys); err != nil {
		return fmt.Errorf("restoring the saved state: %w", err)
	}
	o := l.Launch.Restore
	k.noteLoaded(o, b, r)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stopLocked()
	k.outcome = restore.Outcome{
		Options: o,
		Loaded:  b.Path,
		Status:  b.Status,
		Detail:  b.Detail,
		Save:    restore.SaveNotYet,
		Skipped: append(b.Skipped,
			r.Skipped...),
		Pending: b.Status == restore.StatusLoaded && !o.Checks.None(),
	}
	k.lastSave, k.pending = time.Now(), &b.Storage
	return nil
}

// noteLoaded reports what was restored and what was not.
func (k *keeper) noteLoaded(w *restore.Options, b *restore.InitialState, r *storage.Restored) {
	for _, note := range b.Notes {
		k.notices.Add(note)
	}
	if len(b.Storage.Cookies)+len(b.Storage.Origins)+len(b.Passkeys) > 0 {
		k.notices.Add("restored: " + states.RestoredText(r, len(b.Passkeys)) + " from " + w.From(b))
	}
	if skipped := append(b.Skipped, r.Skipped...); len(skipped) > 0 {
		k.notices.Lack(fault.New(fault.StateIncomplete, "not all was restored. Missing: %s", restore.SkippedText(skipped)))
	}
	for _, err := range b.Unread {
		k.notices.Lack(fault.New(fault.CodeOf(err), "not all was restored: %w", err))
	}
}

// loadSessions restores sessionStorage in the first tab, and closes the tab if that fails. The caller sees to it that
// the browser stays.
func (k *keeper) loadSessions(ctx context.Context, l *lease.Lease, tab *engine.Page) error {
	k.mu.Lock()
	rest := k.pending
	k.pending = nil
	k.mu.Unlock()
	if rest == nil {
		return nil
	}
	r, err := storage.RestoreSessions(ctx, l.Context, rest, tab)
	if err != nil {
		k.mu.Lock()
		k.pending = rest // for the next tab of this browser
		k.mu.Unlock()
		// a hung browser closes nothing
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), lease.CloseContextLimit)
		defer cancel()
		_ = tab.Close(limited)
		return fmt.Errorf("restoring the saved state: %w", err)
	}
	if len(r.Skipped) > 0 {
		k.notices.Lack(fault.New(fault.StateIncomplete, "not all was restored. Missing: %s", restore.SkippedText(r.Skipped)))
		k.mu.Lock()
		k.outcome.Skipped = append(k.outcome.Skipped, r.Skipped...)
		k.mu.Unlock()
	}
	return nil
}

// check checks a restored state once the first page is open.
func (k *keeper) check(ctx context.Context, active *actions.Tab) {
	k.mu.Lock()
	pending := k.outcome.Pending
	var c restore.Checks
	if k.outcome.Options != nil {
		c = k.outcome.Options.Checks
	}
	k.mu.Unlock()
	if !pending || active == nil {
		return
	}
	page := active.Page
	if page.Err() != nil || page.IsUnloaded() || page.URL() == "" || page.URL() == ledger.BlankPage {
		return
	}
	wrong := c.Run(ctx, page)
	k.mu.Lock()
	k.outcome.Pending = false
	if wrong != "" {
		k.outcome.Status, k.outcome.Detail = restore.StatusInvalid, wrong
	}
	keeps := k.outcome.Saves()
	k.mu.Unlock()
	if wrong == "" {
		return
	}
	if !keeps {
		wrong += "; the state is not saved when the session ends, see --restore-save"
	}
	k.notices.Add(wrong)
}

// later schedules a save, at most once per interval.
func (k *keeper) later(save func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.outcome.Saves() || k.outcome.Options.Interval <= 0 || k.timer != nil {
		return
	}
	k.timer = time.AfterFunc(max(0, time.Until(k.lastSave.Add(k.outcome.Options.Interval))), func() {
		k.mu.Lock()
		k.timer = nil
		k.mu.Unlock()
		save()
	})
}

// save saves the state under its key and records the result. Only one save runs at a time.
func (k *keeper) save(ctx context.Context, current func() (*lease.Lease, *actions.Tab)) {
	k.saving.Lock()
	defer k.saving.Unlock()
	l, active := current()
	k.mu.Lock()
	wish, saves, pending := k.outcome.Options, k.outcome.Saves(), k.outcome.Pending
	before := cmp.Or(k.outcome.Saved, k.outcome.Loaded)
	k.mu.Unlock()
	if l == nil || !saves || pending && wish.Policy != actions.SaveAlways || l.Browser.Err() != nil {
		return
	}
	o := storage.CaptureOptions{Kinds: savedKinds}
	if active != nil {
		o.Active = active.Page
	}
	captured, err := storage.Capture(ctx, l.Context, o)
	if err == nil {
		saved := state.FromStorage(captured, time.Now())
		saved.SetPasskeys(webauthn.List(l.Context))
		saved.SetKey(wish.Key)
		if _, err = wish.Store.WriteAfter(ctx, cmp.Or(before, wish.File), wish.File, saved); err == nil {
			err = restore.Incomplete(captured.Skipped)
		}
	}
	k.noteSave(wish, err)
}

// noteSave records the outcome of a save, and notifies of a failure once.
func (k *keeper) noteSave(wish *restore.Options, err error) {
	k.mu.Lock()
	if k.outcome.Options != wish {
		k.mu.Unlock()
		return
	}
	k.lastSave = time.Now()
	note := k.outcome.Saving(err)
	k.mu.Unlock()
	if note != "" {
		k.notices.Add(note)
		k.log.Info("state not saved", "session", k.session, "why", fault.CodeOf(err))
	}
}

// saveLast saves the state of a session before its browser goes. It fails if the browser ended, and also for a state
// with less content than the saved one if --restore-save is always. Otherwise such a state is left out, as
// [actions.SaveAuto] says.
func (k *keeper) saveLast(ctx context.Context, current func() (*lease.Lease, *actions.Tab)) *fault.Error {
	l, _ := current()
	k.mu.Lock()
	k.stopLocked()
	if !k.outcome.Configured() || l == nil {
		k.mu.Unlock()
		return nil
	}
	k.outcome.SavesLast(l.Browser.Err())
	k.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lastSaveLimit)
	defer cancel()
	k.save(ctx, current)
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.outcome.NotSaved()
}

// end ends the saving when the session closes. The outcome stays readable for the close command.
func (k *keeper) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stopLocked()
	k.pending, k.outcome.Pending = nil, false
}

// report describes the outcome of --restore.
func (k *keeper) report() actions.RestoreReport {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.outcome.Report()
}
