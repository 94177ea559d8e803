package lifecycle

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/counters"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/lease"
	"github.com/skua-browser/skua/session/ledger"
	"github.com/skua-browser/skua/session/restore"
	"github.com/skua-browser/skua/snapshot"
)

// Options are what a session's browser works with. They never change.
type Options struct {
	lease.Starter
	Ledger  *ledger.Ledger
	Metrics *counters.Counters
	States  *actions.States
	Brief   bool // the session ends with its first command, so that nothing is saved in between

	Busy    func() bool                    // reports whether a command runs
	Changed func()                         // notifies of tabs, addresses or the browser
	Waits   func() (waits *ledger.Handoff) // the person that the session waits for, or nil
}

// Browser is the browser of a session, with its tabs.
type Browser struct {
	Options
	Lifetime Lifetime
	Settings
	saved keeper

	starting sync.Mutex // held while a browser starts or ends, so that a session never has two

	mu      sync.Mutex
	lease   *lease.Lease // nil means that there is no browser
	options *launch.SavedOptions
	created time.Time // when the browser was started
	tabs    tabs
	// set when the session's launched app or rented browser ended: no other browser replaces it unasked
	ended      *fault.Error
	loss       *loss // what the session had in a browser that ended, until it is restored, or nil
	crashes    crashes
	reloaded   bool // the running command reloaded a crashed page
	checkpoint checkpoint
}

// New returns a session's browser, which does not run yet.
func New(o Options) *Browser {
	return &Browser{Options: o, tabs: newTabs(), saved: keeper{session: o.Session, notices: o.Notices, log: o.Log}}
}

// Lease returns the session's use of a browser, which may have ended, or nil.
func (b *Browser) Lease() *lease.Lease {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lease
}

func (b *Browser) current() (*lease.Lease, *actions.Tab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lease, b.tabs.active
}

// Running reports whether the session has a working browser.
func (b *Browser) Running() bool {
	l := b.Lease()
	return l != nil && l.Browser.Err() == nil
}

// View is what a session has open at one moment.
type View struct {
	Lease   *lease.Lease // nil means no browser
	Tabs    []*actions.Tab
	Active  *actions.Tab
	Created time.Time // when the browser was started
}

// View returns what the session has open. Tabs that closed may be among it.
func (b *Browser) View() View {
	b.mu.Lock()
	defer b.mu.Unlock()
	return View{
		Lease:   b.lease,
		Tabs:    append([]*actions.Tab(nil), b.tabs.list...),
		Active:  b.tabs.active,
		Created: b.created,
	}
}

// Tabs returns the open tabs and the active one.
func (b *Browser) Tabs() ([]*actions.Tab, *actions.Tab) {
	b.mu.Lock()
	note := b.tabs.reap(b.lease.InApp())
	tabs, active := append([]*actions.Tab(nil), b.tabs.list...), b.tabs.active
	b.mu.Unlock()
	b.Notices.Add(note)
	return tabs, active
}

// ActiveTab returns the active tab, or nil. It may have closed.
func (b *Browser) ActiveTab() *actions.Tab {
	_, active := b.current()
	return active
}

// TabOr returns the tab with an id, a label or a target id; without a name, the active one. It is nil if there is none.
func (b *Browser) TabOr(name string) *actions.Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	if name == "" {
		return b.tabs.active
	}
	return Named(b.tabs.list, name)
}

// Refs returns the table of the session's refs.
func (b *Browser) Refs() *snapshot.Refs {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tabs.refs
}

// URLs returns the addresses of the tabs, that of the active one first.
func (b *Browser) URLs() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tabs.urls()
}

// Pin binds the session to its active tab, or ends that. When a pinned tab closes, commands fail until the caller picks
// another one.
func (b *Browser) Pin(on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tabs.pinned = on; !on {
		b.tabs.lost = nil
	}
}

