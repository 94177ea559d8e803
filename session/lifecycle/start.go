package lifecycle

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/lease"
	"github.com/skua-browser/skua/session/restore"
)

// Tab returns the active tab. It starts a browser if there is none.
func (u *Use) Tab(ctx context.Context) (*actions.Tab, error) {
	began := time.Now()
	tab, err := u.tab(cdp.Untracked(ctx))
	if u.OnTab != nil {
		u.OnTab(time.Since(began))
	}
	return tab, err
}

func (u *Use) tab(ctx context.Context) (tab *actions.Tab, err error) {
	u.starting.Lock()
	defer u.starting.Unlock()
	for try := 1; ; try++ {
		tab, err = u.tabLocked(ctx)
		if err == nil || try == maxRecoveries || !u.unusable() {
			return tab, err
		}
	}
}

// tabLocked is tab for a caller that holds starting.
func (u *Use) tabLocked(ctx context.Context) (*actions.Tab, error) {
	started, err := u.ensureLocked(ctx)
	if err != nil {
		return nil, err
	}
	lease, active := u.current()
	if active != nil {
		return u.ensureUsableLocked(ctx, active, u.Recovery)
	}
	page, err := u.openPage(ctx, lease, lease.Context.NewPage) // a connected browser may already show a tab
	if err == nil {
		err = u.saved.loadSessions(ctx, lease, page)
	}
	if err != nil {
		if started && !u.unusable() { // the caller abandons a browser that opens no pages
			u.release(context.WithoutCancel(ctx))
		}
		return nil, err
	}
	return u.addTab(page, "", true), nil
}

// ensureLocked makes sure that the session has a working browser, with the tabs of one that ended. The caller holds
// starting.
func (u *Use) ensureLocked(ctx context.Context) (started bool, err error) {
	if err := u.reconnectLocked(ctx); err != nil {
		return false, err
	}
	u.Lost = u.reap(ctx) || u.Lost
	u.mu.Lock()
	running, lostTab, ended := u.lease != nil, u.tabs.lost, u.ended
	u.mu.Unlock()
	if running {
		return false, lostTab
	}
	again, err := u.relaunch()
	switch {
	case ended != nil && (u.Launch.Connect == nil || u.Launch.Connect.Provider == ""):
		return false, ended
	case err != nil:
		return false, err
	}
	fresh, shown, err := u.start(ctx, again.options)
	if err != nil {
		return false, err
	}
	u.Notices.Add(again.note)
	applied, lost := u.lost().resume(ctx, fresh, again.how, u.Log.With("session", u.Session))
	u.adopt(ctx, fresh, shown)
	u.restoreTabs(fresh, again.how, applied, lost)
	u.Started = true
	return true, nil
}

