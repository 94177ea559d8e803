package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/ledger"
)

// What a session gets back after a crash: of its browser, of its host, of a page. Tabs keep their ids, labels, order and scroll positions, and are
// loaded when they are used, by a plain request for their address: nothing that was sent to a server is sent again.

const (
	maxRevivals = 3                // browsers that one command may take
	maxCrashes  = 2                // in a row, each with its browser: a page that crashed so often is not loaded again by itself
	maxReloads  = 2                // in a row, of a page that crashes alone
	reviveLimit = 10 * time.Second // for loading a page again; it goes on loading behind that
)

// revival is how a command gets back what a crash took from its session.
type revival struct {
	opens   bool // it opens an address in the active tab, so that nothing has to be loaded there
	reloads bool // it loads the page of the tab itself, however often that has crashed
	blank   bool // nothing is to come back
}

// loss is what a session had in a browser that ended, or with a host that did.
type loss struct {
	host    bool // the host ended, too
	sick    bool // the browser ran, and opened no page any more
	tabs    []ledger.Tab
	active  string          // id
	before  *engine.Context // of the browser that ended; nil: it is not known any more
	launch  *launch.Options // how that was started; nil: not known
	kept    *launch.Kept    // what a file kept of that; nil: nothing
	cookies []storage.NewCookie
	out     []string // addresses that are left out
}

// keptLocked returns what is to be kept of the tabs.
func (s *Session) keptLocked() []ledger.Tab {
	kept := make([]ledger.Tab, 0, len(s.tabs))
	for _, t := range s.tabs {
		url := t.Page.URL()
		k := ledger.Tab{ID: t.ID, Label: t.Label, URL: url, Title: t.Page.Title(), Address: t.Page.Address()}
		if at := s.seen.offsets[t.ID]; at.url == url {
			k.Scroll = at.offset
		}
		kept = append(kept, k)
	}
	return kept
}

// lossOf returns what the session loses with a browser that has ended. The page that was used last is held to be the cause, if it was loaded and
// the browser was not left for a reason of its own.
func (s *Session) lossOf(l *lease) *loss {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active != nil && !l.sick && !s.active.Page.IsUnloaded() {
		count(&s.crashes.browsers, s.active.Page.URL())
	}
	lost := &loss{tabs: s.keptLocked(), before: l.context, launch: &l.launch, cookies: s.seen.cookies, sick: l.sick}
	if s.active != nil {
		lost.active = s.active.ID
	}
	return lost
}

// crashes are how often in a row a page took something with it, by address. The session's mu guards them.
type crashes struct{ browsers, processes map[string]int }

func count(m *map[string]int, url string) int {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[url]++
	return (*m)[url]
}

// forget ends the row of a page that lives.
func (c *crashes) forget(url string) {
	delete(c.browsers, url)
	delete(c.processes, url)
}

