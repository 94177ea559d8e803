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
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/journal"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/ledger"
	"github.com/skua-browser/skua/session/rules"
	"github.com/skua-browser/skua/session/turn"
	"github.com/skua-browser/skua/snapshot"
)

// Session is a named browser: tabs in a context of their own, and the refs that snapshots of them handed out.
type Session struct {
	manager *Manager
	name    string
	queue   *turn.Queue

	callers atomic.Int32 // commands that are under way, from the moment in which they asked for the session

	starting sync.Mutex // held while a browser is started or ended, so that a session never has two

	mu      sync.Mutex
	refs    *snapshot.Refs
	holds   *lease
	tabs    []*actions.Tab
	active  *actions.Tab
	lastTab int
	gone    map[string]goneTab // by id
	pinned  bool               // --pin-tab was given
	lostTab error              // of a pinned session whose tab is gone
	bereft  *fault.Error       // of a session whose launched app or rented browser ended: no other one takes its place unasked
	told    []string           // what the next reply has to say

	toldConfig []string // what was said of configuration files

	keepAll bool // --no-auto-dialog was given
	policy  *engine.DialogPolicy
	keeps   string // --download-path: the folder; empty: none
	loss    *loss  // what it had in a browser that ended, until it has that again; nil: nothing
	crashes crashes
	revived bool // the command that runs loaded a page again that had crashed
	seen    seen

	restoring restoring
	saving    sync.Mutex // held while the state is saved

	live  live
	taken turn.Takeover
	lock  turn.Lock
	gates map[string]string // what was said of what it may reach, by flag

	ceilings []policy.NetworkRules // what environments and configuration files have said of that
	refused  policy.Log
	log      journal.Log
	ruling   *rules.Set
	waiting  waiting
	states   actions.States

	owner      actions.Owner // who used it first
	introduced bool          // it has been said which session this is
	created    time.Time     // when its browser was started
	used       time.Time     // by a command
	wakes      time.Time     // when it is looked again whether the host is needed

	inspection inspection
	ended      context.Context
	end        context.CancelCauseFunc
}

func newSession(m *Manager, name string) *Session {
	s := &Session{manager: m, name: name, refs: snapshot.NewRefs(), queue: turn.NewQueue(), ruling: rules.New(m.owner, m.registry, m.words), gone: map[string]goneTab{}}
	s.log.Limit(journalLimits())
	s.ended, s.end = context.WithCancelCause(context.Background())
	return s
}

// tell queues a truth for the next reply of the session.
func (s *Session) tell(note string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = append(s.told, note)
}

// takeTold returns what the next reply has to say.
func (s *Session) takeTold() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	told := s.told
	s.told = nil
	return told
}

// running reports whether the session has a browser that works.
func (s *Session) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holds != nil && s.holds.browser.Err() == nil
}

// tab returns the active tab, starting a browser as the launch says when there is none that works. started reports that it did, and
// lost that it took the place of one that had ended.
func (s *Session) tab(ctx context.Context, l launch.Options, how revival) (tab *actions.Tab, started, lost bool, err error) {
	s.starting.Lock()
	defer s.starting.Unlock()
	for try := 1; ; try++ {
		tab, err = s.tabHeld(ctx, l, how, &started, &lost)
		if err == nil || try == maxRevivals || !s.browserEnded() {
			return tab, started, lost, err
		}
	}
}

func (s *Session) tabHeld(ctx context.Context, l launch.Options, how revival, started, lost *bool) (*actions.Tab, error) {
	if err := s.haveBrowser(ctx, l, how, started, lost); err != nil {
		return nil, err
	}
	s.mu.Lock()
	lease, active := s.holds, s.active
	s.mu.Unlock()
	if active != nil {
		return s.wakeHeld(ctx, active, how)
	}
	page, err := s.openPage(ctx, lease, lease.context.NewPage) // an attached browser may show a tab already
	if err == nil {
		err = s.putSessions(ctx, lease, page)
	}
	if err != nil {
		if *started && !s.browserEnded() { // one that opens no page is left for another one, by who calls
			s.drop(context.WithoutCancel(ctx))
		}
		return nil, err
	}
	return s.addTab(page, "", true), nil
}

