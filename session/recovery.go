package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/ledger"
)

// How a session recovers from the crash of its browser, its host or a page. Tabs keep their ids, labels, order and scroll positions. They load when
// they are used, by a plain request for their URL: nothing is sent to a server twice.

const (
	maxRecoveries = 3                // browsers that one command may start
	maxCrashes    = 2                // consecutive browser crashes, after which the page is not loaded by itself
	maxReloads    = 2                // consecutive reloads of a page that crashes alone
	reloadLimit   = 10 * time.Second // for a reload, which continues after it
)

// recovery says how a command recovers what a crash took from its session.
type recovery struct {
	opensURL bool // the command opens a URL in the active tab, so that the old one is not loaded
	reloads  bool // the command reloads the tab's page itself, however often it crashed
	blank    bool // nothing is restored
}

// loss is what a session had in a browser that ended, or with a host that ended.
type loss struct {
	host      bool // the host ended, too
	moved     bool // the host made way for this one, which is of a newer build
	unhealthy bool // the browser ran but opened no pages
	tabs      []ledger.Tab
	active    string               // id
	before    *engine.Context      // the context in the browser that ended; nil: unknown
	launch    *launch.Options      // how the browser was started; nil: unknown
	saved     *launch.SavedOptions // the launch options that the ledger saved; nil: none
	cookies   []storage.NewCookie
	leftOut   []string // URLs that are not restored
	why       string   // the resource that the browser lacked; "": it is not known
}

// tabRecordsLocked returns the ledger's records of the tabs.
func (s *Session) tabRecordsLocked() []ledger.Tab {
	kept := make([]ledger.Tab, 0, len(s.tabs))
	for _, t := range s.tabs {
		url := t.Page.URL()
		k := ledger.Tab{ID: t.ID, Label: t.Label, URL: url, Title: t.Page.Title(), Address: t.Page.Address()}
		if at := s.checkpoint.offsets[t.ID]; at.url == url {
			k.Scroll = at.offset
		}
		kept = append(kept, k)
	}
	return kept
}

// lossOf returns what the session loses with a browser that has ended. The active page counts as the cause if it was loaded and the session did not
// abandon the browser.
func (s *Session) lossOf(l *lease) *loss {
	why := launch.Shortage(l.browser)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active != nil && !l.unhealthy && !s.active.Page.IsUnloaded() {
		countCrash(&s.crashes.browsers, s.active.Page.URL())
	}
	lost := &loss{tabs: s.tabRecordsLocked(), before: l.context, launch: &l.launch, cookies: s.checkpoint.cookies, unhealthy: l.unhealthy, why: why}
	if s.active != nil {
		lost.active = s.active.ID
	}
	return lost
}

// crashes counts, by URL, how often in a row a page crashed its browser or its process. Guarded by the session's mu.
type crashes struct{ browsers, processes map[string]int }

func countCrash(m *map[string]int, url string) int {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[url]++
	return (*m)[url]
}

// forget resets the counts of a page that lives.
func (c *crashes) forget(url string) {
	delete(c.browsers, url)
	delete(c.processes, url)
}

