package session

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/handoff"
	"github.com/skua-browser/skua/session/journal"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/ledger"
	"github.com/skua-browser/skua/session/notices"
	"github.com/skua-browser/skua/session/restore"
	"github.com/skua-browser/skua/session/rules"
	"github.com/skua-browser/skua/session/turn"
	"github.com/skua-browser/skua/snapshot"
)

// Session is a named browser state: tabs in a browser context, and the refs of their snapshots.
type Session struct {
	manager *Manager
	name    string
	queue   *turn.Queue

	callers atomic.Int32 // running commands, counted from when they asked for the session

	starting sync.Mutex // held while a browser starts or ends, so that a session never has two

	mu             sync.Mutex
	refs           *snapshot.Refs
	lease          *lease
	tabs           []*actions.Tab
	active         *actions.Tab
	lastTab        int
	gone           map[string]goneTab // by id
	pinned         bool               // --pin-tab was given
	lostTabErr     error              // of a pinned session whose tab is gone
	browserLostErr *fault.Error       // set when the session's launched app or rented browser ended: no other browser replaces it unasked
	notices        notices.Queue      // for the next reply

	configNotices []string // the notes about configuration files that were shown

	keepDialogsOpen bool // --no-auto-dialog was given
	dialogPolicy    *dialogs.Policy
	downloadDir     string // --download-path: the folder; empty: none
	loss            *loss  // what the session had in a browser that ended, until it is restored; nil: nothing
	crashes         crashes
	reloadedTab     bool // the running command reloaded a crashed page
	checkpoint      checkpoint

	stateRestore stateRestore
	saving       sync.Mutex // held while the state is saved

	stream    liveStream
	takeover  turn.Takeover
	handoffs  handoff.Desk
	lock      turn.Lock
	gateFlags map[string]string // the network rules of earlier calls, by flag

	ceilings []policy.NetworkRules // the network rules of environments and configuration files
	refused  policy.Log
	log      journal.Log
	ruling   *rules.Set
	unruled  *launch.External // the browser that the session had before it had rules; guarded by mu
	pending  pendingCommands
	states   actions.States

	owner       actions.Owner // the first caller
	othersNoted bool          // the note about other sessions was shown
	created     time.Time     // when its browser was started
	lastUsed    time.Time     // by a command
	recheck     time.Time     // when InUse is rechecked

	inspection  inspection
	lifetimeCtx context.Context
	endLifetime context.CancelCauseFunc
}

func newSession(m *Manager, name string) *Session {
	s := &Session{manager: m, name: name, refs: snapshot.NewRefs(), queue: turn.NewQueue(), ruling: rules.New(m.owner, m.registry, m.vocabulary), gone: map[string]goneTab{}}
	s.log.Limit(journalLimits())
	s.lifetimeCtx, s.endLifetime = context.WithCancelCause(context.Background())
	return s
}

// addNotice queues a notice for the session's next reply.
func (s *Session) addNotice(note string) {
	s.notices.Add(note)
}

// running reports whether the session has a working browser.
func (s *Session) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lease != nil && s.lease.browser.Err() == nil
}

// tab returns the active tab and starts a browser with l if there is no working one. started reports that it did, lost that the browser replaced one
// that had ended.
func (s *Session) tab(ctx context.Context, l launch.Options, how recovery) (tab *actions.Tab, started, lost bool, err error) {
	s.starting.Lock()
	defer s.starting.Unlock()
	for try := 1; ; try++ {
		tab, err = s.tabLocked(ctx, l, how, &started, &lost)
		if err == nil || try == maxRecoveries || !s.browserEnded() {
			return tab, started, lost, err
		}
	}
}