// reap removes what ended since the last command: a browser, which it reports, and tabs that their page closed.
func (b *Browser) reap(ctx context.Context) (lost bool) {
	lease := b.Lease()
	switch {
	case lease == nil:
		return false
	case lease.Launch.UserBrowser() && lease.Browser.Err() != nil:
		return false // a reconnect handles it
	case lease.Browser.Err() == nil && !b.unusable():
		b.Tabs()
		return false
	}
	b.Metrics.Lost()
	had := b.lossOf(lease)
	b.release(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := lease.Launch.EndedError(b.Session); err != nil {
		b.ended = err
	} else {
		b.loss = had
	}
	return true
}

// start starts a browser with the saved state of the launch, which is loaded before the browser shows a page. It
// becomes the session's with adopt. The caller holds starting.
func (u *Use) start(ctx context.Context, l launch.Options) (*lease.Lease, []*engine.Page, error) {
	if l.Restore == nil {
		u.saved.reset()
		return u.Start(ctx, l)
	}
	state, err := l.Restore.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	fresh, pages, err := u.Start(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	if err := u.saved.load(ctx, fresh, state); err != nil {
		fresh.Release(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	return fresh, pages, nil
}

// relaunching is how a call starts a browser, after another one has ended or as the first.
type relaunching struct {
	options launch.Options
	how     Recovery
	note    string // what was decided about the options, or empty
}

// relaunch returns the options with which the call starts a browser: those of the browser that ended, if there was one,
// so that the call's own are ignored. A call that opens a URL with other options gets them, but not the earlier tabs.
func (u *Use) relaunch() (relaunching, error) {
	err := u.ReadRest()
	l, how, lost := u.Launch, u.Recovery, u.lost()
	if err != nil || lost == nil || l.Connect != nil {
		return relaunching{l, how, ""}, err
	}
	var again launch.Options
	switch {
	case lost.launch != nil:
		again = *lost.launch
	case lost.saved != nil:
		if again, err = lost.saved.Options(l, u.Session); err != nil {
			return relaunching{l, how, ""}, err
		}
	default:
		return relaunching{l, how, ""}, nil
	}
	// the rules of the current call apply
	again.Gates, again.Ceilings, again.Network, again.Above = l.Gates, l.Ceilings, l.Network, l.Above
	differ := l.ChangedFrom(again)
	switch {
	case len(differ) == 0:
		return relaunching{again, how, ""}, nil
	case how.OpensURL:
		how.Blank = true
		return relaunching{l, how, "the browser was restarted for " + strings.Join(differ, ", ")}, nil
	}
	note, err := l.Unapplied(differ)
	if note != "" {
		note = "the session's browser keeps the options of the one that ended; " + note
	}
	return relaunching{again, how, note}, err
}

// swap replaces the session's browser by another one once that runs and the state of the old one is saved, so that a
// failure loses nothing. It returns the URLs that were open.
func (u *Use) swap(ctx context.Context, l launch.Options) (before []string, err error) {
	u.starting.Lock()
	defer u.starting.Unlock()
	if unsaved := u.saved.saveLast(ctx, u.current); unsaved != nil && unsaved.Code != fault.StateIncomplete &&
		u.Running() {
		// a part that is missing is noted
		return nil, restore.ReplaceRefused(unsaved)
	}
	fresh, pages, err := u.start(ctx, l)
	if err != nil {
		return nil, err
	}
	before = u.URLs()
	u.release(context.WithoutCancel(ctx))
	u.adopt(ctx, fresh, pages)
	u.Started = true
	return before, nil
}

// Replace starts a browser with the options of the call, which differ, in place of the session's, and reports what is
// lost.
func (u *Use) Replace(ctx context.Context, differ []string) error {
	lease := u.Lease()
	ours := lease != nil && lease.Launch.Connect == nil
	if err := u.ReadRest(); err != nil {
		return err
	}
	before, err := u.swap(ctx, u.Launch)
	if err != nil {
		return err
	}
	u.Lost = true
	note := "the browser was restarted for " + strings.Join(differ, ", ")
	if u.Launch.Connect != nil {
		note = "the session has another browser now, for " + strings.Join(differ, ", ")
	}
	switch {
	case len(before) == 0:
	case ours:
		note += "; closed: " + strings.Join(before, ", ")
	default:
		note += "; left: " + strings.Join(before, ", ")
	}
	u.Notices.Add(note)
	return nil
}

// Recover restores the session's browser and tabs after a crash. It loads no page.
func (u *Use) Recover(ctx context.Context) error {
	if !(u.lost() != nil && u.Lease() == nil) && !u.unusable() {
		return nil
	}
	u.starting.Lock()
	defer u.starting.Unlock()
	_, err := u.ensureLocked(ctx)
	return err
}

// RecoverFrom is Recover if the error of a command says that the browser, which still runs, cannot show pages. It
// reports whether another browser is there now.
func (u *Use) RecoverFrom(ctx context.Context, err error) (recovered bool, _ error) {
	if !u.abandonFor(err) {
		return false, nil
	}
	return true, u.Recover(ctx)
}

// withRetry runs a step, and again in another browser if the session's browser has ended or is unhealthy.
func (u *Use) withRetry(ctx context.Context, step func() error) error {
	for try := 1; ; try++ {
		err := step()
		if err == nil || try == maxRecoveries || !u.unusable() {
			return err
		}
		if err := u.Recover(ctx); err != nil {
			return err
		}
	}
}
