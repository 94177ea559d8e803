package lifecycle

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/session/ledger"
)

// debounceInterval is how long a session must be idle before its checkpoint is taken.
const debounceInterval = 700 * time.Millisecond

// checkpointLimit bounds a checkpoint: a hung page is skipped.
const checkpointLimit = 2 * time.Second

// checkpoint is what a session restores after a crash, besides its tabs. Guarded by the browser's mu.
type checkpoint struct {
	timer   *time.Timer
	cookies []storage.NewCookie
}

func (c *checkpoint) forget() {
	if c.timer != nil {
		c.timer.Stop()
	}
	*c = checkpoint{}
}

// KeepLater is called behind each command. It remembers what is open, and schedules a save of the state and a
// checkpoint for when the session is idle, so that neither delays a command.
func (b *Browser) KeepLater() {
	b.Remember()
	b.mu.Lock()
	b.reloaded = false
	lease := b.lease
	if lease != nil && lease.Launch.Connect == nil && !b.Brief {
		if b.checkpoint.timer == nil {
			b.checkpoint.timer = time.AfterFunc(debounceInterval, b.TakeCheckpoint)
		} else {
			b.checkpoint.timer.Reset(debounceInterval)
		}
	}
	b.mu.Unlock()
	if lease != nil && !b.Brief {
		b.saved.later(b.autosave)
	}
}

// autosave saves the state while commands run. It ends with the session.
func (b *Browser) autosave() {
	ctx, cancel := context.WithTimeout(context.Background(), autosaveLimit)
	defer cancel()
	ctx, stop := b.Lifetime.Within(ctx)
	defer stop()
	b.saved.save(ctx, b.current)
}

// TakeCheckpoint reads the cookies and the scroll position of the active tab. It ends with the session or after
// checkpointLimit.
func (b *Browser) TakeCheckpoint() {
	if b.Busy() { // the running command schedules the next checkpoint
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkpointLimit)
	defer cancel()
	ctx, stop := b.Lifetime.Within(ctx)
	defer stop()
	lease, tab := b.current()
	if lease == nil || lease.Browser.Err() != nil {
		return
	}
	if !b.Browsers.Shared() { // a persistent profile keeps its own cookies
		if cookies, err := storage.Cookies(ctx, lease.Context); err == nil {
			kept := make([]storage.NewCookie, 0, len(cookies))
			for _, c := range cookies {
				kept = append(kept, c.Again())
			}
			b.mu.Lock()
			if b.lease == lease {
				b.checkpoint.cookies = kept
			}
			b.mu.Unlock()
		}
	}
	if tab == nil || tab.Page.Err() != nil || !tab.Page.Attached() || tab.Page.Dialogs().Open() != nil {
		return
	}
	url := tab.Page.URL()
	offset, err := ledger.ScrollOffset(ctx, tab.Page)
	if err != nil || tab.Page.URL() != url {
		return
	}
	b.mu.Lock()
	current := b.lease == lease
	if current {
		b.tabs.scrolled(ledger.Tab{ID: tab.ID, URL: url, Scroll: offset})
		b.crashes.forget(url) // it survived the last command
	}
	b.mu.Unlock()
	if current {
		b.Remember()
	}
}

// Remember saves what is open in the ledger.
func (b *Browser) Remember() {
	waits := b.Waits()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lease == nil {
		b.Ledger.SetRules(b.Session, b.Rules.Save())
		return
	}
	b.Ledger.Set(b.Session, b.openLocked(waits)) // under the lock, so that a session that closes now is not saved
}

// openLocked returns what a session with a browser has open. waits is the person that it waits for, or nil.
func (b *Browser) openLocked(waits *ledger.Handoff) *ledger.Session {
	open := &ledger.Session{Tabs: b.tabs.records(), LastTab: b.tabs.last, Rules: b.Rules.Save(), Handoff: waits}
	if b.tabs.active != nil {
		open.Active = b.tabs.active.ID
	}
	switch app := b.lease.Launch.App; {
	case app != nil:
		open.App = &ledger.App{LaunchID: app.LaunchID, Name: app.AppName}
	case b.lease.Launch.UserBrowser():
		open.External = endpoint.ShownAddress(b.lease.Endpoint)
	default:
		open.Launch = b.options
	}
	return open
}

// Leave returns what the session has open for a host that takes it over, with the cookies of the last checkpoint; nil:
// nothing. kept says that the ledger has what the session lost with an earlier browser.
func (b *Browser) Leave() (open *ledger.Session, kept bool) {
	waits := b.Waits()
	b.mu.Lock()
	defer b.mu.Unlock()
	switch rules := b.Rules.Save(); {
	case b.lease != nil:
		open = b.openLocked(waits)
		open.Cookies = b.checkpoint.cookies
	case b.loss != nil:
		return nil, true
	case rules != nil:
		open = &ledger.Session{RulesOnly: true, Rules: rules}
	}
	return open, false
}