// recoverFromLedger takes over what an earlier host had open for the session.
func (s *Session) recoverFromLedger(lost *ledger.Session) {
	if k := lost.Rules; k != nil {
		s.mu.Lock()
		s.gateFlags, s.ceilings = k.Gates, k.Above
		s.mu.Unlock()
		s.ruling.Restore(k)
	}
	if w := lost.Handoff; w != nil {
		s.handoffs.Lose(actions.Handoff{ID: w.ID, Text: w.Text, Begun: w.Begun})
	}
	for _, note := range lost.Notes {
		s.addNotice(note)
	}
	if lost.RulesOnly {
		return
	}
	if app := lost.App; app != nil { // its windows are nothing without it
		s.mu.Lock()
		s.browserLostErr = launch.AppEnded(s.name, &electron.Record{LaunchID: app.LaunchID, AppName: app.Name})
		s.mu.Unlock()
		return
	}
	if lost.External != "" {
		why := "the host of this session was restarted"
		if lost.Moved {
			why = "a newer build of skua took over session " + s.name
		}
		s.addNotice(why + "; it was attached to the browser at " + lost.External +
			", which was left running: `connect` to it again. Refs of earlier snapshots are gone")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loss = &loss{host: true, moved: lost.Moved, tabs: lost.Tabs, active: lost.Active, saved: lost.Launch, cookies: lost.Cookies}
	s.lastTab = lost.LastTab
}

// recoverBrowser restores the session's browser and tabs after a crash. It loads no page.
func (s *callSession) recoverBrowser(ctx context.Context) error {
	s.mu.Lock()
	lost := s.loss != nil && s.lease == nil
	s.mu.Unlock()
	if !lost && !s.browserEnded() {
		return nil
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	return s.ensureBrowser(ctx, s.launch, s.recovery, &s.started, &s.lost)
}

// resumeOverrides applies the overrides and cookies of the browser that ended to the new one, before it has pages. It returns what was applied again
// and what is lost, in words.
func (s *Session) resumeOverrides(ctx context.Context, l *lease, how recovery) (applied, ended []string) {
	s.mu.Lock()
	lost := s.loss
	s.mu.Unlock()
	if lost == nil || how.blank || l.launch.Connect != nil {
		return nil, nil
	}
	if lost.before != nil {
		applied, ended = l.context.Resume(lost.before)
		switch had, err := webauthn.Resume(ctx, l.context, lost.before); {
		case err != nil:
			s.manager.log.Warn("passkeys not restored", "session", s.name, "code", fault.CodeOf(err))
			ended = append(ended, "passkeys")
		case had:
			applied = append(applied, "passkeys")
		}
	}
	if len(lost.cookies) > 0 {
		refused, err := storage.SetCookies(ctx, l.context, lost.cookies)
		if err := errors.Join(append(refused, err)...); err != nil {
			s.manager.log.Warn("cookies not restored", "session", s.name, "err", err)
			ended = append(ended, "cookies")
		} else {
			applied = append(applied, "cookies")
		}
	}
	return applied, ended
}

// restoreTabs restores the session's tabs without loading them, and queues a note about it.
func (s *Session) restoreTabs(l *lease, how recovery, applied, ended []string) {
	s.mu.Lock()
	lost := s.loss
	s.loss = nil
	if lost == nil {
		s.mu.Unlock()
		return
	}
	if l.launch.Connect != nil { // it already has its own tabs
		how.blank = true
	}
	var restored []string
	var gone []string
	for _, k := range lost.tabs {
		active := k.ID == lost.active
		switch {
		case how.blank:
			gone = appendURL(active, gone, k)
			continue
		case s.crashes.browsers[k.URL] >= maxCrashes:
			lost.leftOut = append(lost.leftOut, k.URL)
			if !active {
				continue
			}
			k.URL, k.Address, k.Title = ledger.BlankPage, "", ""
		case active && how.opensURL:
			gone = appendURL(true, gone, k)
		case !k.Empty():
			restored = append(restored, k.String())
		}
		tab := &actions.Tab{ID: k.ID, Label: k.Label, Page: l.context.Unloaded(k.FullURL(), k.Title)}
		s.checkpoint.keepLocked(k)
		s.tabs = append(s.tabs, tab)
		if active {
			s.active, s.lostTabErr = tab, nil
		}
	}
	if s.active == nil && len(s.tabs) > 0 {
		s.active = s.tabs[len(s.tabs)-1]
	}
	s.notices.Add(lost.note(s.name, restored, gone, applied, ended))
	s.mu.Unlock()
	s.changed()
}

// appendURL adds a tab's URL to a list, at the front if the tab was active.
func appendURL(front bool, list []string, k ledger.Tab) []string {
	switch {
	case k.Empty():
		return list
	case front:
		return slices.Insert(list, 0, k.URL)
	}
	return append(list, k.URL)
}

// note describes what was restored and what was lost.
func (l *loss) note(session string, restored, gone, applied, ended []string) string {
	note := "the browser of session " + session + " ended unexpectedly"
	switch {
	case l.unhealthy:
		note = "the browser of session " + session + " stopped opening pages and was abandoned"
	case l.moved:
		note = "a newer build of skua took over session " + session + ", and its browser is a new one"
	case l.host:
		note = "the host of this session was restarted and its browser is gone"
	}
	if l.why != "" {
		note += " (" + l.why + ")"
	}
	parts := []string{note}
	add := func(what string, list []string, more string) {
		if len(list) > 0 {
			parts = append(parts, what+": "+strings.Join(wording.ClipList(list), ", ")+more)
		}
	}
	later := ""
	if len(restored) > 1 {
		later = ", each loaded when it is used"
	}
	add("restored", restored, later)
	add("applied again", applied, "")
	add("lost", append(gone, ended...), "")
	if len(l.leftOut) > 0 {
		parts = append(parts, fmt.Sprintf("not restored after %d crashes in a row: %s", maxCrashes, strings.Join(wording.ClipList(l.leftOut), ", ")))
	}
	if len(parts) == 1 {
		parts = append(parts, "nothing was open")
	}
	note = strings.Join(parts, "; ")
	switch {
	case len(restored) > 0:
		return note + ". Refs of earlier snapshots and text typed into forms are gone"
	case l.host:
		return note + ". Refs of earlier snapshots are gone, too."
	}
	return note + ". This is a new browser, and refs of earlier snapshots are gone"
}

// ensureUsable prepares a tab for a command: it attaches to the page of a connected browser, or loads a page that was lost in a crash. The returned
// tab replaces the given one.
func (s *Session) ensureUsable(ctx context.Context, tab *actions.Tab, how recovery) (*actions.Tab, error) {
	if !tab.Page.IsUnloaded() && !s.canReload(tab) {
		return tab, s.ensureAttached(ctx, tab)
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	return s.ensureUsableLocked(ctx, tab, how)
}

// ensureUsableLocked is ensureUsable for a caller that holds s.starting.
func (s *Session) ensureUsableLocked(ctx context.Context, tab *actions.Tab, how recovery) (*actions.Tab, error) {
	switch {
	case tab.Page.IsUnloaded():
		return s.loadTab(ctx, tab, how.opensURL)
	case s.canReload(tab):
		if how.opensURL || how.reloads {
			return tab, nil // the command loads the page
		}
		return tab, s.reloadCrashed(ctx, tab)
	}
	s.mu.Lock()
	if !s.reloadedTab && tab.Page.Err() == nil { // it outlived the command that reloaded it
		s.crashes.forget(tab.Page.URL())
	}
	s.mu.Unlock()
	return tab, s.ensureAttached(ctx, tab)
}

// canReload reports whether the tab's page has crashed and the session may reload it.
func (s *Session) canReload(tab *actions.Tab) bool {
	if !fault.Is(tab.Page.Err(), fault.PageCrashed) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lease != nil && s.lease.launch.Connect == nil
}

// loadTab opens a page for an unloaded tab and loads what the tab showed before the crash.
func (s *Session) loadTab(ctx context.Context, tab *actions.Tab, opens bool) (*actions.Tab, error) {
	s.mu.Lock()
	lease := s.lease
	i := slices.IndexFunc(s.tabs, func(t *actions.Tab) bool { return t.ID == tab.ID })
	if i >= 0 && !s.tabs[i].Page.IsUnloaded() {
		tab = s.tabs[i] // another command loaded it
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
	if err := s.restoreSessionStorage(ctx, lease, page); err != nil {
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
	s.reloadedTab = true
	offset := s.checkpoint.offsets[tab.ID].offset
	s.mu.Unlock()
	s.changed()
	if i < 0 { // closed in the meantime
		_ = page.Close(ctx)
		return nil, fault.New(fault.PageGone, "the tab was closed").About(tab.ID)
	}
	url := tab.Page.Address()
	if opens || url == "" || url == ledger.BlankPage {
		return fresh, nil
	}
	return fresh, s.reloadURL(ctx, fresh, url, offset)
}

// reloadCrashed reloads a crashed page, unless it has crashed too often.
func (s *Session) reloadCrashed(ctx context.Context, tab *actions.Tab) error {
	url := tab.Page.URL()
	s.mu.Lock()
	n := s.crashes.processes[url]
	if n <= maxReloads {
		n = countCrash(&s.crashes.processes, url)
	}
	s.reloadedTab = true
	at := s.checkpoint.offsets[tab.ID]
	s.mu.Unlock()
	if n > maxReloads || url == "" || strings.HasPrefix(url, "chrome://crash") {
		return tab.Page.Err()
	}
	if at.url != url {
		at.offset = ledger.Offset{}
	}
	if err := s.reloadURL(ctx, tab, url, at.offset); err != nil {
		if engine.HasNoProcess(err) { // no page was loaded that could have crashed
			s.mu.Lock()
			delete(s.crashes.processes, url)
			s.mu.Unlock()
			s.abandonUnhealthyBrowser(tab)
		}
		return err
	}
	s.addNotice("the page of tab " + tab.ID + " (" + url + ") had crashed and was loaded again; refs of earlier snapshots and text typed into its forms are gone")
	return nil
}

// reloadURL loads a URL again. A failure becomes a note, not an error, as long as the tab is usable.
func (s *Session) reloadURL(ctx context.Context, tab *actions.Tab, url string, offset ledger.Offset) error {
	limit := reloadLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/2)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if tab.Page.Err() == nil { // a crashed page has nothing to watch
		var stop func()
		limited, stop = tab.Page.Watch(limited, true)
		defer stop()
	}
	_, err := tab.Page.Navigate(limited, url, engine.WaitLoad)
	if err == nil && offset != (ledger.Offset{}) {
		err = offset.Scroll(limited, tab.Page)
	}
	switch {
	case err == nil, fault.Is(err, fault.DialogOpen): // the command reports the open dialog
		return nil
	case ctx.Err() != nil || tab.Page.Err() != nil:
		return err
	case fault.Is(err, fault.Timeout):
		s.addNotice("tab " + tab.ID + " is still loading " + url)
	default:
		s.addNotice(fmt.Sprintf("tab %s could not be loaded again: %v", tab.ID, fault.WithoutHint(err)))
	}
	return nil
}