// adopt makes a leased browser the session's. The active tab is the last used page that responds.
func (b *Browser) adopt(ctx context.Context, l *lease.Lease, pages []*engine.Page) {
	l.Context.Popups().Handle(b.addPopup)
	l.Context.OnChange(b.Changed)
	b.Rules.Started(&l.Launch)
	b.Settings.apply(l.Context)
	b.mu.Lock()
	b.lease, b.options, b.ended, b.created = l, l.Launch.Save(), nil, time.Now()
	b.mu.Unlock()
	for _, p := range pages {
		b.addTab(p, "", l.Launch.Target == p.ID() && p.ID() != "")
	}
	if b.ActiveTab() == nil {
		b.findResponsiveTab(ctx, l, pages)
	}
	b.Changed()
}

// addTab adds a tab with a new id for a page. A page that has a tab keeps it.
func (b *Browser) addTab(p *engine.Page, label string, activate bool) *actions.Tab {
	b.mu.Lock()
	tab := b.tabs.add(p, label, activate)
	b.mu.Unlock()
	b.Changed()
	return tab
}

// addPopup adds a tab that opened by itself. In an app that had no window, it becomes the active one: the session could
// open none itself.
func (b *Browser) addPopup(p *engine.Page) {
	b.mu.Lock()
	note := b.tabs.reap(b.lease.InApp())
	b.tabs.add(p, "", b.lease.InApp() && b.tabs.active == nil && !b.tabs.pinned)
	b.mu.Unlock()
	b.Notices.Add(note)
	b.Changed()
}

// App returns the launched app that the session works in, and how many windows of it are open, or nil.
func (b *Browser) App() (app *electron.Record, windows int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.lease.InApp() {
		return nil, 0
	}
	return b.lease.Launch.App, len(b.tabs.list)
}

// SetApp records that the browser at an address is a launched app.
func (b *Browser) SetApp(endpoint string, app *electron.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lease != nil && b.lease.Endpoint == endpoint {
		b.lease.Launch.App = app
	}
}

// Ended returns the error of a session whose launched app or rented browser has ended; nil means that none has.
func (b *Browser) Ended() *fault.Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ended
}

// release gives the browser back. Tab ids and ref numbers are not used again.
func (b *Browser) release(ctx context.Context) {
	b.mu.Lock()
	lease := b.lease
	b.lease, b.ended = nil, nil
	b.tabs.drop()
	b.mu.Unlock()
	b.Settings.apply(nil)
	b.Changed()
	if lease != nil {
		lease.Release(ctx)
	}
}

// Close ends the session's browser and forgets what the session was told and has to tell. It fails if the session's
// state or downloads are lost with it; the session is closed all the same.
func (b *Browser) Close(ctx context.Context) error {
	b.starting.Lock()
	defer b.starting.Unlock()
	unsaved, lost := b.saved.saveLast(ctx, b.current), b.lostDownloads()
	b.release(ctx)
	b.saved.end()
	b.Settings.forget()
	b.mu.Lock()
	b.tabs = newTabs()
	b.loss, b.crashes = nil, crashes{}
	b.checkpoint.forget()
	b.mu.Unlock()
	b.Notices.Clear()
	b.Refused.Clear()
	b.Rules.Forget()
	b.Ledger.Set(b.Session, nil)
	return restore.ClosedWithout(unsaved, lost)
}

// Empty reports whether nothing is lost that is not in the ledger when the session is forgotten: it has no browser,
// none to restore, and no setting that outlives a browser. It is false while a browser starts or ends.
func (b *Browser) Empty() bool {
	if !b.starting.TryLock() {
		return false
	}
	defer b.starting.Unlock()
	explicit, asked := b.Settings.treatsDialogs()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lease == nil && b.loss == nil && b.ended == nil && b.tabs.lost == nil && !explicit && !asked && !b.tabs.pinned
}

// InUse reports whether something would be lost with the host. What the ledger restores does not count.
func (b *Browser) InUse() bool {
	explicit, _ := b.Settings.treatsDialogs()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lease != nil || b.ended != nil || b.tabs.lost != nil || explicit
}