// inherit takes up what a host that ended had open for the session.
func (s *Session) inherit(lost *ledger.Session) {
	if k := lost.Rules; k != nil {
		s.mu.Lock()
		s.gates, s.ceilings = k.Gates, k.Above
		s.mu.Unlock()
		s.ruling.Restore(k)
	}
	if lost.Bare {
		return
	}
	if lost.Other != "" {
		s.tell("the host of this session was restarted; it was attached to the browser at " + lost.Other +
			", which was left running: `connect` to it again. Refs of earlier snapshots are gone")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loss, s.lastTab = &loss{host: true, tabs: lost.Tabs, active: lost.Active, kept: lost.Launch}, lost.LastTab
}

// revive gives the session its tabs again after a crash. It loads none of them.
func (s *inCall) revive(ctx context.Context) error {
	s.mu.Lock()
	lost := s.loss != nil && s.holds == nil
	s.mu.Unlock()
	if !lost && !s.browserEnded() {
		return nil
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	return s.haveBrowser(ctx, s.launch, s.how, &s.started, &s.lost)
}

// resume has what was said of pages in a browser that ended hold in the new one, before that has any: what stands, and the cookies. It returns
// both, in words, and what is over.
func (s *Session) resume(ctx context.Context, l *lease, how revival) (stands, ended []string) {
	s.mu.Lock()
	lost := s.loss
	s.mu.Unlock()
	if lost == nil || how.blank || l.launch.Connect != nil {
		return nil, nil
	}
	if lost.before != nil {
		stands, ended = l.context.Resume(lost.before)
	}
	if len(lost.cookies) > 0 {
		refused, err := storage.SetCookies(ctx, l.context, lost.cookies)
		if err := errors.Join(append(refused, err)...); err != nil {
			s.manager.log.Warn("cookies not set again", "session", s.name, "err", err)
			ended = append(ended, "cookies")
		} else {
			stands = append(stands, "cookies")
		}
	}
	return stands, ended
}

// haveTabsAgain gives the session its tabs of before, without loading any, and says so.
func (s *Session) haveTabsAgain(l *lease, how revival, stands, ended []string) {
	s.mu.Lock()
	lost := s.loss
	s.loss = nil
	if lost == nil {
		s.mu.Unlock()
		return
	}
	if l.launch.Connect != nil { // it shows what it shows
		how.blank = true
	}
	var restored []string
	var gone []string
	for _, k := range lost.tabs {
		active := k.ID == lost.active
		switch {
		case how.blank:
			gone = insertIf(active, gone, k)
			continue
		case s.crashes.browsers[k.URL] >= maxCrashes:
			lost.out = append(lost.out, k.URL)
			if !active {
				continue
			}
			k.URL, k.Address, k.Title = ledger.BlankPage, "", ""
		case active && how.opens:
			gone = insertIf(true, gone, k)
		case !k.Empty():
			restored = append(restored, k.String())
		}
		tab := &actions.Tab{ID: k.ID, Label: k.Label, Page: l.context.Unloaded(k.GoesTo(), k.Title)}
		s.seen.keepLocked(k)
		s.tabs = append(s.tabs, tab)
		if active {
			s.active, s.lostTab = tab, nil
		}
	}
	if s.active == nil && len(s.tabs) > 0 {
		s.active = s.tabs[len(s.tabs)-1]
	}
	s.told = append(s.told, lost.note(s.name, restored, gone, stands, ended))
	s.mu.Unlock()
	s.changed()
}

// insertIf adds the address of a tab to a list, in front when it was the active one's.
func insertIf(front bool, list []string, k ledger.Tab) []string {
	switch {
	case k.Empty():
		return list
	case front:
		return slices.Insert(list, 0, k.URL)
	}
	return append(list, k.URL)
}

// note says what became of what was open.
func (l *loss) note(session string, restored, gone, stands, ended []string) string {
	note := "the browser of session " + session + " ended unexpectedly"
	switch {
	case l.sick:
		note = "the browser of session " + session + " opened no page any more and was left"
	case l.host:
		note = "the host of this session was restarted and its browser is gone"
	}
	parts := []string{note}
	add := func(what string, list []string, more string) {
		if len(list) > 0 {
			parts = append(parts, what+": "+strings.Join(wording.ClipList(list), ", ")+more)
		}
	}
	later := ""
	if len(restored) > 1 {
		later = ", each of them loaded when it is used"
	}
	add("restored", restored, later)
	add("applied again", stands, "")
	add("lost", append(gone, ended...), "")
	if len(l.out) > 0 {
		parts = append(parts, fmt.Sprintf("left out, since it crashed %d times in a row: %s", maxCrashes, strings.Join(wording.ClipList(l.out), ", ")))
	}
	if len(parts) == 1 {
		parts = append(parts, "nothing was open")
	}
	note = strings.Join(parts, "; ")
	switch {
	case len(restored) > 0:
		return note + ". Refs of earlier snapshots and what was typed into forms are gone"
	case l.host:
		return note + ". Refs of earlier snapshots are gone, too."
	}
	return note + ". This is a new browser, and refs of earlier snapshots are gone"
}

// wake makes a tab usable that a command is for: one of a browser that somebody else started is attached to, one that was lost in a crash is
// loaded again. The tab that is returned takes the place of the other.
func (s *Session) wake(ctx context.Context, tab *actions.Tab, how revival) (*actions.Tab, error) {
	if !tab.Page.IsUnloaded() && !s.reloads(tab) {
		return tab, s.wakeAttached(ctx, tab)
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	return s.wakeHeld(ctx, tab, how)
}

// wakeHeld is wake for who holds s.starting.
func (s *Session) wakeHeld(ctx context.Context, tab *actions.Tab, how revival) (*actions.Tab, error) {
	switch {
	case tab.Page.IsUnloaded():
		return s.load(ctx, tab, how.opens)
	case s.reloads(tab):
		if how.opens || how.reloads {
			return tab, nil // what crashed is left
		}
		return tab, s.loadAgain(ctx, tab)
	}
	s.mu.Lock()
	if !s.revived && tab.Page.Err() == nil { // it lives longer than the command that loaded it again
		s.crashes.forget(tab.Page.URL())
	}
	s.mu.Unlock()
	return tab, s.wakeAttached(ctx, tab)
}

// reloads reports whether the page of a tab has crashed and is one that may be loaded again.
func (s *Session) reloads(tab *actions.Tab) bool {
	if !fault.Is(tab.Page.Err(), fault.PageCrashed) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holds != nil && s.holds.launch.Connect == nil
}

// load opens a page for a tab that has none, with what it showed before the crash.
func (s *Session) load(ctx context.Context, tab *actions.Tab, opens bool) (*actions.Tab, error) {
	s.mu.Lock()
	lease := s.holds
	i := slices.IndexFunc(s.tabs, func(t *actions.Tab) bool { return t.ID == tab.ID })
	if i >= 0 && !s.tabs[i].Page.IsUnloaded() {
		tab = s.tabs[i] // somebody else was faster
		s.mu.Unlock()
		return tab, nil
	}
	s.mu.Unlock()
	if i < 0 || lease == nil {
		return nil, fault.New(fault.PageGone, "the tab was closed").About(tab.ID)
	}
	page, err := s.openPage(ctx, lease, lease.context.NewPage)
	if err != nil {
		return nil, err
	}
	if err := s.putSessions(ctx, lease, page); err != nil {
		return nil, err
	}
	fresh := &actions.Tab{ID: tab.ID, Label: tab.Label, Page: page}
	s.mu.Lock()
	if i = slices.Index(s.tabs, tab); i >= 0 {
		s.tabs[i] = fresh
	}
	if s.active == tab {
		s.active = fresh
	}
	s.revived = true
	offset := s.seen.offsets[tab.ID].offset
	s.mu.Unlock()
	s.changed()
	if i < 0 { // closed meanwhile
		_ = page.Close(ctx)
		return nil, fault.New(fault.PageGone, "the tab was closed").About(tab.ID)
	}
	url := tab.Page.Address()
	if opens || url == "" || url == ledger.BlankPage {
		return fresh, nil
	}
	return fresh, s.revisit(ctx, fresh, url, offset)
}

// loadAgain loads a page that crashed, unless it does nothing but that.
func (s *Session) loadAgain(ctx context.Context, tab *actions.Tab) error {
	url := tab.Page.URL()
	s.mu.Lock()
	n := s.crashes.processes[url]
	if n <= maxReloads {
		n = count(&s.crashes.processes, url)
	}
	s.revived = true
	at := s.seen.offsets[tab.ID]
	s.mu.Unlock()
	if n > maxReloads || url == "" || strings.HasPrefix(url, "chrome://crash") {
		return tab.Page.Err()
	}
	if at.url != url {
		at.offset = ledger.Offset{}
	}
	if err := s.revisit(ctx, tab, url, at.offset); err != nil {
		if engine.HasNoProcess(err) { // nothing was loaded that could have crashed
			s.mu.Lock()
			delete(s.crashes.processes, url)
			s.mu.Unlock()
			s.leavesBarren(tab)
		}
		return err
	}
	s.tell("the page of tab " + tab.ID + " (" + url + ") had crashed and was loaded again; refs of earlier snapshots and what was typed into its forms are gone")
	return nil
}

// revisit loads an address again. What keeps it from being loaded is said, and is no error as long as the tab can be worked with.
func (s *Session) revisit(ctx context.Context, tab *actions.Tab, url string, offset ledger.Offset) error {
	limit := reviveLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/2)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if tab.Page.Err() == nil { // a page that crashed has nothing to watch
		var stop func()
		limited, stop = tab.Page.Watch(limited, true)
		defer stop()
	}
	_, err := tab.Page.Navigate(limited, url, engine.WaitLoad)
	if err == nil && offset != (ledger.Offset{}) {
		err = offset.Scroll(limited, tab.Page)
	}
	switch {
	case err == nil, fault.Is(err, fault.DialogOpen): // the command will say that it is open
		return nil
	case ctx.Err() != nil || tab.Page.Err() != nil:
		return err
	case fault.Is(err, fault.Timeout):
		s.tell("tab " + tab.ID + " is still loading " + url)
	default:
		s.tell(fmt.Sprintf("tab %s could not be loaded again: %v", tab.ID, fault.WithoutHint(err)))
	}
	return nil
}