func (s *Session) tabLocked(ctx context.Context, l launch.Options, how recovery, started, lost *bool) (*actions.Tab, error) {
	if err := s.ensureBrowser(ctx, l, how, started, lost); err != nil {
		return nil, err
	}
	s.mu.Lock()
	lease, active := s.lease, s.active
	s.mu.Unlock()
	if active != nil {
		return s.ensureUsableLocked(ctx, active, how)
	}
	page, err := s.openPage(ctx, lease, lease.context.NewPage) // a connected browser may already show a tab
	if err == nil {
		err = s.restoreSessionStorage(ctx, lease, page)
	}
	if err != nil {
		if *started && !s.browserEnded() { // the caller abandons a browser that opens no pages
			s.releaseLease(context.WithoutCancel(ctx))
		}
		return nil, err
	}
	return s.addTab(page, "", true), nil
}

// ensureBrowser makes sure that the session has a working browser, with the tabs of one that ended. The caller holds s.starting.
func (s *Session) ensureBrowser(ctx context.Context, l launch.Options, how recovery, started, lost *bool) error {
	if err := s.reconnectLocked(ctx); err != nil {
		return err
	}
	*lost = s.reap(ctx) || *lost
	s.mu.Lock()
	lease, lostTabErr, browserLostErr := s.lease, s.lostTabErr, s.browserLostErr
	s.mu.Unlock()
	switch {
	case browserLostErr != nil && (l.Connect == nil || l.Connect.Provider == ""):
		return browserLostErr
	case lostTabErr != nil:
		return lostTabErr
	case lease != nil:
		return nil
	}
	l, how, note, err := s.relaunchOptions(l, how)
	if err != nil {
		return err
	}
	lease, shown, err := s.startWith(ctx, l)
	if err != nil {
		return err
	}
	if note != "" {
		s.addNotice(note)
	}
	applied, ended := s.resumeOverrides(ctx, lease, how)
	s.adopt(ctx, lease, shown)
	s.restoreTabs(lease, how, applied, ended)
	*started = true
	return nil
}

// reap removes what ended since the last command: a browser, which it reports, and tabs that their page closed.
func (s *Session) reap(ctx context.Context) (lost bool) {
	s.mu.Lock()
	lease := s.lease
	s.mu.Unlock()
	if lease == nil {
		return false
	}
	if lease.launch.UserBrowser() && lease.browser.Err() != nil {
		return false // reconnect handles it
	}
	if lease.browser.Err() != nil || s.browserEnded() {
		s.manager.metrics.Lost()
		lost := s.lossOf(lease)
		s.releaseLease(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := lease.launch.EndedError(s.name); err != nil {
			s.browserLostErr = err
		} else {
			s.loss = lost
		}
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reapTabsLocked()
	return false
}

// reapTabsLocked removes closed tabs. If the active one closed, its opener or the newest tab becomes active.
func (s *Session) reapTabsLocked() {
	gone := func(t *actions.Tab) bool { return fault.Is(t.Page.Err(), fault.PageGone) }
	for _, t := range s.tabs {
		if gone(t) {
			s.refs.CloseTab(t.ID)
			s.rememberGoneLocked(t)
		}
	}
	s.tabs = slices.DeleteFunc(s.tabs, gone)
	if s.active == nil || !gone(s.active) {
		return
	}
	was := s.active
	if s.pinned {
		s.active, s.lostTabErr = nil, tabGone(was.ID, s.gone[was.ID])
		return
	}
	s.active = s.successorLocked(was)
	note := "tab " + was.ID + " (" + was.Page.URL() + ") was closed"
	switch {
	case s.active != nil:
		note += "; the active tab is now " + s.active.ID
	case s.inAppLocked():
		note += "; it was the app's last window"
	default:
		note += "; it was the last one, and a new empty tab takes its place"
	}
	s.notices.Add(note)
}

// successorLocked returns the tab that becomes active when another one closes: its opener, else the newest.
func (s *Session) successorLocked(closed *actions.Tab) *actions.Tab {
	for _, t := range s.tabs {
		if t.Page.ID() == closed.Page.Opener() && !t.Page.IsUnloaded() {
			return t
		}
	}
	if len(s.tabs) == 0 {
		return nil
	}
	return s.tabs[len(s.tabs)-1]
}

func (s *Session) urls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.urlsLocked()
}

func (s *Session) urlsLocked() []string {
	var urls []string
	for _, t := range s.tabs {
		if t == s.active {
			urls = slices.Insert(urls, 0, t.Page.URL())
		} else {
			urls = append(urls, t.Page.URL())
		}
	}
	return urls
}

// adopt makes a leased browser the session's. The active tab is the last used page that responds.
func (s *Session) adopt(ctx context.Context, l *lease, pages []*engine.Page) {
	l.context.OnPopup(s.addPopup)
	l.context.OnChange(s.changed)
	s.mu.Lock()
	defer s.changed()
	l.saved = l.launch.Save()
	s.lease, s.browserLostErr, s.created, s.gateFlags = l, nil, time.Now(), l.launch.Gates
	s.ceilings = l.launch.Ceilings
	l.context.DialogPolicies().Set(s.dialogPolicyLocked())
	l.context.KeepDownloads(s.downloadDir)
	s.mu.Unlock()
	for _, p := range pages {
		s.addTab(p, "", l.launch.Target == p.ID() && p.ID() != "")
	}
	if s.activeTab() == nil {
		s.findResponsiveTab(ctx, l, pages)
	}
}

// dialogPolicyLocked returns the session's dialog policy.
func (s *Session) dialogPolicyLocked() dialogs.Policy {
	switch {
	case s.dialogPolicy != nil:
		return *s.dialogPolicy
	case s.keepDialogsOpen:
		return dialogs.Policy{Answer: dialogs.Keep}
	}
	return dialogs.Policy{}
}

// DialogPolicy returns the session's dialog policy.
func (s *Session) DialogPolicy() dialogs.Policy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dialogPolicyLocked()
}