// haveBrowser sees to it that the session has a browser which works, and the tabs that it had in one that ended. The caller holds s.starting.
func (s *Session) haveBrowser(ctx context.Context, l launch.Options, how revival, started, lost *bool) error {
	if err := s.reconnectHeld(ctx); err != nil {
		return err
	}
	*lost = s.reap(ctx) || *lost
	s.mu.Lock()
	lease, lostTab, bereft := s.holds, s.lostTab, s.bereft
	s.mu.Unlock()
	switch {
	case bereft != nil && (l.Connect == nil || l.Connect.Provider == ""):
		return bereft
	case lostTab != nil:
		return lostTab
	case lease != nil:
		return nil
	}
	l, how, note, err := s.launchAgain(l, how)
	if err != nil {
		return err
	}
	lease, shown, err := s.startWith(ctx, l)
	if err != nil {
		return err
	}
	if note != "" {
		s.tell(note)
	}
	stands, ended := s.resume(ctx, lease, how)
	s.take(ctx, lease, shown)
	s.haveTabsAgain(lease, how, stands, ended)
	*started = true
	return nil
}

// reap clears away what died since the last command: a browser that ended, which it reports, and tabs that were closed by their page.
func (s *Session) reap(ctx context.Context) (lost bool) {
	s.mu.Lock()
	lease := s.holds
	s.mu.Unlock()
	if lease == nil {
		return false
	}
	if lease.launch.Chosen() && lease.browser.Err() != nil {
		return false // reconnect sees to it
	}
	if lease.browser.Err() != nil || s.browserEnded() {
		s.manager.metrics.lost()
		lost := s.lossOf(lease)
		s.drop(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := lease.launch.Irreplaceable(s.name); err != nil {
			s.bereft = err
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

// reapTabsLocked forgets tabs that are gone. When the active one is, its opener or the last one takes its place.
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
		s.active, s.lostTab = nil, tabGone(was.ID, s.gone[was.ID])
		return
	}
	s.active = s.successorLocked(was)
	note := "tab " + was.ID + " (" + was.Page.URL() + ") was closed"
	if s.active == nil {
		note += "; it was the last one, and a new empty tab takes its place"
	} else {
		note += "; the active tab is now " + s.active.ID
	}
	s.told = append(s.told, note)
}

// successorLocked picks the tab to go to when another one closes: its opener, else the newest.
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

// take makes a browser the session's. Of the pages that it shows, the one last used that gives a sign of life is the active tab.
func (s *Session) take(ctx context.Context, l *lease, pages []*engine.Page) {
	l.context.OnPopup(func(p *engine.Page) { s.addTab(p, "", false) })
	l.context.OnChange(s.changed)
	s.mu.Lock()
	defer s.changed()
	l.kept = l.launch.Keep()
	s.holds, s.bereft, s.created, s.gates = l, nil, time.Now(), l.launch.Gates
	s.ceilings = l.launch.Ceilings
	l.context.SetDialogPolicy(s.dialogPolicyLocked())
	l.context.KeepDownloads(s.keeps)
	s.mu.Unlock()
	for _, p := range pages {
		s.addTab(p, "", l.launch.Target == p.ID() && p.ID() != "")
	}
	if s.activeTab() == nil {
		s.rouse(ctx, l, pages)
	}
}

// dialogPolicyLocked returns how the session treats dialogs.
func (s *Session) dialogPolicyLocked() engine.DialogPolicy {
	switch {
	case s.policy != nil:
		return *s.policy
	case s.keepAll:
		return engine.DialogPolicy{Answer: engine.DialogKeep}
	}
	return engine.DialogPolicy{}
}

// DialogPolicy returns how the session treats dialogs.
func (s *Session) DialogPolicy() engine.DialogPolicy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dialogPolicyLocked()
}

// SetDialogPolicy sets how the session treats dialogs; nil: as --no-auto-dialog says.
func (s *Session) SetDialogPolicy(policy *engine.DialogPolicy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policy = policy
	s.applyDialogPolicyLocked()
}

// keepDialogs is what --no-auto-dialog says, which holds until it says otherwise.
func (s *Session) keepDialogs(keep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepAll = keep
	s.applyDialogPolicyLocked()
}

func (s *Session) applyDialogPolicyLocked() {
	if s.holds != nil {
		s.holds.context.SetDialogPolicy(s.dialogPolicyLocked())
	}
}

// swap gives the session another browser in place of the one that it has, once that is there: what cannot be had costs nothing. It
// returns what was open before.
func (s *Session) swap(ctx context.Context, l launch.Options) (before []string, err error) {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.saveLast(ctx)
	fresh, pages, err := s.startWith(ctx, l)
	if err != nil {
		return nil, err
	}
	before = s.urls()
	s.drop(context.WithoutCancel(ctx))
	s.take(ctx, fresh, pages)
	return before, nil
}

// addTab gives a page an id. A page that has one keeps it.
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
		s.active, s.lostTab = tab, nil
	}
	s.changed()
	return tab
}