// SetDialogPolicy sets the session's dialog policy; nil: as --no-auto-dialog says.
func (s *Session) SetDialogPolicy(policy *dialogs.Policy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dialogPolicy = policy
	s.applyDialogPolicyLocked()
}

// keepDialogs applies --no-auto-dialog until it is given again.
func (s *Session) keepDialogs(keep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepDialogsOpen = keep
	s.applyDialogPolicyLocked()
}

func (s *Session) applyDialogPolicyLocked() {
	if s.lease != nil {
		s.lease.context.DialogPolicies().Set(s.dialogPolicyLocked())
	}
}

// swap replaces the session's browser by another one once that runs and the state of the old one is saved, so that a failure loses nothing. It
// returns the URLs that were open.
func (s *Session) swap(ctx context.Context, l launch.Options) (before []string, err error) {
	s.starting.Lock()
	defer s.starting.Unlock()
	if unsaved := s.saveLast(ctx); unsaved != nil && s.running() {
		return nil, restore.ReplaceRefused(unsaved)
	}
	fresh, pages, err := s.startWith(ctx, l)
	if err != nil {
		return nil, err
	}
	before = s.urls()
	s.releaseLease(context.WithoutCancel(ctx))
	s.adopt(ctx, fresh, pages)
	return before, nil
}

// addTab adds a tab with a new id for a page. A page that has a tab keeps it.
func (s *Session) addTab(p *engine.Page, label string, activate bool) *actions.Tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	var tab *actions.Tab
	for _, t := range s.tabs {
		if t.Page == p {
			tab = t
		}
	}
	if tab == nil {
		s.lastTab++
		tab = &actions.Tab{ID: "t" + strconv.Itoa(s.lastTab), Label: label, Page: p}
		s.tabs = append(s.tabs, tab)
	}
	if activate {
		s.active, s.lostTabErr = tab, nil
	}
	s.changed()
	return tab
}

// addPopup adds a tab that opened by itself. In an app that had no window, it becomes the active one: the session could open none itself.
func (s *Session) addPopup(p *engine.Page) {
	s.mu.Lock()
	s.reapTabsLocked()
	first := s.inAppLocked() && s.active == nil && !s.pinned
	s.mu.Unlock()
	s.addTab(p, "", first)
}