// drop gives the browser back. Tabs are forgotten, their ids and the refs' numbers are not used again.
func (s *Session) drop(ctx context.Context) {
	s.mu.Lock()
	lease := s.holds
	for _, t := range s.tabs {
		s.refs.CloseTab(t.ID)
	}
	s.holds, s.tabs, s.active, s.lostTab, s.bereft = nil, nil, nil, nil, nil
	s.mu.Unlock()
	s.changed()
	if lease != nil {
		lease.release(ctx)
	}
}

// close ends the session's browser and whatever runs in it.
func (s *Session) close(ctx context.Context) error {
	s.states.End("the session was closed")
	s.mu.Lock()
	end := s.end
	s.ended, s.end = context.WithCancelCause(context.Background())
	s.mu.Unlock()
	end(sessionClosed())
	s.manager.tasks.EndSession(s.name, sessionClosed())
	s.live.close()
	s.inspection.close()
	s.taken.Release()
	s.lock.Release()
	s.starting.Lock()
	defer s.starting.Unlock()
	s.saveLast(ctx)
	s.drop(ctx)
	s.mu.Lock()
	s.restoring.endLocked()
	s.refs, s.lastTab, s.told = snapshot.NewRefs(), 0, nil
	s.loss, s.crashes = nil, crashes{}
	s.seen.forgetLocked()
	s.keepAll, s.policy, s.pinned, s.gates, s.ceilings, s.keeps = false, nil, false, nil, nil, ""
	clear(s.gone)
	s.mu.Unlock()
	s.refused.Clear()
	s.ruling.Forget()
	s.waiting.forget()
	s.manager.journal.Set(s.name, nil)
	return nil
}

// sessionClosed is why a command ends when its session is closed.
func sessionClosed() error {
	return fault.New(fault.PageGone, "the session was closed meanwhile").With("sessionClosed", true)
}

// goneWith returns the error of a command whose page or browser went away: because the session was closed, where its life ended before that.
// The command's own context may not have ended yet, since another goroutine ends it.
func goneWith(life context.Context, err error) error {
	switch fault.CodeOf(err) {
	case fault.PageGone, fault.TabGone, fault.BrowserGone:
		if life.Err() != nil {
			return context.Cause(life)
		}
	}
	return err
}

// life ends when the session is closed; another one begins then.
func (s *Session) life() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// remember writes what is open into the journal.
func (s *Session) remember() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds == nil {
		s.manager.journal.SetRules(s.name, s.ruling.Keep(s.gates, s.ceilings))
		return
	}
	open := ledger.Session{Tabs: s.keptLocked(), LastTab: s.lastTab, Rules: s.ruling.Keep(s.gates, s.ceilings)}
	if s.active != nil {
		open.Active = s.active.ID
	}
	if s.holds.launch.Chosen() {
		open.Other = engine.ShownAddress(s.holds.endpoint)
	} else {
		open.Launch = s.holds.kept
	}
	s.manager.journal.Set(s.name, &open) // locked, so that what is closed meanwhile is not remembered
}

// during derives a context that ends when the session is closed.
func (s *Session) during(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	ended := s.life()
	stop := context.AfterFunc(ended, func() { cancel(context.Cause(ended)) })
	return ctx, func() { stop(); cancel(nil) }
}