// releaseLease gives the browser back. Tab ids and ref numbers are not used again.
func (s *Session) releaseLease(ctx context.Context) {
	s.mu.Lock()
	lease := s.lease
	for _, t := range s.tabs {
		s.refs.CloseTab(t.ID)
	}
	s.lease, s.tabs, s.active, s.lostTabErr, s.browserLostErr = nil, nil, nil, nil, nil
	s.mu.Unlock()
	s.changed()
	if lease != nil {
		lease.release(ctx)
	}
}

// close ends the session's browser and everything that runs in it. It fails if the session's state or downloads are lost with it; the session is
// closed all the same.
func (s *Session) close(ctx context.Context) error {
	s.states.End("the session was closed")
	s.mu.Lock()
	end := s.endLifetime
	s.lifetimeCtx, s.endLifetime = context.WithCancelCause(context.Background())
	s.mu.Unlock()
	end(sessionClosed())
	s.manager.tasks.EndSession(s.name, sessionClosed())
	s.stream.close()
	s.inspection.close()
	s.takeover.Release()
	s.handoffs.Close("the session was closed")
	s.lock.Release()
	s.starting.Lock()
	defer s.starting.Unlock()
	unsaved, lost := s.saveLast(ctx), s.lostDownloads()
	s.releaseLease(ctx)
	s.mu.Lock()
	s.stateRestore.endLocked()
	s.refs, s.lastTab = snapshot.NewRefs(), 0
	s.notices.Clear()
	s.loss, s.crashes = nil, crashes{}
	s.checkpoint.forgetLocked()
	s.keepDialogsOpen, s.dialogPolicy, s.pinned, s.gateFlags, s.ceilings, s.downloadDir = false, nil, false, nil, nil, ""
	clear(s.gone)
	s.mu.Unlock()
	s.refused.Clear()
	s.ruling.Forget()
	s.pending.forget()
	s.manager.journal.Set(s.name, nil)
	return restore.ClosedWithout(unsaved, lost)
}

// sessionClosed is the error of a command whose session closed.
func sessionClosed() error {
	return fault.New(fault.PageGone, "the session was closed meanwhile").With("sessionClosed", true)
}

// closedError returns the error of a command whose page or browser went away: sessionClosed if its lifetime ended first. The command's own context
// may not have ended yet, since another goroutine ends it.
func closedError(life context.Context, err error) error {
	switch fault.CodeOf(err) {
	case fault.PageGone, fault.TabGone, fault.BrowserGone:
		if life.Err() != nil {
			return context.Cause(life)
		}
	}
	return err
}

// lifetime returns a context that ends when the session closes. After that, a new one begins.
func (s *Session) lifetime() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lifetimeCtx
}

// remember saves what is open in the ledger.
func (s *Session) remember() {
	waits := s.handoffs.Current()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lease == nil {
		s.manager.journal.SetRules(s.name, s.ruling.Save(s.gateFlags, s.ceilings))
		return
	}
	s.manager.journal.Set(s.name, openLocked(s, waits)) // under the lock, so that a session that closes now is not saved
}

// openLocked returns what a session with a browser has open. waits is its handoff, or nil.
func openLocked(s *Session, waits *actions.Handoff) *ledger.Session {
	open := &ledger.Session{Tabs: s.tabRecordsLocked(), LastTab: s.lastTab, Rules: s.ruling.Save(s.gateFlags, s.ceilings)}
	if s.active != nil {
		open.Active = s.active.ID
	}
	switch app := s.lease.launch.App; {
	case app != nil:
		open.App = &ledger.App{LaunchID: app.LaunchID, Name: app.AppName}
	case s.lease.launch.UserBrowser():
		open.External = endpoint.ShownAddress(s.lease.endpoint)
	default:
		open.Launch = s.lease.saved
	}
	if waits != nil && waits.End == actions.HandoffWaiting {
		open.Handoff = &ledger.Handoff{ID: waits.ID, Text: waits.Text, Begun: waits.Begun.Round(0)}
	}
	return open
}

// untilClosed derives a context that ends when the session closes.
func (s *Session) untilClosed(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	ended := s.lifetime()
	stop := context.AfterFunc(ended, func() { cancel(context.Cause(ended)) })
	return ctx, func() { stop(); cancel(nil) }
}
